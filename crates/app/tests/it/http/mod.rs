//! The whole product over real connections. Each test has its own database. Modules mirror the addresses.
//!
//! Helpers use only the API. Race tests also hold windows open in the database.
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
