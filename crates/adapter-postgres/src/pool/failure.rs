//! How transactions end that do not succeed.

use std::error::Error;

use diesel::result::DatabaseErrorKind;
use plenum_kernel::PortFailure;

use super::connection::Pooled;

/// What failures of this adapter are called.
pub(super) const WHAT: &str = "the database";

/// Why a transaction is rolled back.
#[derive(Debug)]
pub(crate) enum Abort<E> {
    /// The domain said no.
    Refused(E),
    /// The database failed.
    Database(diesel::result::Error),
}

impl<E> From<diesel::result::Error> for Abort<E> {
    fn from(error: diesel::result::Error) -> Self {
        Self::Database(error)
    }
}

/// The name of the unique constraint or index that a statement would have violated.
pub(crate) fn violated_constraint(error: &diesel::result::Error) -> Option<&str> {
    match error {
        diesel::result::Error::DatabaseError(DatabaseErrorKind::UniqueViolation, information) => {
            information.constraint_name()
        }
        _ => None,
    }
}

impl Pooled {
    /// The failure that callers get. Notes damage that the error reports.
    pub(super) fn failure(&self, error: diesel::result::Error) -> PortFailure {
        if self.damage.is_told_by(&error) { PortFailure::damaged(WHAT, error) } else { failure(error) }
    }
}

/// What went wrong, as callers are told: a row that refers to another one came too late if that one was just removed.
fn failure(error: diesel::result::Error) -> PortFailure {
    match error {
        diesel::result::Error::DatabaseError(DatabaseErrorKind::ForeignKeyViolation, _) => {
            PortFailure::outdated(WHAT, error)
        }
        _ => PortFailure::new(WHAT, error),
    }
}

/// A stored value that the domain cannot read.
pub(crate) fn damaged(what: impl Into<Box<dyn Error + Send + Sync>>) -> diesel::result::Error {
    diesel::result::Error::DeserializationError(what.into())
}
