//! Sessions, their access and refresh tokens, and their revocation.

pub(crate) mod access_check;
pub(crate) mod access_token;
pub(crate) mod ports;
pub(crate) mod revocation;
pub(crate) mod service;
pub(crate) mod session;
