use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::exists;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Nullable, Numeric, Text, Uuid as SqlUuid};
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure, QuestionId, RoundId};
use plenum_voting::{
    AdmitError, ExcludeError, Exclusion, Latecomer, LiftExclusionError, LogEntry, LogKind, LoggedPerson, Reason,
    RegisterChange, RegisterChanges, RoundStatus, decide_admission, decide_exclusion,
};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::Db;
use crate::meetings::rows::participant_limit;
use crate::pool::failure::Abort;
use crate::rows::audience::is_in_audience;
use crate::rows::columns::{count, lower};
use crate::rows::end_user_owner::is_of;
use crate::rows::test_data::is_for_tests;
use crate::rows::weight_kinds::{kind_of_round, second_kind_of_round, second_weight_by, weight_by};
use crate::schema::{end_users, exclusions, meetings, participants, questions, register, rounds, votes};
use crate::voting::absent::{count_absent, present_by_record};
use crate::voting::registration::{Admitted, Registration, register_represented};
use crate::voting::round_log::{account_name, log};
use crate::voting::round_proxies::keep_proxies_of_latecomer;
use crate::voting::rows::{lock_ballots, open_round, round_status_text};
use crate::voting::rule_groups::place_latecomer;
use crate::voting::steps::LockedMeeting;

/// Exclusions and admissions in PostgreSQL.
#[derive(Clone)]
pub struct PostgresRegisterChanges {
    db: Db,
}

impl PostgresRegisterChanges {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl RegisterChanges for PostgresRegisterChanges {
    async fn exclusions(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
    ) -> Result<Option<Vec<Exclusion>>, PortFailure> {
        self.db
            .of(owner)
            .snapshot(move |conn| {
                let known = questions::table
                    .find(question.as_uuid())
                    .filter(questions::client_id.eq(owner.as_uuid()))
                    .filter(questions::meeting_id.eq(meeting.as_uuid()));
                if !diesel::select(exists(known)).get_result(conn)? {
                    return Ok(None);
                }
                let rows: Vec<ExclusionRow> = exclusions::table
                    .inner_join(end_users::table)
                    .filter(exclusions::question_id.eq(question.as_uuid()))
                    .order((lower(end_users::name), end_users::id))
                    .select(ExclusionRow::as_select())
                    .load(conn)?;
                Ok(Some(rows.into_iter().map(Exclusion::from).collect()))
            })
            .await
    }

