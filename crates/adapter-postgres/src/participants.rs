use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::{exists, not};
use diesel::pg::Pg;
use diesel::prelude::*;
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure, VotingWeight};
use plenum_meetings::{InviteError, Invitees, Participant, ParticipantCount, ParticipantLimit, ParticipantStore};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::Db;
use crate::db::Abort;
use crate::meeting_rows::participant_limit;
use crate::meetings::people_of;
use crate::rows::{count, lower};
use crate::schema::{end_users, meetings, participants};
use crate::test_data::{is_among_active, is_for_tests};

/// Participant lists in PostgreSQL.
#[derive(Clone)]
pub struct PostgresParticipants {
    db: Db,
}

impl PostgresParticipants {
    /// Participant lists in this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl ParticipantStore for PostgresParticipants {
    async fn invite(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        invitees: Invitees,
    ) -> Result<ParticipantCount, InviteError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                let limit = lock_meeting(conn, owner, meeting)?;
                if limit.is_none() && invitees == Invitees::AllActive {
                    return Ok(open_to_everybody(conn, owner, meeting)?);
                }
                let chosen = end_users_of(conn, owner, meeting, invitees)?;
                let changed = put_on_list(conn, owner, meeting, chosen)?;
                let total = count_listed(conn, meeting)?;
                if let Some(limit) = limit.filter(|limit| changed > 0 && total > u64::from(limit.get())) {
                    return Err(Abort::Refused(InviteError::TooMany { people: total, limit: limit.get() }));
                }
                // Inviting nobody does not shut everybody out.
                if total > 0 {
                    diesel::update(meetings::table.find(meeting.as_uuid()))
                        .set(meetings::has_participant_list.eq(true))
                        .execute(conn)?;
                    return Ok(ParticipantCount { changed: changed as u64, total });
                }
                Ok(ParticipantCount { changed: 0, total: people_now(conn, owner, meeting)? })
            })
            .await
    }

    async fn uninvite(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        end_users: Vec<EndUserId>,
    ) -> Result<ParticipantCount, InviteError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                lock_meeting(conn, owner, meeting)?;
                let ids: Vec<Uuid> = end_users.into_iter().map(EndUserId::as_uuid).collect();
                if !has_list(conn, meeting)? {
                    return list_all_but(conn, owner, meeting, &ids);
                }
                let listed = participants::table
                    .filter(participants::meeting_id.eq(meeting.as_uuid()))
                    .filter(participants::end_user_id.eq_any(ids));
                let changed = diesel::delete(listed).execute(conn)?;
                Ok(ParticipantCount { changed: changed as u64, total: count_listed(conn, meeting)? })
            })
            .await
    }

    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Participant>>, PortFailure> {
        self.db
            .of(owner)
            .snapshot(move |conn| {
                let has_list: Option<bool> = meetings::table
                    .find(meeting.as_uuid())
                    .filter(meetings::client_id.eq(owner.as_uuid()))
                    .select(meetings::has_participant_list)
                    .first(conn)
                    .optional()?;
                let Some(has_list) = has_list else { return Ok(None) };
                let mut query = end_users::table
                    .filter(end_users::client_id.eq(owner.as_uuid()))
                    .select(ParticipantRow::as_select())
                    .order((lower(end_users::name), end_users::id))
                    .into_boxed();
                query = if has_list {
                    let listed = participants::table
                        .filter(participants::meeting_id.eq(meeting.as_uuid()))
                        .filter(participants::end_user_id.eq(end_users::id));
                    query.filter(exists(listed))
                } else {
                    query.filter(is_among_active(is_for_tests(conn, meeting.as_uuid())?))
                };
                let rows: Vec<ParticipantRow> = query.load(conn)?;
                Ok(Some(rows.into_iter().map(Participant::from).collect()))
            })
            .await
    }
}

/// Locks the client's meeting and returns its limit.
fn lock_meeting(
    conn: &mut PgConnection,
    owner: ClientId,
    meeting: MeetingId,
) -> Result<Option<ParticipantLimit>, Abort<InviteError>> {
    let limit: Option<i32> = meetings::table
        .find(meeting.as_uuid())
        .filter(meetings::client_id.eq(owner.as_uuid()))
        .select(meetings::max_participants)
        .for_update()
        .first(conn)
        .optional()?
        .ok_or(Abort::Refused(InviteError::MeetingNotFound))?;
    Ok(participant_limit(limit)?)
}

