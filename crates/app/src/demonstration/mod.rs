//! The demonstration: its data, and the rules that keep it apart from real installations.

mod data;
mod guard;

pub(crate) use data::{DEMO_ADMIN, DEMO_SUPER_ADMIN};
pub use data::{DEMO_CLIENT_CODE, DEMO_PASSWORD, set_up_demo};
pub(crate) use guard::{DemonstrationCheck, check_demo_address, people_with_demo_password};
