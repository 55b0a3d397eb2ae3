//! The whole product over real connections, each test on a database of its own. Modules mirror the addresses.
//!
//! Helpers speak to the API and to nothing else; one test holds a window of a race open by the database.
mod access;
mod clients;
mod identity;
mod live;
mod load;
mod meetings;
mod protocol;
mod support;
mod system;
mod voting;
