use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::exists;
use diesel::pg::Pg;
use diesel::prelude::*;
use plenum_kernel::{ClientId, MeetingId, PortFailure, RemarkId};
use plenum_meetings::{
    MAX_REMARKS, NewRemark, Remark, RemarkKind, RemarkStore, RemarkText, RemarkToStrike, Striking, Struck,
    WriteRemarkError, decide_striking,
};
use uuid::Uuid;

use crate::Db;
use crate::pool::failure::{Abort, damaged};
use crate::rows::columns::count;
use crate::rows::meeting_owner::is_meeting_of;
use crate::schema::{meetings, remarks, rounds};
use crate::voting::round_log::account_name;

/// Remarks in PostgreSQL.
#[derive(Clone)]
pub struct PostgresRemarks {
    db: Db,
}

impl PostgresRemarks {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl RemarkStore for PostgresRemarks {
    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Remark>>, PortFailure> {
        self.db
            .of(owner)
            .snapshot(move |conn| {
                if !is_meeting_of(conn, owner, meeting)? {
                    return Ok(None);
                }
                let rows: Vec<RemarkRow> = remarks::table
                    .filter(remarks::client_id.eq(owner.as_uuid()).and(remarks::meeting_id.eq(meeting.as_uuid())))
                    .order((remarks::written_at, remarks::id))
                    .select(RemarkRow::as_select())
                    .load(conn)?;
                rows.into_iter().map(Remark::try_from).collect::<QueryResult<_>>().map(Some)
            })
            .await
    }

    async fn add(&self, new: NewRemark) -> Result<Remark, WriteRemarkError> {
        self.db
            .of(new.client_id)
            .transaction(move |conn| {
                let locked = lock_meeting(conn, new.client_id, new.meeting_id)?;
                locked.ok_or(Abort::Refused(WriteRemarkError::MeetingNotFound))?;
                let known = remarks::table.filter(remarks::meeting_id.eq(new.meeting_id.as_uuid()));
                if count(known.count().get_result(conn)?)? >= MAX_REMARKS as u64 {
                    return Err(Abort::Refused(WriteRemarkError::TooMany));
                }
                let row = RemarkRow {
                    id: new.id.as_uuid(),
                    client_id: new.client_id.as_uuid(),
                    meeting_id: new.meeting_id.as_uuid(),
                    kind: kind_text(new.kind).to_owned(),
                    remark_text: new.text.as_str().to_owned(),
                    written_at: new.at,
                    written_by: account_name(conn, new.by.as_uuid())?,
                    struck_at: None,
                    struck_by: None,
                };
                let stored: RemarkRow = diesel::insert_into(remarks::table)
                    .values(row)
                    .returning(RemarkRow::as_returning())
                    .get_result(conn)?;
                Ok(stored.try_into()?)
            })
            .await
    }

    async fn strike(&self, remark: RemarkToStrike) -> Result<bool, PortFailure> {
        self.db.of(remark.client_id).transaction(move |conn| Ok(strike(conn, remark)?)).await
    }
}

fn strike(conn: &mut PgConnection, remark: RemarkToStrike) -> QueryResult<bool> {
    let RemarkToStrike { client_id, meeting_id, id, at, by } = remark;
    let Some(closing) = lock_meeting(conn, client_id, meeting_id)? else { return Ok(false) };
    let known = remarks::table
        .find(id.as_uuid())
        .filter(remarks::client_id.eq(client_id.as_uuid()).and(remarks::meeting_id.eq(meeting_id.as_uuid())));
    let struck_at: Option<Option<DateTime<Utc>>> = known.select(remarks::struck_at).first(conn).optional()?;
    let Some(struck_at) = struck_at else { return Ok(false) };
    let was_opened = exists(rounds::table.filter(rounds::meeting_id.eq(meeting_id.as_uuid())));
    match decide_striking(diesel::select(was_opened).get_result(conn)?, closing.is_some()) {
        Striking::Remove => {
            diesel::delete(known).execute(conn)?;
        }
        Striking::StrikeThrough if struck_at.is_none() => {
            let by = account_name(conn, by.as_uuid())?;
            diesel::update(known).set((remarks::struck_at.eq(at), remarks::struck_by.eq(by))).execute(conn)?;
        }
        Striking::StrikeThrough => {}
    }
    Ok(true)
}

/// Locks the meeting, so that of two concurrent calls only one can take the last place, and that no end comes between. Returns
/// the hash of its closing record, if it has one. `None` without such a meeting.
fn lock_meeting(conn: &mut PgConnection, owner: ClientId, meeting: MeetingId) -> QueryResult<Option<Option<String>>> {
    meetings::table
        .find(meeting.as_uuid())
        .filter(meetings::client_id.eq(owner.as_uuid()))
        .select(meetings::closing_hash)
        .for_update()
        .first(conn)
        .optional()
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = remarks, check_for_backend(Pg))]
struct RemarkRow {
    id: Uuid,
    client_id: Uuid,
    meeting_id: Uuid,
    kind: String,
    remark_text: String,
    written_at: DateTime<Utc>,
    written_by: String,
    struck_at: Option<DateTime<Utc>>,
    struck_by: Option<String>,
}

impl TryFrom<RemarkRow> for Remark {
    type Error = diesel::result::Error;

    fn try_from(row: RemarkRow) -> QueryResult<Self> {
        Ok(Self {
            id: RemarkId::from_uuid(row.id),
            at: row.written_at,
            by: row.written_by,
            kind: kind(&row.kind)?,
            text: RemarkText::from_stored(row.remark_text),
            struck: row.struck_at.zip(row.struck_by).map(|(at, by)| Struck { at, by }),
        })
    }
}

fn kind_text(kind: RemarkKind) -> &'static str {
    match kind {
        RemarkKind::Remark => "REMARK",
        RemarkKind::Incident => "INCIDENT",
    }
}

fn kind(text: &str) -> QueryResult<RemarkKind> {
    match text {
        "REMARK" => Ok(RemarkKind::Remark),
        "INCIDENT" => Ok(RemarkKind::Incident),
        other => Err(damaged(format!("remarks.kind is {other}"))),
    }
}
