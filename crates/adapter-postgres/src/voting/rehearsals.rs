use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::exists;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use plenum_kernel::{ClientId, EndUserId, MeetingId, Page, PortFailure, RehearsalId};
use plenum_meetings::{
    DelayStatistics, EndRehearsalError, NewRehearsal, Rehearsal, RehearsalAnswer, RehearsalCounts, RehearsalFacts,
    RehearsalFilter, RehearsalPerson, RehearsalReport, RehearsalSigns, RehearsalStatus, RehearsalStep, RehearsalStore,
    StartRehearsalError, decide_rehearsal,
};
use uuid::Uuid;

use crate::Db;
use crate::meetings::rows::meeting_status;
use crate::pool::failure::Abort;
use crate::rows::columns::count;
use crate::rows::meeting_owner::is_meeting_of;
use crate::schema::{meetings, rehearsals, rounds};
use crate::voting::eligible::would_be_registered;
use crate::voting::round_log::account_name;
use crate::voting::rows::is_open;

/// Rehearsals in PostgreSQL.
#[derive(Clone)]
pub struct PostgresRehearsals {
    db: Db,
}

impl PostgresRehearsals {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

/// Stores the answer of the voter `$4`, of the client `$5`, to the rehearsal `$1` of the meeting `$2`: received at `$6`,
/// answered at `$7`, on a device that can seal a ballot or not (`$8`). The people who would be registered do not depend on a question (`$3`).
///
/// The rows that an answer refers to are locked as the foreign keys would do it, but in the order of a client's removal. The
/// end of a rehearsal does not conflict with that: answers never pause.
const ANSWER: &str = concat!(
    "INSERT INTO rehearsal_answers (rehearsal_id, end_user_id, received_at, answered_at, can_seal) \
     SELECT rehearsals.id, end_users.id, $6, $7, $8 \
     FROM rehearsals CROSS JOIN end_users \
     WHERE rehearsals.id = $1 AND rehearsals.meeting_id = $2 AND rehearsals.ended_at IS NULL \
       AND end_users.id = $4 AND end_users.client_id = $5 \
       AND EXISTS (SELECT FROM ",
    would_be_registered!(),
    " AND meant.id = $4) \
     FOR KEY SHARE OF end_users, rehearsals \
     ON CONFLICT ON CONSTRAINT rehearsal_answers_pkey DO UPDATE \
     SET answered_at = CASE WHEN rehearsal_answers.answered_at IS NULL AND excluded.answered_at IS NOT NULL \
                            THEN greatest(rehearsal_answers.received_at, excluded.answered_at) \
                            ELSE rehearsal_answers.answered_at END, \
         can_seal = coalesce(excluded.can_seal, rehearsal_answers.can_seal)",
);

/// The time from the start, `$5`, to `$at`, in whole milliseconds, as [`Rehearsal::delay`] computes it.
macro_rules! delay_ms {
    ($at:literal) => {
        concat!(
            "CASE WHEN ",
            $at,
            " < $5 THEN 0 \
                  ELSE floor(extract(epoch FROM ",
            $at,
            " - $5) * 1000)::bigint END"
        )
    };
}

/// Everyone who would be registered if a round opened now in the meeting `$2`, for any question (`$3`), with their
/// answers to the rehearsal `$1`, which was started at `$5`. `$4` are connected.
///
/// Each person's own answer is found by key, and connected people are found in a hash table: the rehearsal may be newer
/// than the statistics, and a join planned by them might read every answer for each person.
const PEOPLE: &str = concat!(
    "WITH invited AS MATERIALIZED ( \
         SELECT meant.id, meant.name, meant.username, meant.last_login_at, \
                meant.id IN (SELECT unnest($4)) AS is_connected \
         FROM ",
    would_be_registered!("name", "username", "last_login_at"),
    " ), \
     people AS ( \
         SELECT invited.*, answer.received_ms, answer.answered_ms, answer.can_seal, \
                CASE WHEN answer.answered_ms IS NOT NULL THEN 'ANSWERED' \
                     WHEN answer.received_ms IS NOT NULL THEN 'RECEIVED' \
                     WHEN invited.is_connected THEN 'CONNECTED' \
                     WHEN invited.last_login_at IS NULL THEN 'NEVER_SIGNED_IN' \
                     ELSE 'ABSENT' END AS status \
         FROM invited \
         LEFT JOIN LATERAL ( \
             SELECT ",
    delay_ms!("received_at"),
    " AS received_ms, ",
    delay_ms!("answered_at"),
    " AS answered_ms, can_seal \
             FROM rehearsal_answers \
             WHERE rehearsal_answers.rehearsal_id = $1 AND rehearsal_answers.end_user_id = invited.id \
             OFFSET 0 \
         ) AS answer ON true \
     )",
);

#[async_trait]
impl RehearsalStore for PostgresRehearsals {
    async fn start(&self, new: NewRehearsal) -> Result<Rehearsal, StartRehearsalError> {
        self.db
            .of(new.client_id)
            .transaction(move |conn| {
                let (owner, meeting) = (new.client_id.as_uuid(), new.meeting_id.as_uuid());
                let status =
                    lock_meeting(conn, owner, meeting)?.ok_or(Abort::Refused(StartRehearsalError::MeetingNotFound))?;
                let facts = RehearsalFacts {
                    status: meeting_status(&status)?,
                    has_open_round: has_open_round(conn, meeting)?,
                    is_running: running_rehearsal(conn, meeting)?.is_some(),
                };
                decide_rehearsal(&facts).map_err(|rule| Abort::Refused(rule.into()))?;
                diesel::delete(rehearsals::table.find(meeting)).execute(conn)?;
                let row = RehearsalRow {
                    meeting_id: meeting,
                    client_id: owner,
                    id: new.id.as_uuid(),
                    started_at: new.at,
                    ended_at: None,
                    started_by: account_name(conn, new.by.as_uuid())?,
                };
                let stored = diesel::insert_into(rehearsals::table)
                    .values(row)
                    .returning(RehearsalRow::as_returning())
                    .get_result(conn)?;
                Ok(stored.into())
            })
            .await
    }

