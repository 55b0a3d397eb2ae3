//! Orders starts of meetings against transactions that depend on the client's running meetings.

use diesel::prelude::*;
use diesel::sql_types::Uuid as SqlUuid;
use plenum_kernel::ClientId;

/// Waits for transactions that hold back starts. Called before a meeting is locked that may become active: in the other order
/// the two could deadlock.
pub(crate) fn lock_starts(conn: &mut PgConnection, owner: ClientId) -> QueryResult<()> {
    lock(conn, "SELECT pg_advisory_xact_lock(hashtextextended('starts of ' || $1::text, 0))", owner)
}

/// Holds back starts of the client's meetings until the end of the transaction. So no further meeting becomes active, and no
/// question opens in it, while the transaction works.
pub(crate) fn lock_starts_shared(conn: &mut PgConnection, owner: ClientId) -> QueryResult<()> {
    lock(conn, "SELECT pg_advisory_xact_lock_shared(hashtextextended('starts of ' || $1::text, 0))", owner)
}

fn lock(conn: &mut PgConnection, statement: &str, owner: ClientId) -> QueryResult<()> {
    diesel::sql_query(statement).bind::<SqlUuid, _>(owner.as_uuid()).execute(conn)?;
    Ok(())
}
