//! The whole product over real connections, each test on a database of its own. Modules mirror the addresses.
//!
//! Helpers speak to the API and to nothing else; one test holds a window of a race open by the database.
// By this clippy sees that helpers are test code, too.
#![cfg(test)]

mod access_matrix;
mod accounts;
mod activity;
mod audit;
mod auth;
mod broken_database;
mod clients;
mod countdown;
mod current_question;
mod document;
mod end_user_files;
mod end_users;
mod exclusions;
mod forgotten_passwords;
mod headers;
mod health;
mod hostile_input;
mod invitations;
mod load;
mod meetings;
mod metrics;
mod operations;
mod participants;
mod passwords;
mod public;
mod questions;
mod quorum;
mod races;
mod rehearsals;
mod remarks;
mod reports;
mod results;
mod rounds;
mod second_factors;
mod sessions;
mod shedding;
mod sign_in_queue;
mod steps;
mod streams;
mod support;
mod tenants;
mod terms;
mod test_calls;
mod test_data;
mod voting;
