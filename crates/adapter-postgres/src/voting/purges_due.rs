//! The data that a purge may remove.

use chrono::{DateTime, Utc};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use plenum_kernel::{ClientId, MeetingId};
use plenum_result_format::hexadecimal;
use plenum_voting::{DueEntries, DueMeeting, PurgeScope};
use uuid::Uuid;

use crate::audit::rows::natural;
use crate::pool::failure::damaged;

/// The maximum number of entries of an audit log that one purge removes.
const MOST_ENTRIES: i64 = 50_000;

/// The logs whose entries may go.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    /// Those of all clients and of the platform.
    All,
    /// One, by the client's id or zeros.
    Chain(Uuid),
}

impl Wanted {
    /// The logs of a scope. `None` if it leaves them alone.
    pub(super) fn of(scope: PurgeScope) -> Option<Self> {
        match (scope.meeting, scope.client) {
            (Some(_), _) => None,
            (None, Some(client)) => Some(Self::Chain(client.as_uuid())),
            (None, None) => Some(Self::All),
        }
    }

    const fn chain(self) -> Option<Uuid> {
        match self {
            Self::All => None,
            Self::Chain(chain) => Some(chain),
        }
    }
}

/// A search for due meetings.
#[derive(Clone, Copy)]
pub(super) struct DueSearch<'a> {
    /// The scope of the purge.
    pub(super) scope: PurgeScope,
    /// Only those of this client.
    pub(super) client: Option<Uuid>,
    /// Not these.
    pub(super) except: &'a [Uuid],
    /// At most so many.
    pub(super) limit: i64,
}

/// The meetings that are due by their rows, of all clients or of one. Each was completed, or was deleted and has records.
pub(super) fn due_meetings(conn: &mut PgConnection, search: DueSearch<'_>) -> QueryResult<Vec<DueMeeting>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = SqlUuid)]
        client_id: Uuid,
        #[diesel(sql_type = SqlUuid)]
        meeting_id: Uuid,
        #[diesel(sql_type = Nullable<Text>)]
        title: Option<String>,
        #[diesel(sql_type = Timestamptz)]
        at: DateTime<Utc>,
        #[diesel(sql_type = BigInt)]
        records: i64,
        #[diesel(sql_type = BigInt)]
        closings: i64,
        #[diesel(sql_type = BigInt)]
        amendments: i64,
    }
    // Begins with what is old, by the indexes on the times: after a purge, little is.
    const FIND: &str = "
        WITH old AS (
            SELECT client_id, meeting_id FROM result_records WHERE recorded_at < $1
            UNION
            SELECT client_id, meeting_id FROM closing_records WHERE recorded_at < $1
            UNION
            SELECT client_id, meeting_id FROM amendments WHERE amended_at < $1
            UNION
            SELECT client_id, id FROM meetings WHERE status = 'COMPLETED' AND coalesce(ended_at, scheduled_end_time) < $1
        )
        SELECT old.client_id, old.meeting_id, kept.*, m.title FROM old
        CROSS JOIN LATERAL (
            SELECT max(at) AS at, count(*) FILTER (WHERE kind = 'r') AS records,
                   count(*) FILTER (WHERE kind = 'c') AS closings, count(*) FILTER (WHERE kind = 'a') AS amendments
            FROM (SELECT r.recorded_at AS at, 'r' AS kind FROM result_records r
                  WHERE r.meeting_id = old.meeting_id AND r.client_id = old.client_id
                  UNION ALL
                  SELECT c.recorded_at, 'c' FROM closing_records c
                  WHERE c.meeting_id = old.meeting_id AND c.client_id = old.client_id
                  UNION ALL
                  SELECT a.amended_at, 'a' FROM amendments a
                  WHERE a.meeting_id = old.meeting_id AND a.client_id = old.client_id
                  UNION ALL
                  SELECT coalesce(e.ended_at, e.scheduled_end_time), 'm' FROM meetings e
                  WHERE e.id = old.meeting_id AND e.client_id = old.client_id) AS known) AS kept
        LEFT JOIN LATERAL (SELECT * FROM meetings WHERE id = old.meeting_id LIMIT 1) AS m ON true
        WHERE ($2 IS NULL OR old.client_id = $2) AND ($3 IS NULL OR old.client_id = $3)
            AND ($4 IS NULL OR old.meeting_id = $4) AND old.meeting_id <> ALL ($6) AND kept.at < $1
            AND (m.id IS NULL OR m.status = 'COMPLETED' AND m.client_id = old.client_id)
        ORDER BY old.client_id, kept.at, old.meeting_id LIMIT $5";
    let DueSearch { scope, client, except, limit } = search;
    let rows: Vec<Row> = diesel::sql_query(FIND)
        .bind::<Timestamptz, _>(scope.before)
        .bind::<Nullable<SqlUuid>, _>(scope.client.map(ClientId::as_uuid))
        .bind::<Nullable<SqlUuid>, _>(client)
        .bind::<Nullable<SqlUuid>, _>(scope.meeting.map(MeetingId::as_uuid))
        .bind::<BigInt, _>(limit)
        .bind::<Array<SqlUuid>, _>(except)
        .load(conn)?;
    let number = |number: i64| u32::try_from(number).map_err(damaged);
    let due = |row: Row| {
        Ok(DueMeeting {
            client: ClientId::from_uuid(row.client_id),
            meeting: MeetingId::from_uuid(row.meeting_id),
            title: row.title,
            at: row.at,
            records: number(row.records)?,
            closings: number(row.closings)?,
            amendments: number(row.amendments)?,
        })
    };
    rows.into_iter().map(due).collect()
}

