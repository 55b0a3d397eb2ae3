//! Limits on what a client has, held also when several calls add at once.

use diesel::prelude::*;
use diesel::sql_types::{Text, Uuid as SqlUuid};
use plenum_kernel::ClientId;

/// Holds back further additions of this kind to the client until the end of the transaction, so that concurrent calls do not
/// exceed the limit. What the client has MUST be counted afterwards.
pub(super) fn lock_additions(conn: &mut PgConnection, owner: ClientId, of: &str) -> QueryResult<()> {
    diesel::sql_query("SELECT pg_advisory_xact_lock(hashtextextended($2 || ' of ' || $1::text, 0))")
        .bind::<SqlUuid, _>(owner.as_uuid())
        .bind::<Text, _>(of)
        .execute(conn)?;
    Ok(())
}
