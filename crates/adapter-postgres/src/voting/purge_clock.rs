//! The times that a database knows, for the check of the clock before a purge.

use chrono::{DateTime, Utc};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Timestamptz};
use plenum_kernel::PortFailure;
use plenum_voting::KnownTimes;

use crate::Db;

/// The clock of a database, and the time of its newest entry of an audit log before `before`.
///
/// # Errors
/// Fails when the database does not respond.
pub async fn known_times(db: &Db, before: DateTime<Utc>) -> Result<KnownTimes, PortFailure> {
    db.platform().run(move |conn| find(conn, before)).await
}

fn find(conn: &mut PgConnection, before: DateTime<Utc>) -> QueryResult<KnownTimes> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Timestamptz)]
        database_time: DateTime<Utc>,
        #[diesel(sql_type = Nullable<Timestamptz>)]
        settled: Option<DateTime<Utc>>,
    }
    // Two index lookups for each chain, however many entries it has.
    const FIND: &str = "
        WITH RECURSIVE known AS (
            (SELECT chain FROM audit_entries ORDER BY chain LIMIT 1)
            UNION ALL
            SELECT (SELECT e.chain FROM audit_entries e WHERE e.chain > known.chain ORDER BY e.chain LIMIT 1)
            FROM known WHERE known.chain IS NOT NULL
        )
        SELECT clock_timestamp() AS database_time, (
            SELECT max(newest.noted_at) FROM known
            CROSS JOIN LATERAL (SELECT e.noted_at FROM audit_entries e WHERE e.chain = known.chain AND e.noted_at < $1
                                ORDER BY e.noted_at DESC, e.id DESC LIMIT 1) AS newest
            WHERE known.chain IS NOT NULL) AS settled";
    let row: Row = diesel::sql_query(FIND).bind::<Timestamptz, _>(before).get_result(conn)?;
    Ok(KnownTimes { database: row.database_time, settled: row.settled })
}
