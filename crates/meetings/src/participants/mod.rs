//! The participants of a meeting.

pub(crate) mod invite;
pub(crate) mod ports;
