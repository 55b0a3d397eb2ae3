//! Check-in: who is present, as a record, and the desks that write it.

pub(crate) mod attendance_list;
pub(crate) mod desk;
pub(crate) mod ports;
pub(crate) mod presence;
pub(crate) mod self_code;
pub(crate) mod service;
