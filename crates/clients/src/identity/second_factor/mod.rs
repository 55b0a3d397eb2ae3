//! The second factor of an account: one-time codes and recovery codes.

pub(crate) mod factor;
pub(crate) mod ports;
pub(crate) mod service;
pub(crate) mod totp;
