//! Failed transactions and statements, as the stores and their callers see them.

use std::error::Error;

use diesel::result::DatabaseErrorKind;
use plenum_kernel::PortFailure;

use super::connection::Pooled;

/// The name of this adapter in failures.
pub(super) const WHAT: &str = "the database";

/// The reason of a rollback.
#[derive(Debug)]
pub(crate) enum Abort<E> {
    /// The domain refused.
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
    /// The failure that callers get. Notes damage that the error reports, and that the server is a standby.
    pub(super) fn failure(&self, error: diesel::result::Error) -> PortFailure {
        self.notice(&error);
        if self.damage.is_reported_by(&error) { PortFailure::damaged(WHAT, error) } else { failure(error) }
    }
}

/// The failure for callers. A violated foreign key means that the row it refers to was removed a moment ago. A value that cannot
/// be read was changed by somebody else than the product, so trying again does not help.
fn failure(error: diesel::result::Error) -> PortFailure {
    match error {
        diesel::result::Error::DatabaseError(DatabaseErrorKind::ForeignKeyViolation, _) => {
            PortFailure::outdated(WHAT, error)
        }
        diesel::result::Error::DeserializationError(_) => PortFailure::damaged(WHAT, error),
        _ => PortFailure::new(WHAT, error),
    }
}

/// The error of a stored value that the domain cannot read.
pub(crate) fn damaged(what: impl Into<Box<dyn Error + Send + Sync>>) -> diesel::result::Error {
    diesel::result::Error::DeserializationError(what.into())
}