/// The end users that are meant. They are locked against deletion, so that all of them can be put on the list.
fn end_users_of(
    conn: &mut PgConnection,
    owner: ClientId,
    meeting: MeetingId,
    invitees: Invitees,
) -> Result<Vec<Uuid>, Abort<InviteError>> {
    let of_client = end_users::table
        .filter(end_users::client_id.eq(owner.as_uuid()))
        .select(end_users::id)
        .order(end_users::id)
        .for_key_share();
    match invitees {
        Invitees::AllActive => {
            let tests_too = is_for_tests(conn, meeting.as_uuid())?;
            Ok(of_client.filter(is_among_active(tests_too)).load(conn)?)
        }
        Invitees::These(ids) => {
            let ids: BTreeSet<Uuid> = ids.into_iter().map(EndUserId::as_uuid).collect();
            let found: Vec<Uuid> = of_client.filter(end_users::id.eq_any(&ids)).load(conn)?;
            if found.len() < ids.len() {
                return Err(Abort::Refused(InviteError::UnknownEndUsers));
            }
            Ok(found)
        }
    }
}

fn has_list(conn: &mut PgConnection, meeting: MeetingId) -> QueryResult<bool> {
    meetings::table.find(meeting.as_uuid()).select(meetings::has_participant_list).first(conn)
}

/// For how many people the meeting is, with or without a list.
fn people_now(conn: &mut PgConnection, owner: ClientId, meeting: MeetingId) -> QueryResult<u64> {
    let has_list = has_list(conn, meeting)?;
    people_of(conn, owner.as_uuid(), meeting.as_uuid(), has_list)
}

/// Gives a meeting that is for everybody a list of all but these; none if it is not for any of these.
fn list_all_but(
    conn: &mut PgConnection,
    owner: ClientId,
    meeting: MeetingId,
    left_out: &[Uuid],
) -> Result<ParticipantCount, Abort<InviteError>> {
    let everybody = end_users_of(conn, owner, meeting, Invitees::AllActive)?;
    let left_out: BTreeSet<Uuid> = left_out.iter().copied().collect();
    let others: Vec<Uuid> = everybody.iter().copied().filter(|id| !left_out.contains(id)).collect();
    let count = ParticipantCount { changed: (everybody.len() - others.len()) as u64, total: others.len() as u64 };
    if count.changed > 0 {
        put_on_list(conn, owner, meeting, others)?;
        diesel::update(meetings::table.find(meeting.as_uuid()))
            .set(meetings::has_participant_list.eq(true))
            .execute(conn)?;
    }
    Ok(count)
}

/// Puts these people on the list, and says how many came on it.
fn put_on_list(conn: &mut PgConnection, owner: ClientId, meeting: MeetingId, people: Vec<Uuid>) -> QueryResult<usize> {
    let rows: Vec<_> = people
        .into_iter()
        .map(|end_user| {
            (
                participants::client_id.eq(owner.as_uuid()),
                participants::meeting_id.eq(meeting.as_uuid()),
                participants::end_user_id.eq(end_user),
            )
        })
        .collect();
    // An insert takes at most 65,535 values, three for each row.
    let mut added = 0;
    for some in rows.chunks(20_000) {
        added += diesel::insert_into(participants::table).values(some).on_conflict_do_nothing().execute(conn)?;
    }
    Ok(added)
}

/// Takes the list away, so that the meeting is for every active end user.
fn open_to_everybody(conn: &mut PgConnection, owner: ClientId, meeting: MeetingId) -> QueryResult<ParticipantCount> {
    let tests_too = is_for_tests(conn, meeting.as_uuid())?;
    let of_client = end_users::table.filter(end_users::client_id.eq(owner.as_uuid()));
    let active = of_client.filter(is_among_active(tests_too));
    let listed = participants::table
        .filter(participants::meeting_id.eq(meeting.as_uuid()))
        .filter(participants::end_user_id.eq(end_users::id));
    let total = count(active.count().get_result(conn)?)?;
    let added = count(active.filter(not(exists(listed))).count().get_result(conn)?)?;
    diesel::delete(participants::table.filter(participants::meeting_id.eq(meeting.as_uuid()))).execute(conn)?;
    diesel::update(meetings::table.find(meeting.as_uuid()))
        .set(meetings::has_participant_list.eq(false))
        .execute(conn)?;
    Ok(ParticipantCount { changed: added, total })
}

fn count_listed(conn: &mut PgConnection, meeting: MeetingId) -> QueryResult<u64> {
    count(participants::table.filter(participants::meeting_id.eq(meeting.as_uuid())).count().get_result(conn)?)
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = end_users, check_for_backend(Pg))]
struct ParticipantRow {
    id: Uuid,
    username: String,
    name: String,
    email: Option<String>,
    address: Option<String>,
    weight: Decimal,
    is_active: bool,
    last_login_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
}

impl From<ParticipantRow> for Participant {
    fn from(row: ParticipantRow) -> Self {
        Self {
            id: EndUserId::from_uuid(row.id),
            username: row.username,
            name: row.name,
            email: row.email,
            address: row.address,
            weight: VotingWeight::from_stored(row.weight),
            is_active: row.is_active,
            last_login_at: row.last_login_at,
            created_at: row.created_at,
        }
    }
}
