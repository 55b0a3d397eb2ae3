use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text, Uuid as SqlUuid};
use plenum_kernel::{ClientId, EndUserId, GroupId, MeetingId, Page, PortFailure, VotingWeight};
use plenum_meetings::{
    InviteError, InviteOutcome, Invitees, Participant, ParticipantCount, ParticipantFilter, ParticipantLimit,
    ParticipantStore,
};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::Db;
use crate::clients::groups::groups_of;
use crate::meetings::invited::{InvitedPeople, invited, invited_outside_groups, lock_people};
use crate::meetings::planning::people_of;
use crate::meetings::rows::participant_limit;
use crate::pool::failure::Abort;
use crate::pool::statistics::{Grown, refresh_for};
use crate::rows::columns::count;
use crate::rows::test_data::{is_among_active, is_for_tests};
use crate::rows::weights::WeightsColumn;
use crate::schema::{end_users, meetings, participants};

/// Participant lists in PostgreSQL.
#[derive(Clone)]
pub struct PostgresParticipants {
    db: Db,
}

impl PostgresParticipants {
    /// The store on this database.
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
    ) -> Result<InviteOutcome, InviteError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                let limit = lock_meeting(conn, owner, meeting)?;
                let had_list = has_list(conn, meeting)?;
                if limit.is_none() && invitees == Invitees::AllActive {
                    let count = open_to_everybody(conn, owner, meeting)?;
                    return Ok(InviteOutcome { count, is_list_switched: had_list });
                }
                let chosen = end_users_of(conn, owner, meeting, invitees)?;
                let changed = put_on_list(conn, owner, meeting, chosen)?;
                // Inviting no one does not exclude everyone.
                if count_listed(conn, meeting)? == 0 {
                    let count = ParticipantCount { changed: 0, total: people_now(conn, owner, meeting)? };
                    return Ok(InviteOutcome { count, is_list_switched: false });
                }
                diesel::update(meetings::table.find(meeting.as_uuid()))
                    .set(meetings::has_participant_list.eq(true))
                    .execute(conn)?;
                let total = people_now(conn, owner, meeting)?;
                if let Some(limit) = limit.filter(|limit| changed > 0 && total > u64::from(limit.get())) {
                    return Err(Abort::Refused(InviteError::TooMany { people: total, limit: limit.get() }));
                }
                let count = ParticipantCount { changed: changed as u64, total };
                Ok(InviteOutcome { count, is_list_switched: !had_list })
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
                Ok(ParticipantCount { changed: changed as u64, total: people_now(conn, owner, meeting)? })
            })
            .await
    }

    async fn list(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &ParticipantFilter,
    ) -> Result<Option<Page<Participant>>, PortFailure> {
        let filter = filter.clone();
        self.db
            .of(owner)
            .snapshot(move |conn| {
                let has_list: Option<bool> = meetings::table
                    .find(meeting.as_uuid())
                    .filter(meetings::client_id.eq(owner.as_uuid()))
                    .select(meetings::has_participant_list)
                    .first(conn)
                    .optional()?;
                has_list.map(|has_list| InvitedPeople { owner, meeting, has_list }.page(conn, &filter)).transpose()
            })
            .await
    }
}

/// Binds the parameters of [`invited`] and of the search.
macro_rules! bound {
    ($to:expr, $filter:expr, $statement:expr) => {
        diesel::sql_query($statement)
            .bind::<SqlUuid, _>($to.owner.as_uuid())
            .bind::<SqlUuid, _>($to.meeting.as_uuid())
            .bind::<Bool, _>($to.has_list)
            .bind::<Nullable<Text>, _>($filter.search.as_ref().map(|search| search.as_str()))
            .bind::<Nullable<SqlUuid>, _>($filter.group.map(GroupId::as_uuid))
    };
}

/// Whether a row matches the search, folded by the database like the column, and is in the group.
const FITS: &str = "($4 IS NULL OR strpos(person.search_text, lower($4)) > 0) \
     AND ($5 IS NULL OR person.id IN (SELECT unnest(ARRAY(SELECT group_members.end_user_id FROM group_members \
                                                          WHERE group_members.group_id = $5))))";

