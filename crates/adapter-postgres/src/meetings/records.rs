use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use plenum_kernel::{ClientId, MeetingId, PortFailure, QuestionId};
use plenum_voting::{
    AgendaText, Count, MeetingRecord, MeetingRecords, NotedAttendance, NotedPresence, NotedRemark, StoredClosing,
};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::Db;
use crate::meetings::closings::{load_amendments, load_closings};
use crate::rows::columns::count;
use crate::rows::terms::{NotedQuorumColumn, PlannedQuorumColumn, meeting_quorum, noted_quorum};
use crate::schema::{attendance, clients, meetings, presence_entries, questions, remarks};

/// Records of meetings from PostgreSQL.
#[derive(Clone)]
pub struct PostgresMeetingRecords {
    db: Db,
}

impl PostgresMeetingRecords {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl MeetingRecords for PostgresMeetingRecords {
    async fn record(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<MeetingRecord>, PortFailure> {
        self.db.of(owner).snapshot(move |conn| meeting_record(conn, owner.as_uuid(), meeting.as_uuid())).await
    }

    async fn closings(&self, owner: ClientId, meeting: MeetingId) -> Result<Vec<StoredClosing>, PortFailure> {
        self.db.of(owner).run(move |conn| load_closings(conn, owner.as_uuid(), meeting.as_uuid())).await
    }
}

/// The facts about a meeting, with attendance, remarks, agenda, closing records and amendments.
pub(crate) fn meeting_record(
    conn: &mut PgConnection,
    owner: Uuid,
    meeting: Uuid,
) -> QueryResult<Option<MeetingRecord>> {
    let Some(head) = meeting_head(conn, owner, meeting)? else { return Ok(None) };
    type Closed = (Option<DateTime<Utc>>, Option<DateTime<Utc>>, Option<String>);
    let (started_at, ended_at, closing_hash): Closed = meetings::table
        .find(meeting)
        .select((meetings::started_at, meetings::ended_at, meetings::closing_hash))
        .first(conn)?;
    Ok(Some(MeetingRecord {
        attendance: load_attendance(conn, owner, meeting)?,
        check_ins: load_check_ins(conn, owner, meeting)?,
        remarks: load_remarks(conn, owner, meeting)?,
        started_at,
        ended_at,
        agenda: load_agenda(conn, meeting)?,
        closings: load_closings(conn, owner, meeting)?,
        closing_hash,
        amendments: load_amendments(conn, owner, meeting)?,
        ..head
    }))
}

fn load_agenda(conn: &mut PgConnection, meeting: Uuid) -> QueryResult<Vec<AgendaText>> {
    let rows: Vec<(Uuid, String)> = questions::table
        .filter(questions::meeting_id.eq(meeting))
        .order(questions::position)
        .select((questions::id, questions::question_text))
        .load(conn)?;
    Ok(rows.into_iter().map(|(id, text)| AgendaText { id: QuestionId::from_uuid(id), text }).collect())
}

/// The facts about a meeting, without attendance and remarks.
pub(crate) fn meeting_head(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Option<MeetingRecord>> {
    type Columns = (String, String, String, DateTime<Utc>, DateTime<Utc>, Option<PlannedQuorumColumn>, Option<String>);
    let found: Option<Columns> = meetings::table
        .inner_join(clients::table)
        .filter(meetings::id.eq(meeting).and(meetings::client_id.eq(owner)))
        .select((
            meetings::title,
            clients::name,
            meetings::status,
            meetings::scheduled_start_time,
            meetings::scheduled_end_time,
            meetings::quorum,
            meetings::quorum_at_opening,
        ))
        .first(conn)
        .optional()?;
    let Some((title, organization, status, scheduled_start, scheduled_end, quorum, at_opening)) = found else {
        return Ok(None);
    };
    Ok(Some(MeetingRecord {
        id: MeetingId::from_uuid(meeting),
        title,
        organization,
        status,
        scheduled_start,
        scheduled_end,
        quorum: meeting_quorum(quorum, at_opening.as_deref())?,
        attendance: Vec::new(),
        check_ins: Vec::new(),
        remarks: Vec::new(),
        started_at: None,
        ended_at: None,
        agenda: Vec::new(),
        closings: Vec::new(),
        closing_hash: None,
        amendments: Vec::new(),
    }))
}

fn load_check_ins(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Vec<NotedPresence>> {
    type Row = (String, String, String, DateTime<Utc>, DateTime<Utc>, String);
    let rows: Vec<Row> = presence_entries::table
        .filter(presence_entries::client_id.eq(owner).and(presence_entries::meeting_id.eq(meeting)))
        .order(presence_entries::number)
        .select((
            presence_entries::name,
            presence_entries::username,
            presence_entries::kind,
            presence_entries::happened_at,
            presence_entries::noted_at,
            presence_entries::by_name,
        ))
        .load(conn)?;
    let noted = |(name, username, kind, at, noted_at, by): Row| NotedPresence {
        name,
        username,
        has_come: kind == "IN",
        at,
        noted_at,
        by,
    };
    Ok(rows.into_iter().map(noted).collect())
}

fn load_attendance(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Vec<NotedAttendance>> {
    type Row = (DateTime<Utc>, (i32, Decimal), (i32, Decimal), (i32, Decimal), bool, Option<NotedQuorumColumn>);
    let rows: Vec<Row> = attendance::table
        .filter(attendance::client_id.eq(owner).and(attendance::meeting_id.eq(meeting)))
        .order(attendance::noted_at)
        .select((
            attendance::noted_at,
            (attendance::present_heads, attendance::present_weight),
            (attendance::represented_heads, attendance::represented_weight),
            (attendance::eligible_heads, attendance::eligible_weight),
            attendance::is_second_call,
            attendance::quorum,
        ))
        .load(conn)?;
    let people = |(heads, weight): (i32, Decimal)| -> QueryResult<Count> {
        Ok(Count { heads: count(i64::from(heads))?, weight: weight.normalize() })
    };
    let noted = |(at, present, represented, eligible, is_second_call, quorum): Row| {
        let (present, represented, eligible) = (people(present)?, people(represented)?, people(eligible)?);
        let quorum = noted_quorum(quorum);
        Ok(NotedAttendance { at, present, represented, eligible, is_second_call, quorum })
    };
    rows.into_iter().map(noted).collect()
}

fn load_remarks(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Vec<NotedRemark>> {
    type Row = (Uuid, DateTime<Utc>, String, String, String, Option<DateTime<Utc>>, Option<String>);
    let rows: Vec<Row> = remarks::table
        .filter(remarks::client_id.eq(owner).and(remarks::meeting_id.eq(meeting)))
        .order((remarks::written_at, remarks::id))
        .select((
            remarks::id,
            remarks::written_at,
            remarks::written_by,
            remarks::kind,
            remarks::remark_text,
            remarks::struck_at,
            remarks::struck_by,
        ))
        .load(conn)?;
    let remark = |(id, at, by, kind, text, struck_at, struck_by): Row| {
        let struck = struck_at.zip(struck_by);
        NotedRemark { id, at, by, is_incident: kind == "INCIDENT", text, struck }
    };
    Ok(rows.into_iter().map(remark).collect())
}
