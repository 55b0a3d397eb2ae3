//! Stored rounds, with their options and votes, and operations that several stores share.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::dsl::{count_star, exists, sum};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::Error;
use diesel::sql_types::{Nullable, Text, Timestamptz, Uuid as SqlUuid};
use plenum_kernel::{ClientId, EndUserId, MeetingId, OptionId, QuestionId, RoundId, Secrecy, SessionId, VoteId};
use plenum_meetings::QuestionUse;
use plenum_voting::{
    Answer, CastOn, Count, CountedVote, Declared, Envelope, LogKind, Round, RoundOption, RoundOverview, RoundStatus,
    StoredVote, Urn, Wording,
};
use rust_decimal::Decimal;
use serde_json::Value;
use uuid::Uuid;

use crate::meetings::rows::{natural, option_role, question_type};
use crate::pool::failure::damaged;
use crate::rows::columns::count;
use crate::rows::condition::Condition;
use crate::rows::terms::{RuleColumn, election_of, secrecy, secrecy_text};
use crate::rows::weight_kinds::read_kind;
use crate::schema::{paper_batches, register, round_counters, round_options, rounds, votes};
use crate::voting::round_log::kind_text;
use crate::voting::rule_groups::group_places;
use crate::voting::urns::urns_of;
use crate::voting::visible_round::of_visible_round;

/// A round without its options.
#[derive(Queryable, Selectable)]
#[diesel(table_name = rounds, check_for_backend(Pg))]
pub(crate) struct RoundRow {
    pub(crate) id: Uuid,
    client_id: Uuid,
    meeting_id: Uuid,
    pub(crate) question_id: Uuid,
    number: i32,
    status: String,
    pub(crate) question_text: String,
    pub(crate) question_type: String,
    pub(crate) rating_max: Option<i32>,
    pub(crate) max_choices: Option<i32>,
    pub(crate) opened_at: DateTime<Utc>,
    ended_at: Option<DateTime<Utc>>,
    pub(crate) closes_at: Option<DateTime<Utc>>,
    pub(crate) register_heads: i32,
    register_weight: Decimal,
    reason: Option<String>,
    secrecy: String,
    pub(crate) counts_heads: bool,
    counted_at: Option<DateTime<Utc>>,
    declared_at: Option<DateTime<Utc>>,
    declared_by: Option<String>,
    pub(crate) decision_rule: Option<RuleColumn>,
    pub(crate) group_names: Option<Vec<String>>,
    weight_kind: Option<Value>,
    pub(crate) second_weight_kind: Option<Value>,
}

impl RoundRow {
    pub(crate) fn is_open(&self) -> bool {
        self.status == round_status_text(RoundStatus::Open)
    }

    pub(crate) fn is_declared(&self) -> bool {
        self.status == round_status_text(RoundStatus::Declared)
    }

    pub(crate) fn is_secret(&self) -> bool {
        self.secrecy == secrecy_text(Secrecy::Secret)
    }

    pub(crate) fn status(&self) -> QueryResult<RoundStatus> {
        round_status(&self.status)
    }

    pub(crate) fn secrecy(&self) -> QueryResult<Secrecy> {
        secrecy(&self.secrecy)
    }

