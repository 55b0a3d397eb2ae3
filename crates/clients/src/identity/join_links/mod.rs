//! Personal links, with which end users sign in without typing.

pub(crate) mod code;
pub(crate) mod link;
pub(crate) mod ports;
pub(crate) mod send_code;
pub(crate) mod service;
pub(crate) mod sign_in;
