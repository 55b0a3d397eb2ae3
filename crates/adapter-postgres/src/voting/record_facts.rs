//! Facts of the database besides the records, to check whether the database was manipulated.

use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text, Uuid as SqlUuid};
use plenum_kernel::{ClientId, MeetingId, RoundId};
use plenum_voting::{Contradiction, LostRecord, RecordSubject, Standing, Standings};
use uuid::Uuid;

/// Whether the client and the meeting are there. Reads the chain of the platform, too.
pub(super) fn standings(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Standings> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Bool)]
        client_is_there: bool,
        #[diesel(sql_type = Bool)]
        client_is_deleted: bool,
        #[diesel(sql_type = Bool)]
        meeting_is_there: bool,
        #[diesel(sql_type = Bool)]
        meeting_is_deleted: bool,
    }
    // The product deletes a meeting only for a person. The end of a demonstration deletes clients by itself.
    const FIND: &str = "
        SELECT EXISTS (SELECT FROM clients WHERE id = $1) AS client_is_there,
               EXISTS (SELECT FROM audit_entries WHERE chain = '00000000-0000-0000-0000-000000000000'
                       AND kind = 'client_deleted' AND subject_id = $1) AS client_is_deleted,
               EXISTS (SELECT FROM meetings WHERE id = $2 AND client_id = $1) AS meeting_is_there,
               EXISTS (SELECT FROM audit_entries WHERE chain = $1 AND kind = 'meeting_deleted' AND subject_id = $2
                       AND by_role <> 'SYSTEM') AS meeting_is_deleted";
    let row: Row = diesel::sql_query(FIND).bind::<SqlUuid, _>(owner).bind::<SqlUuid, _>(meeting).get_result(conn)?;
    let standing = |is_there, is_deleted| match (is_there, is_deleted) {
        (true, _) => Standing::Present,
        (false, true) => Standing::Deleted,
        (false, false) => Standing::Missing,
    };
    Ok(Standings {
        client: standing(row.client_is_there, row.client_is_deleted),
        meeting: standing(row.meeting_is_there, row.meeting_is_deleted || row.client_is_deleted),
    })
}

/// Rows that contradict declared rounds, and that no count reads.
pub(super) fn contradictions(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Vec<Contradiction>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = SqlUuid)]
        id: Uuid,
        #[diesel(sql_type = Bool)]
        is_reworded: bool,
        #[diesel(sql_type = Bool)]
        has_other_hash: bool,
    }
    // A question with votes keeps its wording (decision 11).
    const FIND: &str = "
        SELECT * FROM (
            SELECT r.id, r.number,
                   EXISTS (SELECT FROM votes v WHERE v.round_id = r.id)
                   AND (q.question_text <> r.question_text OR
                        (SELECT array_agg(o.option_text ORDER BY o.position) FROM options o WHERE o.question_id = q.id)
                        IS DISTINCT FROM
                        (SELECT array_agg(o.option_text ORDER BY o.position) FROM round_options o WHERE o.round_id = r.id))
                       AS is_reworded,
                   coalesce(r.record_hash <> record.hash, false) AS has_other_hash
            FROM rounds r JOIN questions q ON q.id = r.question_id
            LEFT JOIN result_records record ON record.round_id = r.id
            WHERE r.client_id = $1 AND r.meeting_id = $2 AND r.status = 'DECLARED') AS declared
        WHERE is_reworded OR has_other_hash ORDER BY number, id";
    let rows: Vec<Row> = diesel::sql_query(FIND).bind::<SqlUuid, _>(owner).bind::<SqlUuid, _>(meeting).load(conn)?;
    let mut found = Vec::new();
    for row in rows {
        let round = RoundId::from_uuid(row.id);
        found.extend(row.is_reworded.then_some(Contradiction::Agenda(round)));
        found.extend(row.has_other_hash.then_some(Contradiction::RecordHash(round)));
    }
    Ok(found)
}

