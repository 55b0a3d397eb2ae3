//! Facts for the minutes besides the results: attendance and remarks.

pub(crate) mod attendance;
pub(crate) mod ports;
pub(crate) mod remark;
pub(crate) mod write_remarks;