    async fn end(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        now: DateTime<Utc>,
    ) -> Result<Rehearsal, EndRehearsalError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                let meeting = lock_rehearsed(conn, owner, meeting)?;
                end_running_rehearsal(conn, meeting, Some(now))?;
                let ended = rehearsal_of(conn, meeting)?;
                ended.ok_or(Abort::Refused(EndRehearsalError::NoRehearsal))
            })
            .await
    }

    async fn discard(&self, owner: ClientId, meeting: MeetingId) -> Result<(), EndRehearsalError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                let meeting = lock_rehearsed(conn, owner, meeting)?;
                let discarded = diesel::delete(rehearsals::table.find(meeting)).execute(conn)?;
                if discarded > 0 { Ok(()) } else { Err(Abort::Refused(EndRehearsalError::NoRehearsal)) }
            })
            .await
    }

    async fn answer(&self, answer: RehearsalAnswer) -> Result<bool, PortFailure> {
        let answered_at = (answer.step == RehearsalStep::Answered).then_some(answer.at);
        self.db
            .of(answer.client_id)
            .run(move |conn| {
                let noted = diesel::sql_query(ANSWER)
                    .bind::<SqlUuid, _>(answer.rehearsal_id.as_uuid())
                    .bind::<SqlUuid, _>(answer.meeting_id.as_uuid())
                    .bind::<Nullable<SqlUuid>, _>(None::<Uuid>)
                    .bind::<SqlUuid, _>(answer.voter.as_uuid())
                    .bind::<SqlUuid, _>(answer.client_id.as_uuid())
                    .bind::<Timestamptz, _>(answer.at)
                    .bind::<Nullable<Timestamptz>, _>(answered_at)
                    .bind::<Nullable<Bool>, _>(answer.can_seal)
                    .execute(conn)?;
                Ok(noted > 0)
            })
            .await
    }

    async fn report(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        connected: Vec<EndUserId>,
        filter: &RehearsalFilter,
    ) -> Result<Option<RehearsalReport>, PortFailure> {
        let connected: Vec<Uuid> = connected.into_iter().map(EndUserId::as_uuid).collect();
        let filter = filter.clone();
        self.db
            .of(owner)
            .snapshot(move |conn| {
                if !is_meeting_of(conn, owner, meeting)? {
                    return Ok(None);
                }
                load_report(conn, meeting.as_uuid(), &connected, &filter).map(Some)
            })
            .await
    }
}