/// The deleted rounds with records.
pub(super) fn orphans(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Vec<RoundId>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = SqlUuid)]
        round_id: Uuid,
    }
    // By key for each record: a meeting has a few, and rounds may have any number.
    const FIND: &str = "
        SELECT record.round_id FROM result_records record
        LEFT JOIN LATERAL (SELECT r.id FROM rounds r WHERE r.id = record.round_id OFFSET 0) AS round ON true
        WHERE record.client_id = $1 AND record.meeting_id = $2 AND round.id IS NULL ORDER BY record.number";
    let rows: Vec<Row> = diesel::sql_query(FIND).bind::<SqlUuid, _>(owner).bind::<SqlUuid, _>(meeting).load(conn)?;
    Ok(rows.into_iter().map(|row| RoundId::from_uuid(row.round_id)).collect())
}

/// Declared results and ends of meetings in audit logs without a record.
pub(super) fn lost(conn: &mut PgConnection, owner: Option<Uuid>) -> QueryResult<Vec<LostRecord>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = SqlUuid)]
        client: Uuid,
        #[diesel(sql_type = Bool)]
        is_result: bool,
        #[diesel(sql_type = SqlUuid)]
        subject: Uuid,
        #[diesel(sql_type = Text)]
        hash: String,
    }
    const FIND: &str = "
        SELECT entry.chain AS client, entry.is_result, entry.subject_id AS subject, entry.hash FROM (
            SELECT e.id, e.chain, e.kind = 'result_declared' AS is_result, e.subject_id, change ->> 2 AS hash
            FROM audit_entries e CROSS JOIN LATERAL jsonb_array_elements(e.changes) AS change
            WHERE e.chain <> '00000000-0000-0000-0000-000000000000' AND ($1 IS NULL OR e.chain = $1)
                AND e.kind IN ('result_declared', 'meeting_closed') AND e.subject_id IS NOT NULL
                AND change ->> 0 IN ('record_hash', 'closing_hash') AND change ->> 2 IS NOT NULL
                AND coalesce(CASE e.kind WHEN 'meeting_closed' THEN e.subject_name ELSE e.meeting_title END, '')
                    NOT LIKE 'TEST\\_%'
                AND NOT EXISTS (SELECT FROM clients c WHERE c.id = e.chain AND c.is_test)
            OFFSET 0) AS entry
        WHERE NOT EXISTS (SELECT FROM result_records r WHERE r.round_id = entry.subject_id AND r.hash = entry.hash)
            AND NOT EXISTS (SELECT FROM closing_records r WHERE r.meeting_id = entry.subject_id AND r.hash = entry.hash)
        ORDER BY entry.id";
    let rows: Vec<Row> = diesel::sql_query(FIND).bind::<Nullable<SqlUuid>, _>(owner).load(conn)?;
    let lost = |Row { client, is_result, subject, hash }| {
        let subject = match is_result {
            true => RecordSubject::Result(RoundId::from_uuid(subject)),
            false => RecordSubject::End(MeetingId::from_uuid(subject)),
        };
        LostRecord { client: ClientId::from_uuid(client), subject, hash }
    };
    Ok(rows.into_iter().map(lost).collect())
}

/// The meetings with records of results or of their end, or with declared rounds, the one with the latest first.
pub(super) fn meetings(
    conn: &mut PgConnection,
    owner: Option<Uuid>,
    limit: i64,
) -> QueryResult<Vec<(ClientId, MeetingId)>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = SqlUuid)]
        client_id: Uuid,
        #[diesel(sql_type = SqlUuid)]
        meeting_id: Uuid,
    }
    const FIND: &str = "
        SELECT client_id, meeting_id FROM (
            SELECT client_id, meeting_id, recorded_at AS at FROM result_records WHERE $1 IS NULL OR client_id = $1
            UNION ALL
            SELECT client_id, meeting_id, recorded_at FROM closing_records WHERE $1 IS NULL OR client_id = $1
            UNION ALL
            SELECT client_id, meeting_id, declared_at FROM rounds
            WHERE status = 'DECLARED' AND ($1 IS NULL OR client_id = $1)) AS declared
        GROUP BY client_id, meeting_id ORDER BY max(at) DESC NULLS LAST, meeting_id LIMIT $2";
    let rows: Vec<Row> =
        diesel::sql_query(FIND).bind::<Nullable<SqlUuid>, _>(owner).bind::<BigInt, _>(limit).load(conn)?;
    let place = |row: Row| (ClientId::from_uuid(row.client_id), MeetingId::from_uuid(row.meeting_id));
    Ok(rows.into_iter().map(place).collect())
}
