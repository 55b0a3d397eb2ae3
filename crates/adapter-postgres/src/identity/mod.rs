//! Accounts, sessions, passwords, personal links and second factors.

pub(crate) mod accounts;
pub(crate) mod join_links;
pub(crate) mod own_sessions;
pub(crate) mod passwords;
pub(crate) mod second_factors;
pub(crate) mod sessions;
