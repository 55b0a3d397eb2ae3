//! Accounts, sign-in, passwords, second factors and sessions.

mod accounts;
mod forgotten_passwords;
mod join_links;
mod passwords;
mod second_factors;
mod sessions;
mod sign_in;
mod sign_in_queue;
