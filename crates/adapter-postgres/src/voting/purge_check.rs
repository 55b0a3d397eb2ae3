//! The check of what a purge may remove. Somebody with rights on the database can age rows, and the purge would sign the removal
//! of what is kept. So it goes by the times in the signed documents, and by the chained entries of the audit log.

use chrono::{DateTime, Utc};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Uuid as SqlUuid};
use plenum_result_format::{AuditFileEntry, CHAIN_START, from_hexadecimal, hexadecimal, sha256};
use plenum_voting::{DueEntries, DueMeeting, RecordTimes, RecordWriter, RefusedMeeting, StoredRecord, is_other_time};
use uuid::Uuid;

use crate::audit::rows::{AuditRow, natural};
use crate::audit::trail::{head_of, links_after};
use crate::meetings::closings::load_closings;
use crate::schema::{audit_entries, meetings, purges, result_records};
use crate::voting::record_times::record_times;
use crate::voting::records::RecordRow;

/// The client and the id of a meeting.
type Place = (Uuid, Uuid);

/// The number of entries of an audit log that are read at once.
const PAGE: u32 = 1_000;

/// The beginning, in time and in the log of one client, of what is too young for a purge.
#[derive(Clone, Copy)]
struct Limit {
    before: DateTime<Utc>,
    /// The first entry of the log that is not older, whatever those behind it say.
    young: Option<u64>,
    /// Whether an entry of the log has a place in the chain.
    is_linked: bool,
}

impl Limit {
    fn of(conn: &mut PgConnection, chain: Uuid, before: DateTime<Utc>) -> QueryResult<Self> {
        let young: Option<i64> = audit_entries::table
            .filter(audit_entries::chain.eq(chain))
            .filter(audit_entries::noted_at.ge(before))
            .select(diesel::dsl::min(audit_entries::number))
            .get_result(conn)?;
        let is_linked = head_of(conn, chain)?.is_some();
        Ok(Self { before, young: young.map(natural).transpose()?, is_linked })
    }
}

/// Separates the meetings whose rows are proven from the others, which stay.
pub(super) fn separate(
    conn: &mut PgConnection,
    writer: &dyn RecordWriter,
    before: DateTime<Utc>,
    due: Vec<DueMeeting>,
) -> QueryResult<(Vec<DueMeeting>, Vec<RefusedMeeting>)> {
    let (mut proven, mut refused) = (Vec::new(), Vec::new());
    // The meetings of a client come one after the other.
    let mut known: Option<(Uuid, Limit)> = None;
    for meeting in due {
        let place = (meeting.client.as_uuid(), meeting.meeting.as_uuid());
        let limit = match known {
            Some((client, limit)) if client == place.0 => limit,
            _ => Limit::of(conn, place.0, before)?,
        };
        known = Some((place.0, limit));
        match contradiction(conn, writer, limit, place)? {
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
    limit: Limit,
    place: Place,
) -> QueryResult<Option<String>> {
    let times = record_times(conn, place.0, place.1)?;
    if let Some(reason) = in_results(conn, writer, &times)? {
        return Ok(Some(reason));
    }
    if let Some(reason) = in_closings(conn, writer, &times, place)? {
        return Ok(Some(reason));
    }
    if lacks_record(conn, place)? {
        return Ok(Some("the record of one of its results is missing".to_owned()));
    }
    in_log(conn, limit, place)
}

fn in_results(conn: &mut PgConnection, writer: &dyn RecordWriter, times: &RecordTimes) -> QueryResult<Option<String>> {
    for (round, at) in &times.results {
        // One at a time: a record of a large register has megabytes.
        let row: RecordRow = result_records::table.find(round.as_uuid()).select(RecordRow::as_select()).first(conn)?;
        let subject = format!("the record of round {round}");
        match writer.recorded_at(&StoredRecord::try_from(row)?) {
            Err(damage) => return Ok(Some(format!("{subject} is damaged: {damage}"))),
            Ok(signed) if is_other_time(Some(*at), Some(signed)) => {
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
        if is_other_time(times.of_closing(stored.number), Some(signed.recorded_at)) {
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
        Some(last) if is_other_time(started_at, last.started_at) || is_other_time(ended_at, last.ended_at) => {
            Some("the meeting has another start or end than its last closing record".to_owned())
        }
        None if closing_hash.is_some() => Some("its closing record is missing".to_owned()),
        _ => None,
    })
}

/// Whether a round names a record that is gone. What was never recorded has no other witness than the audit log.
fn lacks_record(conn: &mut PgConnection, (client, meeting): Place) -> QueryResult<bool> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Bool)]
        lacks_record: bool,
    }
    const FIND: &str = "
        SELECT EXISTS (SELECT FROM rounds r WHERE r.client_id = $1 AND r.meeting_id = $2 AND r.record_hash IS NOT NULL
                       AND NOT EXISTS (SELECT FROM result_records s WHERE s.round_id = r.id)) AS lacks_record";
    let row: Row = diesel::sql_query(FIND).bind::<SqlUuid, _>(client).bind::<SqlUuid, _>(meeting).get_result(conn)?;
    Ok(row.lacks_record)
}

