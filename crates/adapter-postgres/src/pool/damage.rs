//! Damage of the database's files, which no retry repairs.

use std::sync::{Arc, Mutex, PoisonError};

use diesel::result::Error;

/// Texts with which PostgreSQL reports damaged files. Diesel gives only the text of an error, not its code.
const SIGNS: [&str; 11] = [
    "invalid page in block",
    "could not read block",
    "could not open file \"base/",
    "could not open file \"pg_",
    "could not access status of transaction",
    "contains unexpected zero page",
    "contains corrupted page",
    "missing chunk number",
    "unexpected chunk",
    "is not a btree",
    "failed to re-find parent key",
];

/// The first damage found, shared by all pools of an instance until it restarts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Damage(Arc<Mutex<Option<String>>>);

impl Damage {
    /// The first damage.
    pub(crate) fn found(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Records an error that reports damage, and returns whether it does.
    pub(crate) fn is_reported_by(&self, error: &Error) -> bool {
        let Some(reported) = damage_in(error) else { return false };
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if found.is_none() {
            tracing::error!(
                damage = reported,
                "the files of the database are damaged; stop Plenum, and restore the last backup on another disk"
            );
            *found = Some(reported);
        }
        true
    }
}

/// The message of an error that reports damage.
pub(crate) fn damage_in(error: &Error) -> Option<String> {
    let Error::DatabaseError(_, information) = error else { return None };
    let text = information.message();
    SIGNS.iter().any(|sign| text.contains(sign)).then(|| text.to_owned())
}
