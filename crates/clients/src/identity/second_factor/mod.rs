//! The second factor of an account: one-time codes and recovery codes.

pub(crate) mod factor;
pub(crate) mod own_second_factor;
pub(crate) mod ports;
pub(crate) mod recovery;
pub(crate) mod totp;
