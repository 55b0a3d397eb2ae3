//! All integration tests of the crate, in one binary: it is linked once, and its tests share one PostgreSQL.
// By this clippy sees that helpers are test code, too.
#![cfg(test)]

mod add_client;
mod add_people;
mod change_password;
mod change_people;
mod check_access;
mod contract;
mod import_people;
mod reset_password;
mod second_factor;
mod sign_in;
mod sign_in_throttle;
mod sweep_sessions;
