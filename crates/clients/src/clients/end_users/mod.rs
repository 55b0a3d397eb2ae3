//! End users of a client: their values, creation, changes, list and export.

pub(crate) mod changes;
pub(crate) mod end_user;
pub(crate) mod erasure;
pub(crate) mod export;
pub(crate) mod filter;
pub(crate) mod ports;
pub(crate) mod service;
pub(crate) mod set_password;