    /// The round with these options, which must be sorted, and this urn.
    fn with_options(self, options: Vec<RoundOption>, urn: Option<Urn>) -> QueryResult<Round> {
        let secrecy = self.secrecy()?;
        Ok(Round {
            id: RoundId::from_uuid(self.id),
            client_id: ClientId::from_uuid(self.client_id),
            meeting_id: MeetingId::from_uuid(self.meeting_id),
            question_id: QuestionId::from_uuid(self.question_id),
            number: natural(self.number)?,
            status: round_status(&self.status)?,
            wording: Wording {
                text: self.question_text,
                question_type: question_type(&self.question_type)?,
                options,
                rating_max: self.rating_max.map(natural).transpose()?,
                max_choices: self.max_choices.map(natural).transpose()?,
                election: election_of(self.decision_rule),
            },
            opened_at: self.opened_at,
            ended_at: self.ended_at,
            closes_at: self.closes_at,
            register: Count {
                heads: u64::from(natural(self.register_heads)?),
                weight: self.register_weight.normalize(),
            },
            reason: self.reason,
            secrecy,
            counts_heads: self.counts_heads,
            groups: self.group_names.unwrap_or_default(),
            weight_kind: read_kind(self.weight_kind)?,
            second_weight_kind: read_kind(self.second_weight_kind)?,
            urn,
            counted_at: self.counted_at,
            declared: self.declared_at.zip(self.declared_by).map(|(at, by)| Declared { at, by }),
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = round_options, check_for_backend(Pg))]
struct RoundOptionRow {
    round_id: Uuid,
    option_id: Uuid,
    position: i32,
    option_text: String,
    role: String,
}

impl TryFrom<RoundOptionRow> for RoundOption {
    type Error = Error;

    fn try_from(row: RoundOptionRow) -> Result<Self, Error> {
        Ok(Self {
            id: OptionId::from_uuid(row.option_id),
            text: row.option_text,
            position: natural(row.position)?,
            role: option_role(&row.role)?,
        })
    }
}

/// Adds the options and the urns of secret rounds, by one statement each for all rounds.
pub(crate) fn with_options(conn: &mut PgConnection, rows: Vec<RoundRow>) -> QueryResult<Vec<Round>> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut urns = if rows.iter().any(RoundRow::is_secret) { urns_of(conn, &ids)? } else { HashMap::new() };
    let option_rows: Vec<RoundOptionRow> = round_options::table
        .filter(round_options::round_id.eq_any(&ids))
        .order((round_options::round_id, round_options::position))
        .select(RoundOptionRow::as_select())
        .load(conn)?;
    let mut options: HashMap<Uuid, Vec<RoundOption>> = HashMap::new();
    for row in option_rows {
        options.entry(row.round_id).or_default().push(row.try_into()?);
    }
    rows.into_iter()
        .map(|row| {
            let options = options.remove(&row.id).unwrap_or_default();
            let urn = urns.remove(&row.id);
            row.with_options(options, urn)
        })
        .collect()
}

/// Adds options and counts, by one statement each for all rounds.
pub(crate) fn overviews(conn: &mut PgConnection, rows: Vec<RoundRow>) -> QueryResult<Vec<RoundOverview>> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let counts: HashMap<Uuid, Option<i64>> = round_counters::table
        .filter(round_counters::round_id.eq_any(&ids))
        .group_by(round_counters::round_id)
        .select((round_counters::round_id, sum(round_counters::votes_cast)))
        .load::<(Uuid, Option<i64>)>(conn)?
        .into_iter()
        .collect();
    let waiting: HashMap<Uuid, i64> = paper_batches::table
        .filter(paper_batches::round_id.eq_any(&ids).and(paper_batches::state.eq("WAITING")))
        .group_by(paper_batches::round_id)
        .select((paper_batches::round_id, count_star()))
        .load::<(Uuid, i64)>(conn)?
        .into_iter()
        .collect();
    with_options(conn, rows)?
        .into_iter()
        .map(|round| {
            let id = round.id.as_uuid();
            let votes_cast = count(counts.get(&id).copied().flatten().unwrap_or(0))?;
            let waiting_batches = count(waiting.get(&id).copied().unwrap_or(0))?;
            Ok(RoundOverview { round, votes_cast, waiting_batches })
        })
        .collect()
}

/// The number of votes in a round, from its counters.
pub(crate) fn votes_cast(conn: &mut PgConnection, round: Uuid) -> QueryResult<u64> {
    let cast: Option<i64> = round_counters::table
        .filter(round_counters::round_id.eq(round))
        .select(sum(round_counters::votes_cast))
        .first(conn)?;
    count(cast.unwrap_or(0))
}

/// The last round of a question of this meeting.
pub(crate) fn last_round(conn: &mut PgConnection, meeting: Uuid, question: Uuid) -> QueryResult<Option<RoundRow>> {
    rounds::table
        .filter(rounds::meeting_id.eq(meeting).and(rounds::question_id.eq(question)))
        .order(rounds::number.desc())
        .select(RoundRow::as_select())
        .first(conn)
        .optional()
}