    async fn exclude(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        change: RegisterChange,
    ) -> Result<Exclusion, ExcludeError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                let locked = LockedMeeting::lock(conn, owner.as_uuid(), meeting.as_uuid())?;
                let locked = locked.ok_or(Abort::Refused(ExcludeError::MeetingNotFound))?;
                let (question, end_user) = (question.as_uuid(), change.end_user.as_uuid());
                if !has_question(conn, locked.id, question)? {
                    return Err(Abort::Refused(ExcludeError::QuestionNotFound));
                }
                let person = person_of(conn, owner, change.end_user)?;
                let (person, ..) = person.ok_or(Abort::Refused(ExcludeError::EndUserNotFound))?;
                let open = open_round(conn, question)?;
                if let Some(round) = open {
                    lock_ballots(conn, round)?;
                }
                let has_voted = match open {
                    Some(round) => {
                        let cast = votes::table.filter(votes::round_id.eq(round).and(votes::end_user_id.eq(end_user)));
                        diesel::select(exists(cast)).get_result(conn)?
                    }
                    None => false,
                };
                let known = exclusions::table.find((question, end_user));
                let is_excluded = diesel::select(exists(known)).get_result(conn)?;
                decide_exclusion(is_excluded, has_voted).map_err(|rule| Abort::Refused(rule.into()))?;
                let at = locked.time(conn, change.at)?;
                let exclusion = Exclusion {
                    end_user_id: person.end_user_id,
                    name: person.name,
                    username: person.username,
                    reason: change.reason,
                    at,
                    by: account_name(conn, change.by.as_uuid())?,
                };
                insert(conn, question, &exclusion)?;
                if let Some(round) = open {
                    leave_out_excluded(conn, round)?;
                    count_absent(conn, round)?;
                }
                Ok(exclusion)
            })
            .await
    }

    async fn lift(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        end_user: EndUserId,
    ) -> Result<(), LiftExclusionError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                let locked = LockedMeeting::lock(conn, owner.as_uuid(), meeting.as_uuid())?;
                let locked = locked.ok_or(Abort::Refused(LiftExclusionError::MeetingNotFound))?;
                let question = question.as_uuid();
                if !has_question(conn, locked.id, question)? {
                    return Err(Abort::Refused(LiftExclusionError::QuestionNotFound));
                }
                let lifted = diesel::delete(exclusions::table.find((question, end_user.as_uuid()))).execute(conn)?;
                if lifted == 0 {
                    return Err(Abort::Refused(LiftExclusionError::NotExcluded));
                }
                match open_round(conn, question)? {
                    Some(_) => Err(Abort::Refused(LiftExclusionError::RoundOpen)),
                    None => Ok(()),
                }
            })
            .await
    }

    async fn admit(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
        change: RegisterChange,
    ) -> Result<LogEntry, AdmitError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                let locked = LockedMeeting::lock(conn, owner.as_uuid(), meeting.as_uuid())?;
                let missing = || Abort::Refused(AdmitError::RoundNotFound);
                let locked = locked.ok_or_else(missing)?;
                let (meeting, round) = (locked.id, round.as_uuid());
                let (question, status): (Uuid, String) = rounds::table
                    .find(round)
                    .filter(rounds::meeting_id.eq(meeting))
                    .select((rounds::question_id, rounds::status))
                    .first(conn)
                    .optional()?
                    .ok_or_else(missing)?;
                let person = person_of(conn, owner, change.end_user)?;
                let (person, is_active, is_test) = person.ok_or(Abort::Refused(AdmitError::EndUserNotFound))?;
                let end_user = change.end_user.as_uuid();
                let entry = register::table.find((round, end_user));
                let same_name = register::table
                    .filter(register::round_id.eq(round))
                    .filter(lower(register::username).eq(lower(&person.username)));
                let list = List::of(conn, meeting, end_user)?;
                let latecomer = Latecomer {
                    round_is_open: status == round_status_text(RoundStatus::Open),
                    is_in_register: diesel::select(exists(entry)).get_result(conn)?,
                    username_is_in_register: diesel::select(exists(same_name)).get_result(conn)?,
                    is_active,
                    is_test_in_real_meeting: is_test && !is_for_tests(conn, meeting)?,
                    is_outside_groups: is_outside_groups(conn, meeting, question, end_user)?,
                    full_list: list.limit_if_full(),
                };
                decide_admission(&latecomer).map_err(|rule| Abort::Refused(rule.into()))?;
                lock_ballots(conn, round)?;
                let (person, second_weight) = weighed_in(conn, round, person)?;
                let at = locked.time(conn, change.at)?;
                diesel::delete(exclusions::table.find((question, end_user))).execute(conn)?;
                register_latecomer(conn, round, (&person, second_weight), at)?;
                place_latecomer(conn, round, end_user)?;
                if list.lacks_the_person {
                    list_latecomer(conn, owner, meeting, end_user)?;
                }
                let by = account_name(conn, change.by.as_uuid())?;
                let entry = LogEntry {
                    at,
                    kind: LogKind::Admitted,
                    by: Some(by.clone()),
                    person: Some(person),
                    reason: Some(change.reason.to_string()),
                };
                log(conn, change.log_entry.as_uuid(), round, entry.clone())?;
                if let Some(present) = present_by_record(conn, round)? {
                    let admission = Registration { meeting, question, round, connected: &present, now: at };
                    let latecomer = Admitted { person: end_user, by: &by, reason: change.reason.as_str() };
                    register_represented(conn, &admission, &latecomer)?;
                }
                keep_proxies_of_latecomer(conn, round, end_user, at)?;
                count_absent(conn, round)?;
                Ok(entry)
            })
            .await
    }
}