/// Locks the client's meeting and returns its status.
fn lock_meeting(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Option<String>> {
    meetings::table
        .find(meeting)
        .filter(meetings::client_id.eq(owner))
        .select(meetings::status)
        .for_update()
        .first(conn)
        .optional()
}

/// Locks the client's meeting in any status.
fn lock_rehearsed(
    conn: &mut PgConnection,
    owner: ClientId,
    meeting: MeetingId,
) -> Result<Uuid, Abort<EndRehearsalError>> {
    let locked = lock_meeting(conn, owner.as_uuid(), meeting.as_uuid())?;
    locked.map(|_| meeting.as_uuid()).ok_or(Abort::Refused(EndRehearsalError::MeetingNotFound))
}

fn has_open_round(conn: &mut PgConnection, meeting: Uuid) -> QueryResult<bool> {
    diesel::select(exists(rounds::table.filter(rounds::meeting_id.eq(meeting).and(is_open())))).get_result(conn)
}

fn rehearsal_of(conn: &mut PgConnection, meeting: Uuid) -> QueryResult<Option<Rehearsal>> {
    let row = rehearsals::table.find(meeting).select(RehearsalRow::as_select()).first(conn).optional()?;
    Ok(row.map(Rehearsal::from))
}

/// The running rehearsal of a meeting.
pub(crate) fn running_rehearsal(conn: &mut PgConnection, meeting: Uuid) -> QueryResult<Option<Rehearsal>> {
    Ok(rehearsal_of(conn, meeting)?.filter(Rehearsal::is_running))
}

/// Ends the running rehearsal of a meeting, at the database's time if no other is given. The meeting's row MUST be locked. It
/// does not wait for answers: one in progress was in time.
pub(crate) fn end_running_rehearsal(
    conn: &mut PgConnection,
    meeting: Uuid,
    now: Option<DateTime<Utc>>,
) -> QueryResult<()> {
    diesel::sql_query(
        "UPDATE rehearsals SET ended_at = greatest(started_at, coalesce($2, now())) \
         WHERE meeting_id = $1 AND ended_at IS NULL",
    )
    .bind::<SqlUuid, _>(meeting)
    .bind::<Nullable<Timestamptz>, _>(now)
    .execute(conn)?;
    Ok(())
}

/// The report of a meeting with these connected people.
pub(crate) fn load_report(
    conn: &mut PgConnection,
    meeting: Uuid,
    connected: &[Uuid],
    filter: &RehearsalFilter,
) -> QueryResult<RehearsalReport> {
    let rehearsal = rehearsal_of(conn, meeting)?;
    let people = People { meeting, connected, rehearsal: rehearsal.as_ref() };
    let figures = people.figures(conn)?;
    let page = people.page(conn, filter)?;
    figures.with(rehearsal, page)
}

/// Everyone who is invited to a meeting, with their state in its rehearsal.
struct People<'a> {
    meeting: Uuid,
    connected: &'a [Uuid],
    rehearsal: Option<&'a Rehearsal>,
}

/// Binds the parameters of [`PEOPLE`].
macro_rules! bound {
    ($people:expr, $statement:expr) => {
        diesel::sql_query($statement)
            .bind::<Nullable<SqlUuid>, _>($people.rehearsal.map(|rehearsal| rehearsal.id.as_uuid()))
            .bind::<SqlUuid, _>($people.meeting)
            .bind::<Nullable<SqlUuid>, _>(None::<Uuid>)
            .bind::<Array<SqlUuid>, _>($people.connected)
            .bind::<Nullable<Timestamptz>, _>($people.rehearsal.map(|rehearsal| rehearsal.started_at))
    };
}

impl People<'_> {
    /// The number of people in each state, and their delays.
    fn figures(&self, conn: &mut PgConnection) -> QueryResult<FiguresRow> {
        let statement = format!(
            "{PEOPLE} \
             SELECT count(*) FILTER (WHERE status = 'ANSWERED') AS answered, \
                    count(*) FILTER (WHERE status = 'RECEIVED') AS received, \
                    count(*) FILTER (WHERE status = 'CONNECTED') AS connected, \
                    count(*) FILTER (WHERE status = 'ABSENT') AS absent, \
                    count(*) FILTER (WHERE status = 'NEVER_SIGNED_IN') AS never_signed_in, \
                    count(*) FILTER (WHERE NOT can_seal) AS cannot_seal, \
                    percentile_disc(0.5) WITHIN GROUP (ORDER BY received_ms) AS received_median, \
                    percentile_disc(0.95) WITHIN GROUP (ORDER BY received_ms) AS received_p95, \
                    max(received_ms) AS received_max, \
                    percentile_disc(0.5) WITHIN GROUP (ORDER BY answered_ms) AS answered_median, \
                    percentile_disc(0.95) WITHIN GROUP (ORDER BY answered_ms) AS answered_p95, \
                    max(answered_ms) AS answered_max \
             FROM people"
        );
        bound!(self, statement).get_result(conn)
    }

    /// The people who match the filter, by name.
    fn page(&self, conn: &mut PgConnection, filter: &RehearsalFilter) -> QueryResult<Page<RehearsalPerson>> {
        let rows = self.rows(conn, filter, i64::from(filter.page.page_size), filter.page.offset())?;
        // A page after the last one has no row that contains the total.
        let total = match rows.first() {
            Some(row) => row.total,
            None if filter.page.offset() == 0 => 0,
            None => self.rows(conn, filter, 1, 0)?.first().map_or(0, |row| row.total),
        };
        let rows = rows.into_iter().map(RehearsalPerson::try_from).collect::<QueryResult<_>>()?;
        Ok(Page { rows, total: count(total)? })
    }

    fn rows(
        &self,
        conn: &mut PgConnection,
        filter: &RehearsalFilter,
        limit: i64,
        offset: i64,
    ) -> QueryResult<Vec<PersonRow>> {
        let statement = format!(
            "{PEOPLE} \
             SELECT id, name, username, last_login_at, is_connected, received_ms, answered_ms, can_seal, \
                    count(*) OVER () AS total \
             FROM people \
             WHERE status = ANY ($6) AND ($7 IS NULL OR name ILIKE $7 OR username ILIKE $7) \
                   AND ($8 IS NULL OR can_seal = $8) \
             ORDER BY lower(name), id \
             LIMIT $9 OFFSET $10"
        );
        let statuses: Vec<&str> = filter.statuses.iter().map(|status| status_text(*status)).collect();
        bound!(self, statement)
            .bind::<Array<Text>, _>(statuses)
            .bind::<Nullable<Text>, _>(filter.search.as_ref().map(|search| search.as_like_pattern()))
            .bind::<Nullable<Bool>, _>(filter.can_seal)
            .bind::<BigInt, _>(limit)
            .bind::<BigInt, _>(offset)
            .load(conn)
    }
}

