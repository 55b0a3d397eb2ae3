//! The check of what a purge may remove. Somebody with rights on the database can age rows, and the purge would sign the removal
//! of what is kept. So it goes by the times in the signed documents, and by the chained entries of the audit log.

use chrono::{DateTime, Utc};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Timestamptz, Uuid as SqlUuid};
use plenum_result_format::{AuditFileEntry, from_hexadecimal, sha256};
use plenum_voting::{DueEntries, DueMeeting, RecordTimes, RecordWriter, RefusedMeeting, StoredRecord};
use uuid::Uuid;

use crate::audit::trail::links_after;
use crate::meetings::closings::load_closings;
use crate::schema::{meetings, result_records};
use crate::voting::record_times::record_times;
use crate::voting::records::RecordRow;

/// The client and the id of a meeting.
type Place = (Uuid, Uuid);

/// Separates the meetings whose rows are proven from the others, which stay.
pub(super) fn separate(
    conn: &mut PgConnection,
    writer: &dyn RecordWriter,
    before: DateTime<Utc>,
    due: Vec<DueMeeting>,
) -> QueryResult<(Vec<DueMeeting>, Vec<RefusedMeeting>)> {
    let (mut proven, mut refused) = (Vec::new(), Vec::new());
    for meeting in due {
        let place = (meeting.client.as_uuid(), meeting.meeting.as_uuid());
        match contradiction(conn, writer, before, place)? {
            None => proven.push(meeting),
            Some(reason) => {
                let DueMeeting { client, meeting, title, .. } = meeting;
                refused.push(RefusedMeeting { client, meeting, title, reason });
            }
        }
    }
    Ok((proven, refused))
}

/// What contradicts that this meeting is due, as a sentence without a full stop.
fn contradiction(
    conn: &mut PgConnection,
    writer: &dyn RecordWriter,
    before: DateTime<Utc>,
    place: Place,
) -> QueryResult<Option<String>> {
    let times = record_times(conn, place.0, place.1)?;
    if let Some(reason) = in_results(conn, writer, &times)? {
        return Ok(Some(reason));
    }
    if let Some(reason) = in_closings(conn, writer, &times, place)? {
        return Ok(Some(reason));
    }
    in_log(conn, before, place)
}

fn in_results(conn: &mut PgConnection, writer: &dyn RecordWriter, times: &RecordTimes) -> QueryResult<Option<String>> {
    for (round, at) in &times.results {
        // One at a time: a record of a large register has megabytes.
        let row: RecordRow = result_records::table.find(round.as_uuid()).select(RecordRow::as_select()).first(conn)?;
        let subject = format!("the record of round {round}");
        match writer.recorded_at(&StoredRecord::try_from(row)?) {
            Err(damage) => return Ok(Some(format!("{subject} is damaged: {damage}"))),
            Ok(signed) if micros(Some(signed)) != micros(Some(*at)) => {
                return Ok(Some(format!("the row of {subject} has another time than its document")));
            }
            Ok(_) => {}
        }
    }
    Ok(None)
}

fn in_closings(
    conn: &mut PgConnection,
    writer: &dyn RecordWriter,
    times: &RecordTimes,
    (client, meeting): Place,
) -> QueryResult<Option<String>> {
    let mut last = None;
    for stored in load_closings(conn, client, meeting)? {
        let subject = format!("closing record {}", stored.number);
        let signed = match writer.closed_at(&stored) {
            Err(damage) => return Ok(Some(format!("{subject} is damaged: {damage}"))),
            Ok(signed) => signed,
        };
        if micros(Some(signed.recorded_at)) != micros(times.of_closing(stored.number)) {
            return Ok(Some(format!("the row of {subject} has another time than its document")));
        }
        last = Some(signed);
    }
    type Row = (Option<DateTime<Utc>>, Option<DateTime<Utc>>, Option<String>);
    let row: Option<Row> = meetings::table
        .filter(meetings::id.eq(meeting).and(meetings::client_id.eq(client)))
        .select((meetings::started_at, meetings::ended_at, meetings::closing_hash))
        .first(conn)
        .optional()?;
    // The records of a deleted meeting have no row to compare with.
    let Some((started_at, ended_at, closing_hash)) = row else { return Ok(None) };
    Ok(match last {
        Some(last) if (micros(started_at), micros(ended_at)) != (micros(last.started_at), micros(last.ended_at)) => {
            Some("the meeting has another start or end than its last closing record".to_owned())
        }
        None if closing_hash.is_some() => Some("its closing record is missing".to_owned()),
        _ => None,
    })
}