fn has_question(conn: &mut PgConnection, meeting: Uuid, question: Uuid) -> QueryResult<bool> {
    let known = questions::table.find(question).filter(questions::meeting_id.eq(meeting));
    diesel::select(exists(known)).get_result(conn)
}

/// The current end user, and whether they are active, and test data. Locked against deletion.
fn person_of(
    conn: &mut PgConnection,
    owner: ClientId,
    end_user: EndUserId,
) -> QueryResult<Option<(LoggedPerson, bool, bool)>> {
    let row: Option<(String, String, Decimal, bool, bool)> = end_users::table
        .find(end_user.as_uuid())
        .filter(is_of(owner))
        .select((end_users::username, end_users::name, end_users::weight, end_users::is_active, end_users::is_test))
        .for_key_share()
        .first(conn)
        .optional()?;
    Ok(row.map(|(username, name, weight, is_active, is_test)| {
        (LoggedPerson { end_user_id: end_user, username, name, weight: weight.normalize() }, is_active, is_test)
    }))
}

/// Whether the meeting or the question is for groups, and the person is in none of them.
fn is_outside_groups(conn: &mut PgConnection, meeting: Uuid, question: Uuid, end_user: Uuid) -> QueryResult<bool> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Bool)]
        is_outside: bool,
    }
    let row: Row = diesel::sql_query(concat!(
        "SELECT NOT (",
        is_in_audience!("person.id", "meetings", "$1"),
        " AND ",
        is_in_audience!("person.id", "questions", "$2"),
        ") AS is_outside FROM (SELECT $3 AS id) AS person",
    ))
    .bind::<SqlUuid, _>(meeting)
    .bind::<SqlUuid, _>(question)
    .bind::<SqlUuid, _>(end_user)
    .get_result(conn)?;
    Ok(row.is_outside)
}

/// The weight and the second weight of the person `$2` in the round `$1`.
const WEIGHED: &str = concat!(
    "SELECT CASE WHEN (SELECT counts_heads FROM rounds WHERE id = $1) THEN 1 ELSE ",
    weight_by!("end_users", kind_of_round!()),
    " END AS weight, ",
    second_weight_by!("end_users", second_kind_of_round!()),
    " AS second_weight FROM end_users WHERE end_users.id = $2"
);

/// The person with the weight in the register of this round, and the second weight.
fn weighed_in(
    conn: &mut PgConnection,
    round: Uuid,
    person: LoggedPerson,
) -> QueryResult<(LoggedPerson, Option<Decimal>)> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Numeric)]
        weight: Decimal,
        #[diesel(sql_type = Nullable<Numeric>)]
        second_weight: Option<Decimal>,
    }
    let row: Row = diesel::sql_query(WEIGHED)
        .bind::<SqlUuid, _>(round)
        .bind::<SqlUuid, _>(person.end_user_id.as_uuid())
        .get_result(conn)?;
    Ok((LoggedPerson { weight: row.weight.normalize(), ..person }, row.second_weight))
}

fn insert(conn: &mut PgConnection, question: Uuid, exclusion: &Exclusion) -> QueryResult<()> {
    diesel::insert_into(exclusions::table)
        .values((
            exclusions::question_id.eq(question),
            exclusions::end_user_id.eq(exclusion.end_user_id.as_uuid()),
            exclusions::reason.eq(exclusion.reason.as_str()),
            exclusions::excluded_at.eq(exclusion.at),
            exclusions::excluded_by.eq(&exclusion.by),
        ))
        .execute(conn)?;
    Ok(())
}

