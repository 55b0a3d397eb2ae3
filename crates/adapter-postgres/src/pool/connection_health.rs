//! Detects that the database ended an idle session.

use diesel::pg::PgConnection;

/// Whether the end of this session has arrived. Reads what was received and never waits, so that each call can ask first. A
/// peer that fell silent is not detected.
pub(crate) fn has_ended(conn: &mut PgConnection) -> bool {
    // The server sends the reason and then closes: the first read gets the reason, the second one the end.
    (0..2).any(|_| conn.notifications_iter().any(|notification| notification.is_err()))
}
