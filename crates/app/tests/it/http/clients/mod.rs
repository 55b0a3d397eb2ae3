//! Organizations, their members, files, reports and audit log.

mod activity;
mod audit;
mod branding;
mod end_user_files;
mod end_users;
mod erasure;
mod groups;
mod organizations;
mod reports;
mod weight_kinds;