impl InvitedPeople {
    fn page(&self, conn: &mut PgConnection, filter: &ParticipantFilter) -> QueryResult<Page<Participant>> {
        let order = if filter.is_descending {
            "lower(person.name) DESC, person.id DESC"
        } else {
            "lower(person.name), person.id"
        };
        let (limit, offset) = filter.page.map_or((None, 0), |page| (Some(i64::from(page.page_size)), page.offset()));
        let people = if filter.with_outside_groups { PERSONS_OUTSIDE_GROUPS } else { PERSONS };
        let statement =
            format!("SELECT person.* FROM {people} AS person WHERE {FITS} ORDER BY {order} LIMIT $6 OFFSET $7");
        let rows: Vec<ParticipantRow> =
            bound!(self, filter, statement).bind::<Nullable<BigInt>, _>(limit).bind::<BigInt, _>(offset).load(conn)?;
        let total = if filter.page.is_none() { rows.len() as u64 } else { self.total(conn, filter)? };
        let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
        let mut groups = groups_of(conn, self.owner, &ids)?;
        let rows = rows.into_iter().map(|row| {
            let groups = groups.remove(&row.id).unwrap_or_default();
            Participant { groups, ..row.into() }
        });
        Ok(Page { rows: rows.collect(), total })
    }

    fn total(&self, conn: &mut PgConnection, filter: &ParticipantFilter) -> QueryResult<u64> {
        #[derive(QueryableByName)]
        struct Total {
            #[diesel(sql_type = BigInt)]
            total: i64,
        }
        if filter.search.is_none() && filter.group.is_none() && !filter.with_outside_groups {
            return people_of(conn, self.owner.as_uuid(), self.meeting.as_uuid(), self.has_list);
        }
        let people = if filter.with_outside_groups { FOUND_OUTSIDE_GROUPS } else { FOUND };
        let statement = format!("SELECT count(*) AS total FROM {people} AS person WHERE {FITS}");
        count(bound!(self, filter, statement).get_result::<Total>(conn)?.total)
    }
}

/// People with the columns of [`ParticipantRow`] and of the search.
macro_rules! persons {
    ($people:ident) => {
        $people!(
            "username",
            "name",
            "email",
            "address",
            "weight",
            "weights",
            "is_active",
            "last_login_at",
            "created_at",
            "erased_at",
            "search_text"
        )
    };
}

/// All invited people.
const PERSONS: &str = persons!(invited);

/// The same, also those in none of the meeting's groups.
const PERSONS_OUTSIDE_GROUPS: &str = persons!(invited_outside_groups);

/// All invited people, with the searched columns only.
const FOUND: &str = invited!("search_text");

/// The same, also those in none of the meeting's groups.
const FOUND_OUTSIDE_GROUPS: &str = invited_outside_groups!("search_text");

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

/// The selected end users, locked against deletion, so that all of them can be added to the list.
fn end_users_of(
    conn: &mut PgConnection,
    owner: ClientId,
    meeting: MeetingId,
    invitees: Invitees,
) -> Result<Vec<Uuid>, Abort<InviteError>> {
    match invitees {
        Invitees::AllActive => {
            let tests_too = is_for_tests(conn, meeting.as_uuid())?;
            Ok(end_users::table
                .filter(end_users::client_id.eq(owner.as_uuid()))
                .filter(is_among_active(tests_too))
                .select(end_users::id)
                .order(end_users::id)
                .for_key_share()
                .load(conn)?)
        }
        Invitees::These(ids) => {
            let ids: BTreeSet<Uuid> = ids.into_iter().map(EndUserId::as_uuid).collect();
            let ids: Vec<Uuid> = ids.into_iter().collect();
            if lock_people(conn, owner, &ids)?.len() < ids.len() {
                return Err(Abort::Refused(InviteError::UnknownEndUsers));
            }
            Ok(ids)
        }
    }
}

fn has_list(conn: &mut PgConnection, meeting: MeetingId) -> QueryResult<bool> {
    meetings::table.find(meeting.as_uuid()).select(meetings::has_participant_list).first(conn)
}

/// The number of people that the meeting is for, with or without a list.
fn people_now(conn: &mut PgConnection, owner: ClientId, meeting: MeetingId) -> QueryResult<u64> {
    let has_list = has_list(conn, meeting)?;
    people_of(conn, owner.as_uuid(), meeting.as_uuid(), has_list)
}

