//! Organizations, their end users, reports and recent activity.

pub(crate) mod activity;
mod addition_lock;
pub(crate) mod branding;
pub(crate) mod demonstration;
mod end_user_erasure;
pub(crate) mod end_user_import;
pub(crate) mod end_users;
pub(crate) mod groups;
pub(crate) mod open_votes;
pub(crate) mod organizations;
mod places_of_use;
pub(crate) mod reports;
pub(crate) mod weight_kinds;
