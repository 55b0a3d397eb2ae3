use plenum_kernel::{EndUserId, PortFailure};

use crate::{EndUserChanges, EndUserCredentials, ImportPlan, PasswordHash};

/// A change of one end user among many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedChange {
    /// Who is changed.
    pub id: EndUserId,
    /// What becomes different; an import changes no username.
    pub changes: EndUserChanges,
    /// Their new password, if there is one.
    pub password: Option<PasswordHash>,
}

/// Why nothing was imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Some rows are refused; a dry run says which.
    #[error("some rows have errors")]
    HasErrors,
    /// Somebody took a username, or removed an end user, since the present ones were looked at.
    #[error("the end users have changed meanwhile")]
    Outdated,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// What became of an import.
#[derive(Clone, Debug)]
pub struct ImportOutcome {
    /// What was done with each row.
    pub plan: ImportPlan,
    /// Those who got a new password, in the order of the file.
    pub credentials: Vec<EndUserCredentials>,
    /// Those who were signed out by it.
    pub signed_out: Vec<EndUserId>,
}
