//! Sign-in with a password: the throttle on failures, the queue, and known devices.

pub(crate) mod attempt;
pub(crate) mod device_token;
pub(crate) mod error;
pub(crate) mod failures;
pub(crate) mod password_check;
pub(crate) mod queue;
pub(crate) mod second_factor_check;
pub(crate) mod service;
pub(crate) mod throttle;
#[cfg(test)]
mod throttle_fixture;
