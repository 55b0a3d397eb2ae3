//! Groups of end users: their names and members.

pub(crate) mod group;
pub(crate) mod ports;
pub(crate) mod service;
