//! The identity of people: accounts, sessions, sign-in, personal links, the second factor and password resets.

pub(crate) mod accounts;
pub(crate) mod join_links;
pub(crate) mod password_reset;
pub(crate) mod rate_limiter;
pub(crate) mod second_factor;
pub(crate) mod sessions;
pub(crate) mod sign_in;