/// Ends the meeting's open round, if there is one. Waits for ballots in progress, which share a lock of the round's row.
/// The meeting's row MUST be locked.
///
/// Ballots never pause while thousands vote, and PostgreSQL lets new sharers of a row's lock pass a transaction that waits to
/// change the row. The advisory lock has a fair queue: later ballots wait.
///
/// The round's log names `by` as the person who ended it; without `by`, it ended by its closing time. A round with votes and
/// without a decision rule is counted at once if its meeting counts surveys at their end.
pub(crate) fn end_running_round(
    conn: &mut PgConnection,
    meeting: Uuid,
    by: Option<&str>,
    now: DateTime<Utc>,
) -> QueryResult<()> {
    end_running(conn, RunningRounds::OfMeeting(meeting), by, now)
}

/// Ends every open round of a client, like [`end_running_round`]. The rows of its meetings MUST be locked.
pub(crate) fn end_running_rounds_of_client(
    conn: &mut PgConnection,
    client: Uuid,
    now: DateTime<Utc>,
) -> QueryResult<()> {
    end_running(conn, RunningRounds::OfClient(client), None, now)
}

/// The open rounds of a meeting, of which there is at most one, or of a client.
#[derive(Clone, Copy)]
enum RunningRounds {
    OfMeeting(Uuid),
    OfClient(Uuid),
}

/// Ends these open rounds. A batch of ballots passes the gates of its rounds in the order of ids. This
/// does the same, all gates before the first row, because the two could deadlock otherwise.
fn end_running(
    conn: &mut PgConnection,
    rounds: RunningRounds,
    by: Option<&str>,
    now: DateTime<Utc>,
) -> QueryResult<()> {
    let (column, owner) = match rounds {
        RunningRounds::OfMeeting(meeting) => ("meeting_id", meeting),
        RunningRounds::OfClient(client) => ("client_id", client),
    };
    diesel::sql_query(format!(
        "SELECT pg_advisory_xact_lock(hashtextextended(id::text, 0)) \
         FROM (SELECT id FROM rounds WHERE {column} = $1 AND status = 'OPEN' ORDER BY id) AS running"
    ))
    .bind::<SqlUuid, _>(owner)
    .execute(conn)?;
    diesel::sql_query(format!(
        "WITH ended AS ( \
             UPDATE rounds SET status = $2, ended_at = $3, closes_at = NULL, counted_at = CASE \
                 WHEN decision_rule IS NULL AND secrecy <> 'SECRET' \
                  AND (SELECT counts_surveys_at_end FROM meetings WHERE meetings.id = rounds.meeting_id) \
                  AND EXISTS (SELECT FROM votes WHERE votes.round_id = rounds.id) \
                  AND NOT EXISTS (SELECT FROM paper_batches \
                                  WHERE paper_batches.round_id = rounds.id AND paper_batches.state = 'WAITING') \
                 THEN $3 + interval '1 microsecond' END \
             WHERE {column} = $1 AND status = 'OPEN' \
             RETURNING id, counted_at \
         ) \
         INSERT INTO round_log (id, round_id, logged_at, kind, done_by) \
         SELECT gen_random_uuid(), id, $3, $4, $5 FROM ended \
         UNION ALL \
         SELECT gen_random_uuid(), id, counted_at, $6, NULL FROM ended WHERE counted_at IS NOT NULL"
    ))
    .bind::<SqlUuid, _>(owner)
    .bind::<Text, _>(round_status_text(RoundStatus::Ended))
    .bind::<Timestamptz, _>(now)
    .bind::<Text, _>(kind_text(LogKind::Ended))
    .bind::<Nullable<Text>, _>(by)
    .bind::<Text, _>(kind_text(LogKind::Counted))
    .execute(conn)?;
    Ok(())
}

/// The use of a question in voting. Waits for ballots in progress in its open round, like [`end_running_round`], and holds
/// later ones until this transaction ends. The meeting's row MUST be locked.
pub(crate) fn question_use(conn: &mut PgConnection, question: Uuid) -> QueryResult<QuestionUse> {
    let open = open_round(conn, question)?;
    if let Some(round) = open {
        lock_ballots(conn, round)?;
    }
    let of_question: Vec<Uuid> =
        rounds::table.filter(rounds::question_id.eq(question)).select(rounds::id).load(conn)?;
    for round in of_question {
        if has_votes(conn, round)? {
            return Ok(QuestionUse::Voted);
        }
    }
    Ok(if open.is_some() { QuestionUse::Open } else { QuestionUse::Unused })
}

