//! Sessions, their access and refresh tokens, and their revocation. A session begins, is renewed and ends at a sign-out in
//! `sign_in/service.rs`.

pub(crate) mod access_check;
pub(crate) mod access_token;
pub(crate) mod ports;
pub(crate) mod revocation;
pub(crate) mod service;
pub(crate) mod session;