/// An entry that an exclusion took out of a register.
#[derive(QueryableByName)]
struct LeftOut {
    #[diesel(sql_type = SqlUuid)]
    end_user_id: Uuid,
    #[diesel(sql_type = Text)]
    username: String,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Numeric)]
    weight: Decimal,
}

/// Removes people who are excluded from the question and have not voted from the register of a round, and logs each exclusion
/// once: the log names and weighs people as the register did, and those who were not in it as an earlier entry of the log does.
/// Their names and weights may have changed since. No ballot may be written in the round meanwhile. Entries and votes are found
/// by key for each exclusion: the register is newer than the statistics.
pub(crate) fn leave_out_excluded(conn: &mut PgConnection, round: Uuid) -> QueryResult<()> {
    let left_out: Vec<LeftOut> = diesel::sql_query(REMOVE_EXCLUDED).bind::<SqlUuid, _>(round).load(conn)?;
    // After the removal: the audit log tells of both by the entry of the log.
    diesel::sql_query(LOG_EXCLUDED)
        .bind::<SqlUuid, _>(round)
        .bind::<Array<SqlUuid>, _>(left_out.iter().map(|entry| entry.end_user_id).collect::<Vec<_>>())
        .bind::<Array<Text>, _>(left_out.iter().map(|entry| entry.username.as_str()).collect::<Vec<_>>())
        .bind::<Array<Text>, _>(left_out.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>())
        .bind::<Array<Numeric>, _>(left_out.iter().map(|entry| entry.weight).collect::<Vec<_>>())
        .execute(conn)?;
    Ok(())
}

const LOG_EXCLUDED: &str = concat!(
    "INSERT INTO round_log (id, round_id, logged_at, kind, done_by, end_user_id, username, name, weight, reason) \
     SELECT gen_random_uuid(), rounds.id, excluded_at, 'EXCLUDED', excluded_by, person.id, \
            coalesce(entry.username, named.username, person.username), \
            coalesce(entry.name, named.name, person.name), \
            coalesce(entry.weight, named.weight, CASE WHEN rounds.counts_heads THEN 1 ELSE ",
    weight_by!("person", kind_of_round!()),
    " END), exclusions.reason \
     FROM rounds \
     JOIN exclusions ON exclusions.question_id = rounds.question_id \
     CROSS JOIN LATERAL (SELECT * FROM end_users WHERE end_users.id = exclusions.end_user_id OFFSET 0) AS person \
     LEFT JOIN unnest($2, $3, $4, $5) AS entry (end_user_id, username, name, weight) \
               ON entry.end_user_id = exclusions.end_user_id \
     LEFT JOIN LATERAL (SELECT earlier.username, earlier.name, earlier.weight FROM round_log AS earlier \
                        WHERE earlier.round_id = rounds.id AND earlier.end_user_id = person.id \
                        ORDER BY earlier.logged_at DESC, earlier.position DESC LIMIT 1) AS named ON true \
     WHERE rounds.id = $1 \
       AND NOT EXISTS (SELECT FROM votes \
                       WHERE votes.round_id = rounds.id AND votes.end_user_id = exclusions.end_user_id \
                       OFFSET 0) \
       AND NOT EXISTS (SELECT FROM round_log AS known \
                       WHERE known.round_id = rounds.id AND known.kind = 'EXCLUDED' \
                         AND known.end_user_id = exclusions.end_user_id AND known.logged_at = excluded_at)",
);