/// Whether a result of the question has been declared.
pub(crate) fn has_declared_round(conn: &mut PgConnection, question: Uuid) -> QueryResult<bool> {
    Ok(last_declared_round(conn, question)?.is_some())
}

/// The last round of the question whose result is declared.
pub(crate) fn last_declared_round(conn: &mut PgConnection, question: Uuid) -> QueryResult<Option<Uuid>> {
    rounds::table
        .filter(rounds::question_id.eq(question).and(rounds::status.eq(round_status_text(RoundStatus::Declared))))
        .order(rounds::number.desc())
        .select(rounds::id)
        .first(conn)
        .optional()
}

/// Whether a round has votes, or votes on paper that wait for confirmation. Asks for the first vote: with statistics of few rounds with many votes, EXISTS would read all
/// votes in sequence.
pub(crate) fn has_votes(conn: &mut PgConnection, round: Uuid) -> QueryResult<bool> {
    let first: Option<Uuid> = votes::table
        .filter(votes::round_id.eq(round))
        .order(votes::end_user_id)
        .select(votes::end_user_id)
        .first(conn)
        .optional()?;
    if first.is_some() {
        return Ok(true);
    }
    has_waiting_batch(conn, round)
}

/// Whether votes on paper wait for confirmation in a round.
pub(crate) fn has_waiting_batch(conn: &mut PgConnection, round: Uuid) -> QueryResult<bool> {
    let waiting =
        paper_batches::table.filter(paper_batches::round_id.eq(round)).filter(paper_batches::state.eq("WAITING"));
    diesel::select(exists(waiting)).get_result(conn)
}

/// The open round of a question. The meeting's row MUST be locked, so that it stays open.
pub(crate) fn open_round(conn: &mut PgConnection, question: Uuid) -> QueryResult<Option<Uuid>> {
    rounds::table.filter(rounds::question_id.eq(question).and(is_open())).select(rounds::id).first(conn).optional()
}

/// Waits for ballots in progress in a round, and holds later ones until this transaction ends.
pub(crate) fn lock_ballots(conn: &mut PgConnection, round: Uuid) -> QueryResult<()> {
    diesel::sql_query("SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))")
        .bind::<SqlUuid, _>(round)
        .execute(conn)?;
    // Withdrawals share this lock and do not use the other one.
    rounds::table.find(round).select(rounds::id).for_update().first::<Uuid>(conn)?;
    Ok(())
}

/// A stored vote.
#[derive(Queryable, Selectable)]
#[diesel(table_name = votes, check_for_backend(Pg))]
pub(crate) struct VoteRow {
    id: Uuid,
    pub(crate) round_id: Uuid,
    option_ids: Option<Vec<Uuid>>,
    number: Option<Decimal>,
    answer_text: Option<String>,
    is_sealed: bool,
    sealed: Option<Vec<u8>>,
    cast_at: Option<DateTime<Utc>>,
    session_id: Option<Uuid>,
    cast_by: Option<Uuid>,
    cast_on: Option<String>,
}

impl TryFrom<VoteRow> for StoredVote {
    type Error = Error;

    fn try_from(row: VoteRow) -> Result<Self, Error> {
        Ok(Self {
            id: VoteId::from_uuid(row.id),
            answer: match row.is_sealed {
                true => Answer::Sealed(row.sealed.map(Envelope)),
                false => answer(row.option_ids, row.number, row.answer_text)?,
            },
            cast_at: row.cast_at,
            session: row.session_id.map(SessionId::from_uuid),
            cast_by: row.cast_by.map(EndUserId::from_uuid),
            cast_on: row.cast_on.as_deref().map(cast_on).transpose()?,
        })
    }
}

/// A vote as a count reads it.
#[derive(Queryable, Selectable)]
#[diesel(table_name = votes, check_for_backend(Pg))]
pub(crate) struct AnswerRow {
    pub(crate) end_user_id: Uuid,
    option_ids: Option<Vec<Uuid>>,
    number: Option<Decimal>,
    answer_text: Option<String>,
    is_sealed: bool,
    cast_on: Option<String>,
}

