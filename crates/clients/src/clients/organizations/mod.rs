//! Client organizations: their values, creation, changes and list.

pub(crate) mod changes;
pub(crate) mod client;
pub(crate) mod code;
mod code_suggestion;
pub(crate) mod filter;
pub(crate) mod ports;
pub(crate) mod service;
