//! Kinds of voting weight beside the ordinary one (decision 92).

pub(crate) mod ports;
pub(crate) mod service;
pub(crate) mod weight_kind;
