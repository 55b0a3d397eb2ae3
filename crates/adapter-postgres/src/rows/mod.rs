//! Columns, conditions and locks that the stores of several folders share.

pub(crate) mod audience;
pub(crate) mod client_lock;
pub(crate) mod columns;
pub(crate) mod condition;
pub(crate) mod end_user_owner;
pub(crate) mod meeting_owner;
pub(crate) mod terms;
pub(crate) mod test_data;
pub(crate) mod weight_kinds;
pub(crate) mod weights;
