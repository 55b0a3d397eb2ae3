//! End users of a client: their values, creation, changes, list and export.

pub(crate) mod add;
pub(crate) mod change;
pub(crate) mod end_user;
pub(crate) mod export;
pub(crate) mod list;
