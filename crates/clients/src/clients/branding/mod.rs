//! The logo and the accent color of an organization.

pub(crate) mod accent;
pub(crate) mod logo;
pub(crate) mod ports;
