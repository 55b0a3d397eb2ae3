//! Reports on the clients, and the activity feed.

pub(crate) mod activity;
pub(crate) mod client_report;
pub(crate) mod ports;
pub(crate) mod service;
