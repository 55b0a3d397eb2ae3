//! Whether the database has ended a session while nothing was asked on it.

use diesel::pg::PgConnection;

/// Whether the end of this session has arrived. Reads what has come in and waits for nothing, so it may be asked before each
/// call; a session whose other end fell silent without a word is not noticed.
pub(crate) fn has_ended(conn: &mut PgConnection) -> bool {
    // The database says why it ends a session, and closes it then: the first look reads the words, the second the end.
    (0..2).any(|_| conn.notifications_iter().any(|notification| notification.is_err()))
}