impl AnswerRow {
    /// The answer, of a sealed one a mark without content, and where it was cast.
    pub(crate) fn read(self) -> QueryResult<(Answer, Option<CastOn>)> {
        let answer = match self.is_sealed {
            true => Answer::Sealed(None),
            false => answer(self.option_ids, self.number, self.answer_text)?,
        };
        Ok((answer, self.cast_on.as_deref().map(cast_on).transpose()?))
    }
}

/// The votes of a round with the weights of its register, joined here: the round may be newer than the statistics, and a
/// join planned by them might read every vote for each entry.
pub(crate) fn load_votes(conn: &mut PgConnection, round: Uuid) -> QueryResult<Vec<CountedVote>> {
    type Entry = (Decimal, Option<Decimal>, bool, Option<Vec<i16>>);
    type Weight = (Uuid, Entry);
    let (entries, rows): (Vec<Weight>, Vec<AnswerRow>) = of_visible_round(conn, round, |conn| {
        let entries = register::table
            .filter(register::round_id.eq(round))
            .select((
                register::end_user_id,
                (register::weight, register::second_weight, register::was_connected, register::groups),
            ))
            .load(conn)?;
        let rows = votes::table
            .filter(votes::round_id.eq(round))
            .order(votes::id)
            .select(AnswerRow::as_select())
            .load(conn)?;
        Ok((entries, rows))
    })?;
    let mut entries: HashMap<Uuid, Entry> = entries.into_iter().collect();
    rows.into_iter()
        .filter_map(|row| {
            let (weight, second_weight, was_connected, groups) = entries.remove(&row.end_user_id)?;
            let (weight, groups) = (weight.normalize(), group_places(groups));
            let second_weight = second_weight.map(|second| second.normalize());
            let vote =
                |(answer, cast_on)| CountedVote { answer, weight, second_weight, was_connected, groups, cast_on };
            Some(row.read().map(vote))
        })
        .collect()
}

/// The wording of a round.
pub(crate) fn load_wording(conn: &mut PgConnection, round: Uuid) -> QueryResult<Wording> {
    let row = rounds::table.find(round).select(RoundRow::as_select()).first(conn)?;
    let round = with_options(conn, vec![row])?.pop().ok_or(Error::NotFound)?;
    Ok(round.wording)
}

/// The answer from its three columns, of which one is set.
pub(crate) fn answer(
    option_ids: Option<Vec<Uuid>>,
    number: Option<Decimal>,
    answer_text: Option<String>,
) -> QueryResult<Answer> {
    match (option_ids, number, answer_text) {
        (Some(ids), None, None) => Ok(Answer::Options(ids.into_iter().map(OptionId::from_uuid).collect())),
        (None, Some(number), None) => Ok(Answer::Number(number.normalize())),
        (None, None, Some(text)) => Ok(Answer::Text(text)),
        _ => Err(damaged("a vote has no answer, or several")),
    }
}

pub(crate) fn cast_on_text(cast_on: CastOn) -> &'static str {
    match cast_on {
        CastOn::Paper => "PAPER",
        CastOn::VotingPlace => "VOTING_PLACE",
    }
}

pub(crate) fn cast_on(text: &str) -> QueryResult<CastOn> {
    match text {
        "PAPER" => Ok(CastOn::Paper),
        "VOTING_PLACE" => Ok(CastOn::VotingPlace),
        other => Err(damaged(format!("votes.cast_on is {other}"))),
    }
}

/// Whether a round is open. With the status as a parameter, a plan for any value would not use the index of open rounds, but read
/// all rounds of the meeting.
pub(crate) fn is_open() -> Condition {
    Condition("rounds.status = 'OPEN'")
}

pub(crate) fn round_status_text(status: RoundStatus) -> &'static str {
    match status {
        RoundStatus::Open => "OPEN",
        RoundStatus::Ended => "ENDED",
        RoundStatus::Declared => "DECLARED",
    }
}

pub(crate) fn round_status(text: &str) -> QueryResult<RoundStatus> {
    match text {
        "OPEN" => Ok(RoundStatus::Open),
        "ENDED" => Ok(RoundStatus::Ended),
        "DECLARED" => Ok(RoundStatus::Declared),
        other => Err(damaged(format!("rounds.status is {other}"))),
    }
}
