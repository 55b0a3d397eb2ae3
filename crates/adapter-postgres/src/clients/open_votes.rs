//! The open rounds that end users may vote in: they keep their people, and log passwords that somebody else sets.

use chrono::{DateTime, TimeDelta, Utc};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use plenum_kernel::{ClientId, OpenVote, PasswordSetter, PortFailure, ReasonNeeded, decide_setting};
use plenum_meetings::MeetingStatus;
use plenum_voting::LogKind;
use uuid::Uuid;

use crate::meetings::rows::meeting_status_text;
use crate::meetings::starts::lock_starts_shared;
use crate::pool::failure::Abort;
use crate::rows::columns::count;
use crate::schema::meetings;
use crate::voting::round_log::{account_name, kind_text, last_logged};

/// The open rounds of real meetings with people of `$2` in the register, and their number. Entries are found by key: the
/// register is newer than the statistics.
const OPEN_VOTES: &str = "
    SELECT round.id, round.meeting, round.question, in_it.people
    FROM unnest($1) AS running (id)
    CROSS JOIN LATERAL (
        SELECT rounds.id, meetings.title AS meeting, rounds.question_text AS question
        FROM rounds JOIN meetings ON meetings.id = rounds.meeting_id
        WHERE rounds.meeting_id = running.id AND rounds.status = 'OPEN' AND NOT rounds.is_test OFFSET 0) AS round
    CROSS JOIN LATERAL (
        SELECT count(*) AS people FROM unnest($2) AS given (id)
        CROSS JOIN LATERAL (SELECT FROM register
                            WHERE register.round_id = round.id AND register.end_user_id = given.id OFFSET 0) AS entry
    ) AS in_it
    WHERE in_it.people > 0
    ORDER BY round.meeting, round.id";

/// Names are those of the register.
const LOG: &str = "
    INSERT INTO round_log (id, round_id, logged_at, kind, done_by, end_user_id, username, name, weight, reason)
    SELECT gen_random_uuid(), round.id, $3, $4, $5, entry.end_user_id, entry.username, entry.name, entry.weight, $6
    FROM unnest($1) AS round (id)
    CROSS JOIN unnest($2) AS given (id)
    CROSS JOIN LATERAL (SELECT * FROM register
                        WHERE register.round_id = round.id AND register.end_user_id = given.id OFFSET 0) AS entry
    ORDER BY round.id, lower(entry.username) COLLATE \"C\"";

#[derive(QueryableByName)]
pub(crate) struct OpenVoteRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    meeting: String,
    #[diesel(sql_type = Text)]
    question: String,
    #[diesel(sql_type = BigInt)]
    people: i64,
}

impl OpenVoteRow {
    fn read(&self) -> QueryResult<OpenVote> {
        Ok(OpenVote { meeting: self.meeting.clone(), question: self.question.clone(), people: count(self.people)? })
    }
}

/// The client's running meetings, locked: waits for rounds that are opening or ending in them, and holds back further ones and
/// starts of other meetings until the end of the transaction. An opening locks its meeting.
pub(crate) fn lock_running_meetings(conn: &mut PgConnection, owner: ClientId) -> QueryResult<Vec<Uuid>> {
    lock_starts_shared(conn, owner)?;
    running_meetings(owner).for_share().load(conn)
}

/// The open rounds of the client with these people in the register, as of now.
pub(crate) fn find_open_votes(conn: &mut PgConnection, owner: ClientId, people: &[Uuid]) -> QueryResult<Vec<OpenVote>> {
    let running = running_meetings(owner).load(conn)?;
    load(conn, running, people)?.iter().map(OpenVoteRow::read).collect()
}

#[diesel::dsl::auto_type(no_type_alias)]
fn running_meetings(owner: ClientId) -> _ {
    let owner: Uuid = owner.as_uuid();
    let active: &'static str = meeting_status_text(MeetingStatus::Active);
    meetings::table
        .filter(meetings::client_id.eq(owner).and(meetings::status.eq(active)))
        .order(meetings::id)
        .select(meetings::id)
}

fn load(conn: &mut PgConnection, running: Vec<Uuid>, people: &[Uuid]) -> QueryResult<Vec<OpenVoteRow>> {
    diesel::sql_query(OPEN_VOTES).bind::<Array<SqlUuid>, _>(running).bind::<Array<SqlUuid>, _>(people).load(conn)
}

/// The passwords that somebody sets.
pub(crate) struct PasswordSetting<'a> {
    /// The end users.
    pub(crate) people: &'a [Uuid],
    pub(crate) setter: &'a PasswordSetter,
    pub(crate) now: DateTime<Utc>,
}

/// The setting of passwords, as logs tell it.
pub(crate) struct PasswordsSet {
    /// Later than every logged action in the client's running meetings.
    pub(crate) at: DateTime<Utc>,
    /// The name of the organizer.
    pub(crate) by: String,
}

/// Permits the setting of these people's passwords, or refuses it, and logs it in each open round of a real meeting with them in
/// its register. Such a round ends after this transaction, and no other one opens before. MUST be called before the end users are
/// locked: an opening locks its meeting first.
pub(crate) fn log_set_passwords<E: From<ReasonNeeded> + From<PortFailure>>(
    conn: &mut PgConnection,
    owner: ClientId,
    setting: &PasswordSetting<'_>,
) -> Result<PasswordsSet, Abort<E>> {
    let PasswordSetting { people, setter, now } = *setting;
    let running = lock_running_meetings(conn, owner)?;
    let open = load(conn, running.clone(), people)?;
    let votes = open.iter().map(OpenVoteRow::read).collect::<QueryResult<_>>()?;
    decide_setting(votes, setter).map_err(|refusal| Abort::Refused(refusal.into()))?;
    let set = PasswordsSet {
        at: time_in(conn, running, now)?,
        // Hashing may take seconds, and an account may be gone by then.
        by: account_name(conn, setter.by.as_uuid()).optional()?.unwrap_or_else(|| "An organizer".to_owned()),
    };
    if !open.is_empty() {
        diesel::sql_query(LOG)
            .bind::<Array<SqlUuid>, _>(open.iter().map(|vote| vote.id).collect::<Vec<_>>())
            .bind::<Array<SqlUuid>, _>(people)
            .bind::<Timestamptz, _>(set.at)
            .bind::<Text, _>(kind_text(LogKind::PasswordSet))
            .bind::<Text, _>(&set.by)
            .bind::<Nullable<Text>, _>(setter.reason.as_ref().map(|reason| reason.as_str()))
            .execute(conn)?;
    }
    Ok(set)
}

/// The time of an action in these locked meetings: `now`, or the moment after the last logged action if that is not earlier.
/// Strictly later than the end of each round, so that a reopened round knows what came after its end.
fn time_in(conn: &mut PgConnection, running: Vec<Uuid>, now: DateTime<Utc>) -> QueryResult<DateTime<Utc>> {
    let last = last_logged(conn, running, now)?;
    Ok(last.map_or(now, |last| now.max(last + TimeDelta::microseconds(1))))
}
