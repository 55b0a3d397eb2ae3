//! The times that a database knows, for the check of the clock before a purge.

use chrono::{DateTime, Utc};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Timestamptz};
use plenum_kernel::PortFailure;
use plenum_voting::KnownTimes;

use crate::Db;

/// The clock of a database, and the time of its newest entry of an audit log before `before`. An entry that later ones set back
/// was written by a wrong clock, and does not count.
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
    // For each chain, however many entries it has, a few index lookups and a look at the next 1,000 entries. If one of them is
    // more than ten minutes earlier, the search goes on with the entries that follow.
    const FIND: &str = "
        WITH RECURSIVE known AS (
            (SELECT chain FROM audit_entries ORDER BY chain LIMIT 1)
            UNION ALL
            SELECT (SELECT e.chain FROM audit_entries e WHERE e.chain > known.chain ORDER BY e.chain LIMIT 1)
            FROM known WHERE known.chain IS NOT NULL
        ),
        newest AS (
            SELECT found.chain, found.number, found.noted_at FROM known
            CROSS JOIN LATERAL (SELECT e.chain, e.number, e.noted_at FROM audit_entries e
                                WHERE e.chain = known.chain AND e.noted_at < $1
                                ORDER BY e.noted_at DESC, e.id DESC LIMIT 1) AS found
            WHERE known.chain IS NOT NULL
            UNION ALL
            SELECT found.chain, found.number, found.noted_at FROM newest
            CROSS JOIN LATERAL (SELECT min(n.noted_at) AS noted_at FROM (
                                    SELECT e.noted_at FROM audit_entries e
                                    WHERE e.chain = newest.chain AND e.number > newest.number
                                    ORDER BY e.number LIMIT 1000) AS n) AS later
            CROSS JOIN LATERAL (SELECT e.chain, e.number, e.noted_at FROM audit_entries e
                                WHERE e.chain = newest.chain AND e.number > newest.number
                                    AND e.noted_at < newest.noted_at - interval '10 minutes'
                                ORDER BY e.noted_at DESC, e.id DESC LIMIT 1) AS found
            WHERE later.noted_at < newest.noted_at - interval '10 minutes'
        ),
        ends AS (SELECT DISTINCT ON (chain) noted_at FROM newest ORDER BY chain, noted_at)
        SELECT clock_timestamp() AS database_time, (SELECT max(noted_at) FROM ends) AS settled";
    let row: Row = diesel::sql_query(FIND).bind::<Timestamptz, _>(before).get_result(conn)?;
    Ok(KnownTimes { database: row.database_time, settled: row.settled })
}
