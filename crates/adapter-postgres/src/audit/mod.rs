//! The audit log and the chain of its hashes.

pub(crate) mod chain;
pub(crate) mod meeting;
pub(crate) mod rows;
pub(crate) mod trail;
