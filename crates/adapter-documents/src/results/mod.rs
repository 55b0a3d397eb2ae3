//! Documents of results: a table, a workbook, and the minutes. They show what the file of the results says, and compute
//! nothing.

pub(crate) mod csv;
mod labels;
pub(crate) mod minutes;
pub(crate) mod xlsx;
