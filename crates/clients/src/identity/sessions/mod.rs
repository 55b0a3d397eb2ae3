//! Sessions, their access and refresh tokens, and their revocation. A session begins, and ends at a sign-out, in
//! `sign_in/service.rs`.

pub(crate) mod access_check;
pub(crate) mod access_token;
pub(crate) mod ports;
mod renew;
pub(crate) mod revocation;
pub(crate) mod service;
pub(crate) mod session;