/// The database keeps microseconds.
fn micros(time: Option<DateTime<Utc>>) -> Option<i64> {
    time.map(|time| time.timestamp_micros())
}

/// Entries of the audit log that are younger than the rows say, and results whose record is missing. What was never recorded has
/// no other witness.
fn in_log(conn: &mut PgConnection, before: DateTime<Utc>, (client, meeting): Place) -> QueryResult<Option<String>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Bool)]
        lacks_record: bool,
        #[diesel(sql_type = Bool)]
        is_younger: bool,
    }
    // The upgrade to the entries about amendments wrote those of earlier amendments later: their own time counts.
    const FIND: &str = r#"
        SELECT EXISTS (SELECT FROM rounds r WHERE r.client_id = $1 AND r.meeting_id = $2 AND r.record_hash IS NOT NULL
                       AND NOT EXISTS (SELECT FROM result_records s WHERE s.round_id = r.id)) AS lacks_record,
               EXISTS (SELECT FROM audit_entries e
                       WHERE e.chain = $1 AND e.noted_at >= $3 AND e.subject_id = $2
                           AND e.kind IN ('meeting_started', 'meeting_ended', 'meeting_closed', 'meeting_amended')
                           AND (e.kind <> 'meeting_amended' OR (e.changes #>> '{2,2}') COLLATE "C"
                                >= to_char($3 AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')))
               OR EXISTS (SELECT FROM audit_entries e
                          WHERE e.chain = $1 AND e.noted_at >= $3 AND e.kind = 'result_declared' AND e.subject_id IN (
                              SELECT r.id FROM rounds r WHERE r.client_id = $1 AND r.meeting_id = $2
                              UNION ALL
                              SELECT s.round_id FROM result_records s WHERE s.client_id = $1 AND s.meeting_id = $2))
                   AS is_younger"#;
    let row: Row = diesel::sql_query(FIND)
        .bind::<SqlUuid, _>(client)
        .bind::<SqlUuid, _>(meeting)
        .bind::<Timestamptz, _>(before)
        .get_result(conn)?;
    Ok(match row {
        Row { lacks_record: true, .. } => Some("the record of one of its results is missing".to_owned()),
        Row { is_younger: true, .. } => Some("the audit log has younger entries about it".to_owned()),
        Row { .. } => None,
    })
}

/// These entries up to the first one that was changed. `None` if that is the first of all.
pub(super) fn unchanged(conn: &mut PgConnection, due: &DueEntries) -> QueryResult<Option<DueEntries>> {
    const PAGE: u32 = 1_000;
    let (mut last, mut hash) = (due.first.saturating_sub(1), None::<String>);
    'pages: while last < due.last {
        let page = links_after(conn, due.chain, last, PAGE)?;
        if page.is_empty() {
            break;
        }
        for row in page {
            let Some(number) = row.linked_number()?.filter(|number| *number <= due.last) else { break 'pages };
            // What cannot be read was changed, too.
            let Ok(entry) = row.into_file_entry(number) else { break 'pages };
            let follows = number == last + 1 && hash.as_ref().is_none_or(|hash| *hash == entry.previous_hash);
            if !follows || !has_its_hash(&entry, due.chain) {
                break 'pages;
            }
            (last, hash) = (number, Some(entry.hash));
        }
    }
    Ok(hash.map(|last_hash| DueEntries { last, last_hash, ..due.clone() }))
}

fn has_its_hash(entry: &AuditFileEntry, chain: Uuid) -> bool {
    let mut hashed = from_hexadecimal(&entry.previous_hash).unwrap_or_default();
    hashed.extend(entry.canonical(chain));
    sha256(&hashed) == entry.hash
}