const REMOVE_EXCLUDED: &str = "
    WITH left_out AS (
        DELETE FROM register
        WHERE register.round_id = $1 AND register.end_user_id = ANY (ARRAY(
            SELECT exclusions.end_user_id
            FROM rounds JOIN exclusions ON exclusions.question_id = rounds.question_id
            WHERE rounds.id = $1
              AND NOT EXISTS (SELECT FROM votes
                              WHERE votes.round_id = $1 AND votes.end_user_id = exclusions.end_user_id
                              OFFSET 0)))
        RETURNING register.end_user_id, register.username, register.name, register.weight, register.was_connected
    ), sums AS (
        SELECT count(*) AS heads, sum(weight) AS weight, count(*) FILTER (WHERE was_connected) AS connected_heads,
               coalesce(sum(weight) FILTER (WHERE was_connected), 0) AS connected_weight
        FROM left_out
    ), counted AS (
        UPDATE rounds
        SET register_heads = register_heads - sums.heads, register_weight = register_weight - sums.weight,
            connected_heads = rounds.connected_heads - sums.connected_heads,
            connected_weight = rounds.connected_weight - sums.connected_weight
        FROM sums
        WHERE id = $1 AND sums.heads > 0
    )
    SELECT end_user_id, username, name, weight FROM left_out";

/// The relation of a meeting's participant list to one person.
struct List {
    /// Whether there is a list without them.
    lacks_the_person: bool,
    listed: u64,
    limit: Option<u32>,
}

impl List {
    fn of(conn: &mut PgConnection, meeting: Uuid, end_user: Uuid) -> QueryResult<Self> {
        let (has_list, limit): (bool, Option<i32>) = meetings::table
            .find(meeting)
            .select((meetings::has_participant_list, meetings::max_participants))
            .first(conn)?;
        let of_meeting = participants::table.filter(participants::meeting_id.eq(meeting));
        let listed = count(of_meeting.count().get_result(conn)?)?;
        let is_listed = diesel::select(exists(of_meeting.filter(participants::end_user_id.eq(end_user))));
        let lacks_the_person = has_list && !is_listed.get_result::<bool>(conn)?;
        Ok(Self { lacks_the_person, listed, limit: participant_limit(limit)?.map(u32::from) })
    }

    /// The limit, if the person has to be added to a list that is full.
    fn limit_if_full(&self) -> Option<u32> {
        self.limit.filter(|limit| self.lacks_the_person && self.listed >= u64::from(*limit))
    }
}

fn register_latecomer(
    conn: &mut PgConnection,
    round: Uuid,
    (person, second_weight): (&LoggedPerson, Option<Decimal>),
    now: DateTime<Utc>,
) -> QueryResult<()> {
    diesel::insert_into(register::table)
        .values((
            register::round_id.eq(round),
            register::end_user_id.eq(person.end_user_id.as_uuid()),
            register::username.eq(&person.username),
            register::name.eq(&person.name),
            register::weight.eq(person.weight),
            register::second_weight.eq(second_weight),
            register::added_at.eq(now),
        ))
        .execute(conn)?;
    diesel::update(rounds::table.find(round))
        .set((
            rounds::register_heads.eq(rounds::register_heads + 1),
            rounds::register_weight.eq(rounds::register_weight + person.weight),
        ))
        .execute(conn)?;
    Ok(())
}

fn list_latecomer(conn: &mut PgConnection, owner: ClientId, meeting: Uuid, end_user: Uuid) -> QueryResult<()> {
    diesel::insert_into(participants::table)
        .values((
            participants::client_id.eq(owner.as_uuid()),
            participants::meeting_id.eq(meeting),
            participants::end_user_id.eq(end_user),
        ))
        .execute(conn)?;
    Ok(())
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = exclusions, check_for_backend(Pg))]
struct ExclusionRow {
    end_user_id: Uuid,
    #[diesel(select_expression = end_users::name)]
    name: String,
    #[diesel(select_expression = end_users::username)]
    username: String,
    reason: String,
    excluded_at: DateTime<Utc>,
    excluded_by: String,
}

impl From<ExclusionRow> for Exclusion {
    fn from(row: ExclusionRow) -> Self {
        Self {
            end_user_id: EndUserId::from_uuid(row.end_user_id),
            name: row.name,
            username: row.username,
            reason: Reason::from_stored(row.reason),
            at: row.excluded_at,
            by: row.excluded_by,
        }
    }
}
