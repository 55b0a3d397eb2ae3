//! The register of a round, and changes to it: exclusions and admissions.

pub(crate) mod entries;
pub(crate) mod exclude_and_admit;
pub(crate) mod reason;
pub(crate) mod register_changes;
