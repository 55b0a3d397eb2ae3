//! The audit log: its entries, its chain, and exports.

pub(crate) mod entry;
pub(crate) mod log;
pub(crate) mod ports;
