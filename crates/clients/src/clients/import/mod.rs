//! The import of end users from the rows of a file.

pub(crate) mod columns;
pub(crate) mod decide;
pub(crate) mod run;
pub(crate) mod values;
