//! Sessions, their access and refresh tokens, and their revocation.

pub(crate) mod access_check;
pub(crate) mod access_token;
pub(crate) mod own_sessions;
pub(crate) mod ports;
pub(crate) mod revocation;
pub(crate) mod session;
pub(crate) mod stats;
pub(crate) mod sweep;