/// Gives a meeting for everyone a list of all except these; no list if it is not for any of these.
fn list_all_but(
    conn: &mut PgConnection,
    owner: ClientId,
    meeting: MeetingId,
    left_out: &[Uuid],
) -> Result<ParticipantCount, Abort<InviteError>> {
    let everybody = end_users_of(conn, owner, meeting, Invitees::AllActive)?;
    let left_out: BTreeSet<Uuid> = left_out.iter().copied().collect();
    let others: Vec<Uuid> = everybody.iter().copied().filter(|id| !left_out.contains(id)).collect();
    let changed = (everybody.len() - others.len()) as u64;
    if changed > 0 {
        put_on_list(conn, owner, meeting, others)?;
        diesel::update(meetings::table.find(meeting.as_uuid()))
            .set(meetings::has_participant_list.eq(true))
            .execute(conn)?;
    }
    Ok(ParticipantCount { changed, total: people_now(conn, owner, meeting)? })
}

/// Adds these people to the list, and returns the number of new ones.
pub(crate) fn put_on_list(
    conn: &mut PgConnection,
    owner: ClientId,
    meeting: MeetingId,
    people: Vec<Uuid>,
) -> QueryResult<usize> {
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
    refresh_for(conn, Grown::EndUsers, rows.len())?;
    refresh_for(conn, Grown::Meetings, rows.len())?;
    // An insert has at most 65,535 parameters, and each row three.
    let mut added = 0;
    for some in rows.chunks(20_000) {
        added += diesel::insert_into(participants::table).values(some).on_conflict_do_nothing().execute(conn)?;
    }
    refresh_for(conn, Grown::Participants, added)?;
    Ok(added)
}

/// Removes the list, so that the meeting is for every active end user.
fn open_to_everybody(conn: &mut PgConnection, owner: ClientId, meeting: MeetingId) -> QueryResult<ParticipantCount> {
    let tests_too = is_for_tests(conn, meeting.as_uuid())?;
    let active = end_users::table.filter(end_users::client_id.eq(owner.as_uuid())).filter(is_among_active(tests_too));
    let total = count(active.count().get_result(conn)?)?;
    let added = total.saturating_sub(count_listed_active(conn, meeting, tests_too)?);
    diesel::delete(participants::table.filter(participants::meeting_id.eq(meeting.as_uuid()))).execute(conn)?;
    diesel::update(meetings::table.find(meeting.as_uuid()))
        .set(meetings::has_participant_list.eq(false))
        .execute(conn)?;
    Ok(ParticipantCount { changed: added, total: people_now(conn, owner, meeting)? })
}

/// The number of people on the list who would be invited without it. Each is found by key, as in [`invited`].
fn count_listed_active(conn: &mut PgConnection, meeting: MeetingId, tests_too: bool) -> QueryResult<u64> {
    #[derive(QueryableByName)]
    struct Listed {
        #[diesel(sql_type = BigInt)]
        number: i64,
    }
    let listed: Listed = diesel::sql_query(
        "SELECT count(*) AS number FROM participants \
         CROSS JOIN LATERAL (SELECT end_users.is_active, end_users.is_test FROM end_users \
                             WHERE end_users.id = participants.end_user_id OFFSET 0) AS person \
         WHERE participants.meeting_id = $1 AND person.is_active AND (NOT person.is_test OR $2)",
    )
    .bind::<SqlUuid, _>(meeting.as_uuid())
    .bind::<Bool, _>(tests_too)
    .get_result(conn)?;
    count(listed.number)
}

fn count_listed(conn: &mut PgConnection, meeting: MeetingId) -> QueryResult<u64> {
    count(participants::table.filter(participants::meeting_id.eq(meeting.as_uuid())).count().get_result(conn)?)
}

#[derive(QueryableByName)]
#[diesel(table_name = end_users, check_for_backend(Pg))]
struct ParticipantRow {
    id: Uuid,
    username: String,
    name: String,
    email: Option<String>,
    address: Option<String>,
    weight: Decimal,
    weights: WeightsColumn,
    is_active: bool,
    last_login_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    erased_at: Option<DateTime<Utc>>,
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
            weights: row.weights.0,
            groups: Vec::new(),
            is_active: row.is_active,
            last_login_at: row.last_login_at,
            created_at: row.created_at,
            is_erased: row.erased_at.is_some(),
        }
    }
}
