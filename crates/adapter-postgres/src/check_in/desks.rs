use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::exists;
use diesel::pg::Pg;
use diesel::prelude::*;
use plenum_kernel::{ClientId, DeskId, MeetingId, PortFailure};
use plenum_meetings::{
    CallingDesk, Desk, DeskName, DeskPurpose, DeskStore, DeskTokenHash, MAX_DESKS, MakeDeskError, NewDesk,
};
use uuid::Uuid;

use crate::Db;
use crate::meetings::rows::{check_in, meeting_status};
use crate::pool::failure::{Abort, damaged};
use crate::rows::columns::{count, lower};
use crate::rows::meeting_owner::is_meeting_of;
use crate::rows::weight_kinds::{KindColumns, stored_kind};
use crate::schema::{clients, desks, meetings, weight_kinds};
use crate::voting::round_log::account_name;
use crate::voting::steps::LockedMeeting;

/// Desks in PostgreSQL.
#[derive(Clone)]
pub struct PostgresDesks {
    db: Db,
}

impl PostgresDesks {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl DeskStore for PostgresDesks {
    async fn add(&self, desk: NewDesk) -> Result<Desk, MakeDeskError> {
        self.db.of(desk.client).transaction(move |conn| add(conn, desk)).await
    }

    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Desk>>, PortFailure> {
        self.db
            .of(owner)
            .snapshot(move |conn| {
                if !is_meeting_of(conn, owner, meeting)? {
                    return Ok(None);
                }
                let rows: Vec<DeskRow> = desks::table
                    .filter(desks::client_id.eq(owner.as_uuid()).and(desks::meeting_id.eq(meeting.as_uuid())))
                    .order((desks::made_at, desks::id))
                    .select(DeskRow::as_select())
                    .load(conn)?;
                rows.into_iter().map(Desk::try_from).collect::<QueryResult<_>>().map(Some)
            })
            .await
    }

    async fn revoke(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        desk: DeskId,
        now: DateTime<Utc>,
    ) -> Result<bool, PortFailure> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                let known = desks::table
                    .find(desk.as_uuid())
                    .filter(desks::client_id.eq(owner.as_uuid()).and(desks::meeting_id.eq(meeting.as_uuid())));
                if !diesel::select(exists(known)).get_result(conn)? {
                    return Ok(false);
                }
                diesel::update(known.filter(desks::revoked_at.is_null()))
                    .set(desks::revoked_at.eq(now))
                    .execute(conn)
                    .map_err(Abort::<PortFailure>::from)?;
                Ok(true)
            })
            .await
    }

    async fn find(&self, token: &DeskTokenHash) -> Result<Option<CallingDesk>, PortFailure> {
        let token = token.0.clone();
        self.db
            .platform()
            .run(move |conn| {
                let is_kind = weight_kinds::id.nullable().eq(meetings::weight_kind_id);
                let found: Option<FoundDesk> = desks::table
                    .inner_join(meetings::table.on(meetings::id.eq(desks::meeting_id)))
                    .inner_join(clients::table.on(clients::id.eq(desks::client_id)))
                    .left_join(weight_kinds::table.on(is_kind))
                    .filter(desks::token_hash.eq(token))
                    .filter(clients::status.eq("ACTIVE"))
                    .select((
                        DeskRow::as_select(),
                        (clients::id, clients::name),
                        (meetings::id, meetings::title, meetings::status, meetings::check_in),
                        (weight_kinds::id, weight_kinds::name, weight_kinds::unit, weight_kinds::decimals).nullable(),
                    ))
                    .first(conn)
                    .optional()?;
                found.map(calling_desk).transpose()
            })
            .await
    }
}

/// A desk, the id and the name of its client, the id, title, status and check-in of its meeting, and the kind that it counts.
type FoundDesk = (DeskRow, (Uuid, String), (Uuid, String, String, String), Option<KindColumns>);