/// The state as [`PEOPLE`] returns it.
const fn status_text(status: RehearsalStatus) -> &'static str {
    match status {
        RehearsalStatus::Answered => "ANSWERED",
        RehearsalStatus::Received => "RECEIVED",
        RehearsalStatus::Connected => "CONNECTED",
        RehearsalStatus::Absent => "ABSENT",
        RehearsalStatus::NeverSignedIn => "NEVER_SIGNED_IN",
    }
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = rehearsals, check_for_backend(diesel::pg::Pg))]
struct RehearsalRow {
    meeting_id: Uuid,
    client_id: Uuid,
    id: Uuid,
    started_at: DateTime<Utc>,
    ended_at: Option<DateTime<Utc>>,
    started_by: String,
}

impl From<RehearsalRow> for Rehearsal {
    fn from(row: RehearsalRow) -> Self {
        Self {
            id: RehearsalId::from_uuid(row.id),
            started_at: row.started_at,
            ended_at: row.ended_at,
            started_by: row.started_by,
        }
    }
}

#[derive(QueryableByName)]
struct FiguresRow {
    #[diesel(sql_type = BigInt)]
    answered: i64,
    #[diesel(sql_type = BigInt)]
    received: i64,
    #[diesel(sql_type = BigInt)]
    connected: i64,
    #[diesel(sql_type = BigInt)]
    absent: i64,
    #[diesel(sql_type = BigInt)]
    never_signed_in: i64,
    #[diesel(sql_type = BigInt)]
    cannot_seal: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    received_median: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    received_p95: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    received_max: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    answered_median: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    answered_p95: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    answered_max: Option<i64>,
}

impl FiguresRow {
    fn with(self, rehearsal: Option<Rehearsal>, page: Page<RehearsalPerson>) -> QueryResult<RehearsalReport> {
        let delays = |median, p95, max| -> QueryResult<DelayStatistics> {
            Ok(DelayStatistics { median_ms: delay(median)?, p95_ms: delay(p95)?, max_ms: delay(max)? })
        };
        Ok(RehearsalReport {
            rehearsal,
            counts: RehearsalCounts {
                answered: count(self.answered)?,
                received: count(self.received)?,
                connected: count(self.connected)?,
                absent: count(self.absent)?,
                never_signed_in: count(self.never_signed_in)?,
            },
            cannot_seal: count(self.cannot_seal)?,
            received: delays(self.received_median, self.received_p95, self.received_max)?,
            answered: delays(self.answered_median, self.answered_p95, self.answered_max)?,
            page,
        })
    }
}

#[derive(QueryableByName)]
struct PersonRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    username: String,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_login_at: Option<DateTime<Utc>>,
    #[diesel(sql_type = Bool)]
    is_connected: bool,
    #[diesel(sql_type = Nullable<BigInt>)]
    received_ms: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    answered_ms: Option<i64>,
    #[diesel(sql_type = Nullable<Bool>)]
    can_seal: Option<bool>,
    #[diesel(sql_type = BigInt)]
    total: i64,
}

impl TryFrom<PersonRow> for RehearsalPerson {
    type Error = diesel::result::Error;

    fn try_from(row: PersonRow) -> QueryResult<Self> {
        let signs = RehearsalSigns {
            received_ms: delay(row.received_ms)?,
            answered_ms: delay(row.answered_ms)?,
            can_seal: row.can_seal,
            is_connected: row.is_connected,
            last_login_at: row.last_login_at,
        };
        Ok(Self { id: EndUserId::from_uuid(row.id), name: row.name, username: row.username, signs })
    }
}

fn delay(milliseconds: Option<i64>) -> QueryResult<Option<u64>> {
    milliseconds.map(count).transpose()
}
