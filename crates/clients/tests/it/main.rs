//! All integration tests of the crate, in one binary, so that they are linked once.
// For clippy, so that helpers count as test code too.
#![cfg(test)]

mod access_check;
mod add_client;
mod add_end_user;
mod change_end_user;
mod change_password;
mod contract;
mod erase_end_users;
mod import_end_users;
mod reset_password;
mod second_factor;
mod sign_in;
mod sign_in_throttle;
mod sweep_sessions;
