//! Accounts, their passwords, and the creation of super administrators.

pub(crate) mod account;
pub(crate) mod change_password;
pub(crate) mod create_super_admin;
pub(crate) mod overview;
pub(crate) mod password;
pub(crate) mod ports;
pub(crate) mod profile;
pub(crate) mod service;