fn calling_desk((desk, (client, client_name), meeting, kind): FoundDesk) -> QueryResult<CallingDesk> {
    let (id, title, status, setting) = meeting;
    Ok(CallingDesk {
        id: DeskId::from_uuid(desk.id),
        name: desk.name,
        purpose: desk_purpose(&desk.purpose)?,
        made_at: desk.made_at,
        is_revoked: desk.revoked_at.is_some(),
        client: ClientId::from_uuid(client),
        client_name,
        meeting: MeetingId::from_uuid(id),
        meeting_title: title,
        status: meeting_status(&status)?,
        check_in: check_in(&setting)?,
        weight_kind: kind.map(stored_kind).transpose()?,
    })
}

fn add(conn: &mut PgConnection, desk: NewDesk) -> Result<Desk, Abort<MakeDeskError>> {
    let locked = LockedMeeting::lock(conn, desk.client.as_uuid(), desk.meeting.as_uuid())?;
    let meeting = locked.ok_or(Abort::Refused(MakeDeskError::MeetingNotFound))?.id;
    let status: String = meetings::table.find(meeting).select(meetings::status).first(conn)?;
    if !meeting_status(&status)?.link_is_good() {
        return Err(Abort::Refused(MakeDeskError::MeetingOver));
    }
    let working = desks::table
        .filter(desks::client_id.eq(desk.client.as_uuid()).and(desks::meeting_id.eq(meeting)))
        .filter(desks::revoked_at.is_null());
    if count(working.count().get_result(conn)?)? >= MAX_DESKS {
        return Err(Abort::Refused(MakeDeskError::TooMany));
    }
    let same = working.filter(lower(desks::name).eq(lower(desk.name.as_str())));
    if diesel::select(exists(same)).get_result(conn)? {
        return Err(Abort::Refused(MakeDeskError::NameTaken));
    }
    let made_by = account_name(conn, desk.by.as_uuid())?;
    let DeskTokenHash(token_hash) = desk.token_hash;
    let row: DeskRow = diesel::insert_into(desks::table)
        .values((
            desks::id.eq(desk.id.as_uuid()),
            desks::client_id.eq(desk.client.as_uuid()),
            desks::meeting_id.eq(meeting),
            desks::name.eq(desk.name.as_str()),
            desks::purpose.eq(desk_purpose_text(desk.purpose)),
            desks::token_hash.eq(token_hash),
            desks::made_at.eq(desk.now),
            desks::made_by.eq(made_by),
        ))
        .returning(DeskRow::as_returning())
        .get_result(conn)?;
    Ok(row.try_into()?)
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = desks, check_for_backend(Pg))]
struct DeskRow {
    id: Uuid,
    name: String,
    made_at: DateTime<Utc>,
    made_by: String,
    revoked_at: Option<DateTime<Utc>>,
    purpose: String,
}

fn desk_purpose_text(purpose: DeskPurpose) -> &'static str {
    match purpose {
        DeskPurpose::CheckIn => "CHECK_IN",
        DeskPurpose::VotingPlace => "VOTING_PLACE",
        DeskPurpose::Tellers => "TELLERS",
    }
}

fn desk_purpose(text: &str) -> QueryResult<DeskPurpose> {
    match text {
        "CHECK_IN" => Ok(DeskPurpose::CheckIn),
        "VOTING_PLACE" => Ok(DeskPurpose::VotingPlace),
        "TELLERS" => Ok(DeskPurpose::Tellers),
        other => Err(damaged(format!("desks.purpose is {other}"))),
    }
}

impl TryFrom<DeskRow> for Desk {
    type Error = diesel::result::Error;

    fn try_from(row: DeskRow) -> QueryResult<Self> {
        Ok(Self {
            id: DeskId::from_uuid(row.id),
            name: DeskName::from_stored(row.name),
            purpose: desk_purpose(&row.purpose)?,
            made_at: row.made_at,
            made_by: row.made_by,
            revoked_at: row.revoked_at,
        })
    }
}
