//! The people who may take part in a meeting.

pub(crate) mod invite;
pub(crate) mod ports;
