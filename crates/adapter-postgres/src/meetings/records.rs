use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use plenum_kernel::{ClientId, MeetingId, PortFailure};
use plenum_voting::{Count, MeetingRecord, MeetingRecords, NotedAttendance, NotedRemark};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::Db;
use crate::rows::columns::count;
use crate::rows::terms::{QuorumColumn, meeting_quorum};
use crate::schema::{attendance, clients, meetings, remarks};

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
        self.db.of(owner).snapshot(move |conn| record(conn, owner.as_uuid(), meeting.as_uuid())).await
    }
}

fn record(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Option<MeetingRecord>> {
    let Some(head) = meeting_head(conn, owner, meeting)? else { return Ok(None) };
    let (attendance, remarks) = (load_attendance(conn, owner, meeting)?, load_remarks(conn, owner, meeting)?);
    Ok(Some(MeetingRecord { attendance, remarks, ..head }))
}

/// The facts about a meeting, without attendance and remarks.
pub(crate) fn meeting_head(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Option<MeetingRecord>> {
    type Columns = (String, String, String, DateTime<Utc>, DateTime<Utc>, Option<QuorumColumn>, Option<String>);
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
        remarks: Vec::new(),
    }))
}

fn load_attendance(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Vec<NotedAttendance>> {
    type Row = (DateTime<Utc>, i32, Decimal, i32, Decimal);
    let rows: Vec<Row> = attendance::table
        .filter(attendance::client_id.eq(owner).and(attendance::meeting_id.eq(meeting)))
        .order(attendance::noted_at)
        .select((
            attendance::noted_at,
            attendance::present_heads,
            attendance::present_weight,
            attendance::eligible_heads,
            attendance::eligible_weight,
        ))
        .load(conn)?;
    let people = |heads: i32, weight: Decimal| -> QueryResult<Count> {
        Ok(Count { heads: count(i64::from(heads))?, weight: weight.normalize() })
    };
    let noted = |(at, present_heads, present_weight, eligible_heads, eligible_weight): Row| {
        let (present, eligible) = (people(present_heads, present_weight)?, people(eligible_heads, eligible_weight)?);
        Ok(NotedAttendance { at, present, eligible })
    };
    rows.into_iter().map(noted).collect()
}

fn load_remarks(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Vec<NotedRemark>> {
    type Row = (Uuid, DateTime<Utc>, String, String, String);
    let rows: Vec<Row> = remarks::table
        .filter(remarks::client_id.eq(owner).and(remarks::meeting_id.eq(meeting)))
        .order((remarks::written_at, remarks::id))
        .select((remarks::id, remarks::written_at, remarks::written_by, remarks::kind, remarks::remark_text))
        .load(conn)?;
    let remark = |(id, at, by, kind, text): Row| NotedRemark { id, at, by, is_incident: kind == "INCIDENT", text };
    Ok(rows.into_iter().map(remark).collect())
}