/// What contradicts it in the audit log. Somebody who can age rows can age entries of the log, too, so they are not believed as
/// they stand.
fn in_log(conn: &mut PgConnection, limit: Limit, place: Place) -> QueryResult<Option<String>> {
    for ids in entries_about(conn, place)?.chunks(PAGE as usize) {
        let rows: Vec<AuditRow> = audit_entries::table
            .filter(audit_entries::id.eq_any(ids))
            .order(audit_entries::id)
            .select(AuditRow::as_select())
            .load(conn)?;
        for row in rows {
            if let Some(reason) = in_entry(conn, limit, row)? {
                return Ok(Some(reason.to_owned()));
            }
        }
    }
    Ok(None)
}

/// The ids of the entries about start, end, closing, amendments and declared results of a meeting.
fn entries_about(conn: &mut PgConnection, (client, meeting): Place) -> QueryResult<Vec<i64>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = BigInt)]
        id: i64,
    }
    const FIND: &str = "
        SELECT e.id FROM audit_entries e
        WHERE e.chain = $1 AND e.subject_id = $2
            AND e.kind IN ('meeting_started', 'meeting_ended', 'meeting_closed', 'meeting_amended')
        UNION
        SELECT e.id FROM audit_entries e
        WHERE e.chain = $1 AND e.kind = 'result_declared' AND e.subject_id IN (
            SELECT r.id FROM rounds r WHERE r.client_id = $1 AND r.meeting_id = $2
            UNION ALL
            SELECT s.round_id FROM result_records s WHERE s.client_id = $1 AND s.meeting_id = $2)
        ORDER BY 1";
    let rows: Vec<Row> = diesel::sql_query(FIND).bind::<SqlUuid, _>(client).bind::<SqlUuid, _>(meeting).load(conn)?;
    Ok(rows.into_iter().map(|row| row.id).collect())
}

fn in_entry(conn: &mut PgConnection, limit: Limit, row: AuditRow) -> QueryResult<Option<&'static str>> {
    const YOUNGER: &str = "the audit log has younger entries about it";
    const BEHIND: &str = "an entry of the audit log about it is behind younger ones";
    const CHANGED: &str = "an entry of the audit log about it was changed";
    const UNLINKED: &str = "an entry of the audit log about it is not in the chain";
    let (chain, number) = (row.chain, row.linked_number()?);
    let Ok(entry) = row.into_file_entry(number.unwrap_or_default()) else { return Ok(Some(CHANGED)) };
    // The upgrade to the entries about amendments wrote those of earlier amendments later: their own time counts.
    let happened_at = amended_at(&entry).unwrap_or(entry.at);
    if happened_at >= limit.before {
        return Ok(Some(YOUNGER));
    }
    let Some(number) = number else { return Ok(limit.is_linked.then_some(UNLINKED)) };
    let was_written_later = entry.at >= limit.before;
    if !was_written_later && limit.young.is_some_and(|young| number >= young) {
        return Ok(Some(BEHIND));
    }
    let is_whole = has_its_hash(&entry, chain) && is_carried_on(conn, chain, &entry)?;
    Ok((!is_whole).then_some(CHANGED))
}

/// The time of an amendment by the entry about it. `None` for other entries.
fn amended_at(entry: &AuditFileEntry) -> Option<DateTime<Utc>> {
    let at = entry.changes.get(2).filter(|_| entry.kind == "meeting_amended")?;
    at.after.as_ref()?.parse().ok()
}

