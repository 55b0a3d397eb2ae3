//! Closing records of meetings, and their amendments.

use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use plenum_kernel::{ClientId, MeetingId, RoundId};
use plenum_result_format::hexadecimal;
use plenum_voting::{
    AmendedSubject, Closable, NotedAmendment, RecordHead, RecordLink, RecordWriter, SealedRecord, StoredClosing,
};
use uuid::Uuid;

use crate::audit::trail::head_of;
use crate::meetings::records::meeting_record;
use crate::meetings::rows::natural;
use crate::pool::failure::damaged;
use crate::schema::{amendments, closing_records, meetings, result_records};

/// The end of a meeting that gets its closing record.
#[derive(Clone, Copy)]
pub(crate) struct NewClosing {
    /// The client.
    pub(crate) client: ClientId,
    /// The locked meeting in its state after the end.
    pub(crate) meeting: MeetingId,
    /// The time of the record.
    pub(crate) at: DateTime<Utc>,
    /// Whether it ended before there were closing records.
    pub(crate) is_later: bool,
}

/// Writes the closing record of a locked meeting, and returns its hash, which the meeting has from now on.
pub(crate) fn write_closing(
    conn: &mut PgConnection,
    writer: &dyn RecordWriter,
    new: NewClosing,
) -> QueryResult<String> {
    let NewClosing { client, meeting, at, is_later } = new;
    let (owner, id) = (client.as_uuid(), meeting.as_uuid());
    let record = meeting_record(conn, owner, id)?.ok_or_else(|| damaged("a locked meeting is gone"))?;
    let before = record.closings.last();
    let link = RecordLink {
        number: before.map_or(0, |last| last.number) + 1,
        previous_hash: before.map(|last| last.sealed.hash.clone()),
        audit_head: head_of(conn, owner)?.map(|(number, hash)| (number, hexadecimal(&hash))),
    };
    let number = i32::try_from(link.number).map_err(|_| damaged("a meeting has too many closing records"))?;
    let records = record_heads(conn, owner, id)?;
    let sealed = writer.close(Closable { client, meeting: record, records, link, at, is_later });
    let is_test: bool = meetings::table.find(id).select(meetings::is_test).first(conn)?;
    diesel::insert_into(closing_records::table)
        .values((
            closing_records::meeting_id.eq(id),
            closing_records::number.eq(number),
            closing_records::client_id.eq(owner),
            closing_records::hash.eq(&sealed.hash),
            closing_records::signing_key.eq(&sealed.key),
            closing_records::signature.eq(&sealed.signature),
            closing_records::recorded_at.eq(at),
            closing_records::document.eq(&sealed.document),
            closing_records::is_test.eq(is_test),
        ))
        .execute(conn)?;
    diesel::update(meetings::table.find(id)).set(meetings::closing_hash.eq(&sealed.hash)).execute(conn)?;
    Ok(sealed.hash)
}

/// The records of a meeting's results without their documents, in the order of their numbers.
pub(crate) fn record_heads(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Vec<RecordHead>> {
    let rows: Vec<(Uuid, i32, String)> = result_records::table
        .filter(result_records::client_id.eq(owner).and(result_records::meeting_id.eq(meeting)))
        .order(result_records::number)
        .select((result_records::round_id, result_records::number, result_records::hash))
        .load(conn)?;
    let head =
        |(round, number, hash)| Ok(RecordHead { round: RoundId::from_uuid(round), number: natural(number)?, hash });
    rows.into_iter().map(head).collect()
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = closing_records, check_for_backend(Pg))]
struct ClosingRow {
    meeting_id: Uuid,
    number: i32,
    client_id: Uuid,
    hash: String,
    signing_key: String,
    signature: Vec<u8>,
    document: String,
}

impl TryFrom<ClosingRow> for StoredClosing {
    type Error = diesel::result::Error;

    fn try_from(row: ClosingRow) -> QueryResult<Self> {
        let ClosingRow { document, hash, signing_key: key, signature, .. } = row;
        Ok(Self {
            client: ClientId::from_uuid(row.client_id),
            meeting: MeetingId::from_uuid(row.meeting_id),
            number: natural(row.number)?,
            sealed: SealedRecord { document, hash, key, signature },
        })
    }
}

/// The closing records of a meeting, the first one first.
pub(crate) fn load_closings(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Vec<StoredClosing>> {
    let rows: Vec<ClosingRow> = closing_records::table
        .filter(closing_records::client_id.eq(owner).and(closing_records::meeting_id.eq(meeting)))
        .order(closing_records::number)
        .select(ClosingRow::as_select())
        .load(conn)?;
    rows.into_iter().map(StoredClosing::try_from).collect()
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = amendments, check_for_backend(Pg))]
struct AmendmentRow {
    number: i32,
    closing: i32,
    amended_at: DateTime<Utc>,
    amended_by: Option<String>,
    subject: String,
    subject_id: Uuid,
    field: String,
    was: Option<String>,
    became: Option<String>,
}

impl TryFrom<AmendmentRow> for NotedAmendment {
    type Error = diesel::result::Error;

    fn try_from(row: AmendmentRow) -> QueryResult<Self> {
        let AmendmentRow { amended_at: at, amended_by: by, subject_id, field, was, became, .. } = row;
        let subject = match row.subject.as_str() {
            "MEETING" => AmendedSubject::Meeting,
            "QUESTION" => AmendedSubject::Question,
            "REMARK" => AmendedSubject::Remark,
            "RESULT" => AmendedSubject::Result,
            other => return Err(damaged(format!("amendments.subject is {other}"))),
        };
        let (number, closing) = (natural(row.number)?, natural(row.closing)?);
        Ok(Self { number, closing, at, by, subject, subject_id, field, was, became })
    }
}

/// The amendments of a meeting, the first one first.
pub(crate) fn load_amendments(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Vec<NotedAmendment>> {
    let rows: Vec<AmendmentRow> = amendments::table
        .filter(amendments::client_id.eq(owner).and(amendments::meeting_id.eq(meeting)))
        .order(amendments::number)
        .select(AmendmentRow::as_select())
        .load(conn)?;
    rows.into_iter().map(NotedAmendment::try_from).collect()
}
