//! The times of records by their rows, and the entries of the audit log about amendments: what is compared with what is signed
//! and chained.

use chrono::{DateTime, Utc};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer, Uuid as SqlUuid};
use plenum_kernel::RoundId;
use plenum_voting::{AmendmentGap, RecordTimes};
use uuid::Uuid;

use crate::meetings::rows::natural;
use crate::schema::{closing_records, result_records};

/// The times of a meeting's records, in the order of their numbers.
pub(super) fn record_times(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<RecordTimes> {
    let results: Vec<(Uuid, DateTime<Utc>)> = result_records::table
        .filter(result_records::client_id.eq(owner).and(result_records::meeting_id.eq(meeting)))
        .order(result_records::number)
        .select((result_records::round_id, result_records::recorded_at))
        .load(conn)?;
    let closings: Vec<(i32, DateTime<Utc>)> = closing_records::table
        .filter(closing_records::client_id.eq(owner).and(closing_records::meeting_id.eq(meeting)))
        .order(closing_records::number)
        .select((closing_records::number, closing_records::recorded_at))
        .load(conn)?;
    let closings: QueryResult<Vec<_>> = closings.into_iter().map(|(number, at)| Ok((natural(number)?, at))).collect();
    Ok(RecordTimes {
        results: results.into_iter().map(|(round, at)| (RoundId::from_uuid(round), at)).collect(),
        closings: closings?,
    })
}

/// The differences between the amendments of a meeting and the audit log.
///
/// The expression is that of `audit_amendment` in migration 81, and stands here again: somebody who changes amendments could
/// change a function of the database, too. The log may begin after an amendment only if it was purged, and then it begins after
/// the closing record, too, whose time is signed.
pub(super) fn amendment_gaps(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Vec<AmendmentGap>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Integer)]
        number: i32,
        #[diesel(sql_type = Bool)]
        is_missing: bool,
    }
    const FIND: &str = r#"
        WITH told AS MATERIALIZED (
            SELECT e.changes FROM audit_entries e
            WHERE e.chain = $1 AND e.kind = 'meeting_amended' AND e.subject_id = $2
        ),
        kept AS MATERIALIZED (
            SELECT a.number, a.closing, a.amended_at, jsonb_build_array(
                jsonb_build_array('amendment', NULL, a.number::text),
                jsonb_build_array('closing', NULL, a.closing::text),
                jsonb_build_array('at', NULL, to_char(a.amended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')),
                jsonb_build_array('by', NULL, a.amended_by),
                jsonb_build_array('subject', NULL, a.subject),
                jsonb_build_array('subject_id', NULL, a.subject_id::text),
                jsonb_build_array(a.field, a.was, a.became)) AS changes
            FROM amendments a WHERE a.client_id = $1 AND a.meeting_id = $2
        ),
        beginning AS (
            SELECT e.number, e.noted_at FROM audit_entries e
            WHERE e.chain = $1 AND e.number IS NOT NULL ORDER BY e.number LIMIT 1
        )
        SELECT kept.number, false AS is_missing FROM kept
        WHERE NOT EXISTS (SELECT FROM told WHERE told.changes = kept.changes)
            AND NOT EXISTS (SELECT FROM beginning b JOIN closing_records c
                                ON c.client_id = $1 AND c.meeting_id = $2 AND c.number = kept.closing
                            WHERE b.number > 1 AND b.noted_at > kept.amended_at AND b.noted_at > c.recorded_at)
        UNION
        SELECT (told.changes #>> '{0,2}')::integer, true FROM told
        WHERE told.changes #>> '{0,2}' ~ '^[0-9]{1,9}$'
            AND NOT EXISTS (SELECT FROM kept WHERE kept.number::text = told.changes #>> '{0,2}')
        ORDER BY 1, 2"#;
    let rows: Vec<Row> = diesel::sql_query(FIND).bind::<SqlUuid, _>(owner).bind::<SqlUuid, _>(meeting).load(conn)?;
    let gap = |row: Row| {
        let number = natural(row.number)?;
        Ok(if row.is_missing { AmendmentGap::Missing(number) } else { AmendmentGap::Different(number) })
    };
    rows.into_iter().map(gap).collect()
}