/// Whether the next entry carries the hash of this one, or the head of the chain does.
fn is_carried_on(conn: &mut PgConnection, chain: Uuid, entry: &AuditFileEntry) -> QueryResult<bool> {
    // The head first: what is linked meanwhile is found as the next entry.
    let head = head_of(conn, chain)?;
    let next = links_after(conn, chain, entry.number, 1)?.pop();
    let Some(next) = next else { return Ok(is_head(head.as_ref(), entry.number, &entry.hash)) };
    let Some(number) = next.linked_number()? else { return Ok(false) };
    let next = next.into_file_entry(number).ok();
    Ok(next.is_some_and(|next| number == entry.number + 1 && next.previous_hash == entry.hash))
}

fn is_head(head: Option<&(u64, Vec<u8>)>, number: u64, hash: &str) -> bool {
    head.is_some_and(|(last, end)| *last == number && hexadecimal(end) == hash)
}

/// These entries up to the last one before the first that was changed. An entry counts as whole if it follows the one before it,
/// has its hash, and the entry after it, or the head of the chain, carries that hash. The first one follows the last purge.
/// `None` if there is no such entry.
pub(super) fn unchanged(conn: &mut PgConnection, due: &DueEntries) -> QueryResult<Option<DueEntries>> {
    let purged = last_purged(conn, due.chain)?;
    // Before the entries: what is linked meanwhile is found as a further entry.
    let head = head_of(conn, due.chain)?;
    // The last entry that follows and has its hash, and the last one of which the next one says so, too.
    let (mut own, mut proven) = (None::<(u64, String)>, None);
    'pages: loop {
        let last = own.as_ref().map_or(due.first.saturating_sub(1), |(number, _)| *number);
        let page = links_after(conn, due.chain, last, PAGE)?;
        if page.is_empty() {
            proven = own.filter(|(number, hash)| is_head(head.as_ref(), *number, hash)).or(proven);
            break;
        }
        for row in page {
            let Some(number) = row.linked_number()? else { break 'pages };
            // What cannot be read was changed, too.
            let Ok(entry) = row.into_file_entry(number) else { break 'pages };
            let follows = match &own {
                Some((last, hash)) => number == last + 1 && entry.previous_hash == *hash,
                None => is_first(purged.as_ref(), &entry),
            };
            if !follows {
                break 'pages;
            }
            proven = own.take().or(proven);
            if number > due.last || !has_its_hash(&entry, due.chain) {
                break 'pages;
            }
            own = Some((number, entry.hash));
        }
    }
    Ok(proven.map(|(last, last_hash)| DueEntries { last, last_hash, ..due.clone() }))
}

/// The number of the last entry of a chain that was purged, and the document that names it. `None` without a purge.
fn last_purged(conn: &mut PgConnection, chain: Uuid) -> QueryResult<Option<(u64, String)>> {
    let last: Option<(Option<i64>, String)> = purges::table
        .filter(purges::client_id.eq(chain).and(purges::audit_until.is_not_null()))
        .order(purges::audit_until.desc())
        .select((purges::audit_until, purges::document))
        .first(conn)
        .optional()?;
    let Some((Some(until), document)) = last else { return Ok(None) };
    Ok(Some((natural(until)?, document)))
}

/// Whether a chain begins with this entry.
fn is_first(purged: Option<&(u64, String)>, entry: &AuditFileEntry) -> bool {
    let AuditFileEntry { number, previous_hash, .. } = entry;
    match purged {
        None => *number == 1 && *previous_hash == hexadecimal(&CHAIN_START),
        // The name of the operator cannot look like it: there each quotation mark has a backslash before it.
        Some((until, document)) => {
            let is_named = previous_hash.len() == 64 && document.contains(&format!("\"{previous_hash}\""));
            *number == until + 1 && is_named
        }
    }
}

fn has_its_hash(entry: &AuditFileEntry, chain: Uuid) -> bool {
    let mut hashed = from_hexadecimal(&entry.previous_hash).unwrap_or_default();
    hashed.extend(entry.canonical(chain));
    sha256(&hashed) == entry.hash
}
