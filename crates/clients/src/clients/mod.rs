//! Client organizations with their end users, reports and audit logs.

pub(crate) mod audit;
pub(crate) mod branding;
pub(crate) mod end_users;
pub(crate) mod groups;
pub(crate) mod import;
pub(crate) mod organizations;
pub(crate) mod places_of_use;
pub(crate) mod reports;
pub(crate) mod sheet;
pub(crate) mod weight_kinds;
