//! The whole product over real connections, each test on a database of its own. Modules mirror the addresses.
//!
//! Helpers speak to the API and to nothing else; one test holds a window of a race open by the database.
// By this clippy sees that helpers are test code, too.
#![cfg(test)]

mod access_matrix;
mod auth;
mod clients;
mod current_question;
mod document;
mod end_users;
mod health;
mod hostile_input;
mod meetings;
mod operations;
mod participants;
mod public;
mod questions;
mod races;
mod rounds;
mod streams;
mod support;
mod tenants;
mod test_calls;
mod voting;
