//! The import of end users from the rows of a file.

pub(crate) mod cells;
pub(crate) mod columns;
pub(crate) mod decide;
pub(crate) mod groups;
pub(crate) mod outcome;
pub(crate) mod people;
pub(crate) mod plan;
pub(crate) mod run;
pub(crate) mod username;
pub(crate) mod values;
pub(crate) mod weights;
