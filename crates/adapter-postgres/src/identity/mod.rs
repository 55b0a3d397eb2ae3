//! Accounts, sessions, passwords and second factors.

pub(crate) mod accounts;
pub(crate) mod own_sessions;
pub(crate) mod passwords;
pub(crate) mod second_factors;
pub(crate) mod sessions;