/// A record names the end of the log at its time. Its canonical document has the place of the head in this form, in which
/// no text of people can stand: there each quotation mark has a backslash before it. A document that cannot be read keeps
/// the whole log.
const FIND_ENTRIES: &str = r#"
    WITH RECURSIVE known AS (
        (SELECT chain FROM audit_entries WHERE $2 IS NULL OR chain = $2 ORDER BY chain LIMIT 1)
        UNION ALL
        SELECT (SELECT e.chain FROM audit_entries e WHERE e.chain > known.chain AND $2 IS NULL ORDER BY e.chain LIMIT 1)
        FROM known WHERE known.chain IS NOT NULL
    ),
    old AS (
        SELECT known.chain, beginning.number AS first FROM known
        CROSS JOIN LATERAL (SELECT e.number, e.noted_at FROM audit_entries e
                            WHERE e.chain = known.chain AND e.number IS NOT NULL ORDER BY e.number LIMIT 1) AS beginning
        WHERE known.chain IS NOT NULL AND beginning.noted_at < $1
    ),
    needed AS (
        SELECT old.chain, first.number FROM old
        CROSS JOIN LATERAL (
            SELECT min(CASE WHEN kept.document ~ '"auditHead":null' THEN NULL ELSE
                   coalesce(substring(kept.document FROM '"auditHead":\{"hash":"[0-9a-f]{64}","number":([0-9]+)\}')::bigint, 0)
                   END) AS number
            FROM (SELECT left(r.document, 200) AS document FROM result_records r
                  WHERE r.client_id = old.chain AND r.meeting_id <> ALL ($3)
                  UNION ALL
                  SELECT c.document FROM closing_records c
                  WHERE c.client_id = old.chain AND c.meeting_id <> ALL ($3)) AS kept) AS first
        UNION ALL
        SELECT old.chain, first.number FROM old
        CROSS JOIN LATERAL (
            SELECT min(e.number) AS number FROM audit_entries e
            WHERE e.chain = old.chain AND e.kind = 'client_deleted' AND e.number IS NOT NULL
                AND (EXISTS (SELECT FROM result_records r WHERE r.client_id = e.subject_id AND r.meeting_id <> ALL ($3))
                     OR EXISTS (SELECT FROM closing_records c
                                WHERE c.client_id = e.subject_id AND c.meeting_id <> ALL ($3)))) AS first
        WHERE old.chain = '00000000-0000-0000-0000-000000000000'
    ),
    cut AS (
        SELECT old.chain, old.first,
               least(old.first + $4 - 1,
                     (SELECT e.number - 1 FROM audit_entries e WHERE e.chain = old.chain AND e.number >= old.first
                      AND e.noted_at >= $1 ORDER BY e.number LIMIT 1),
                     (SELECT number FROM audit_heads h WHERE h.chain = old.chain),
                     (SELECT min(needed.number) - 1 FROM needed WHERE needed.chain = old.chain)) AS last
        FROM old
    )
    SELECT cut.chain, cut.first, cut.last, e.hash FROM cut
    CROSS JOIN LATERAL (SELECT l.hash FROM audit_entries l WHERE l.chain = cut.chain AND l.number = cut.last LIMIT 1) AS e
    WHERE cut.last >= cut.first ORDER BY cut.chain"#;

/// The linked entries of audit logs that are older than `before`, and that no record needs which is kept once `leaving` are
/// gone.
pub(super) fn due_entries(
    conn: &mut PgConnection,
    before: DateTime<Utc>,
    wanted: Wanted,
    leaving: &[Uuid],
) -> QueryResult<Vec<DueEntries>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = SqlUuid)]
        chain: Uuid,
        #[diesel(sql_type = BigInt)]
        first: i64,
        #[diesel(sql_type = BigInt)]
        last: i64,
        #[diesel(sql_type = Binary)]
        hash: Vec<u8>,
    }
    let rows: Vec<Row> = diesel::sql_query(FIND_ENTRIES)
        .bind::<Timestamptz, _>(before)
        .bind::<Nullable<SqlUuid>, _>(wanted.chain())
        .bind::<Array<SqlUuid>, _>(leaving)
        .bind::<BigInt, _>(MOST_ENTRIES)
        .load(conn)?;
    let due = |row: Row| {
        Ok(DueEntries {
            chain: row.chain,
            first: natural(row.first)?,
            last: natural(row.last)?,
            last_hash: hexadecimal(&row.hash),
        })
    };
    rows.into_iter().map(due).collect()
}
