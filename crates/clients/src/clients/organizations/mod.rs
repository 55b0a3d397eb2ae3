//! Client organizations: their values, creation, changes and list.

pub(crate) mod add;
pub(crate) mod change;
pub(crate) mod client;
pub(crate) mod code;
pub(crate) mod list;
