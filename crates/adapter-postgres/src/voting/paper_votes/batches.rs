//! Batches of votes on paper as rows.

use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, Nullable, Numeric, Text, Uuid as SqlUuid};
use plenum_kernel::{ClientId, EndUserId, MeetingId, PaperBatchId, RoundId};
use plenum_voting::{
    Answer, BatchRequest, BatchState, EnteredBallot, MAX_ROUNDS_WITH_LEFT_BATCHES, NewPaperBatch, PaperBatch,
    PaperBatchHead, PaperOutcome, RoundStatus, RoundWithLeftBatches, Teller,
};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::meetings::rows::natural;
use crate::pool::failure::damaged;
use crate::schema::{paper_ballots, paper_batches, rounds};
use crate::voting::rows::{RoundRow, answer, round_status_text};

#[derive(Queryable, Selectable)]
#[diesel(table_name = paper_batches, check_for_backend(Pg))]
pub(super) struct BatchRow {
    id: Uuid,
    number: i32,
    state: String,
    entered_at: DateTime<Utc>,
    entered_by_id: Uuid,
    entered_by: String,
    closed_at: Option<DateTime<Utc>>,
    closed_by: Option<String>,
    ballots: i32,
    counted: Option<i32>,
}

impl BatchRow {
    /// The batch as this teller sees it.
    pub(super) fn head(self, teller: Teller) -> QueryResult<PaperBatchHead> {
        Ok(PaperBatchHead {
            id: PaperBatchId::from_uuid(self.id),
            number: natural(self.number)?,
            state: state(&self.state)?,
            entered_at: self.entered_at,
            entered_by: self.entered_by,
            is_own: self.entered_by_id == teller_id(teller),
            closed: self.closed_at.zip(self.closed_by),
            ballots: natural(self.ballots)?.into(),
            counted: self.counted.map(natural).transpose()?.map(Into::into),
        })
    }
}

/// The id that tells a teller from others.
pub(super) fn teller_id(teller: Teller) -> Uuid {
    match teller {
        Teller::Organizer(account) => account.as_uuid(),
        Teller::Desk(desk) => desk.as_uuid(),
    }
}

/// A round of the client's meeting.
pub(super) fn round_of(
    conn: &mut PgConnection,
    (client, meeting, round): (ClientId, MeetingId, RoundId),
) -> QueryResult<Option<RoundRow>> {
    rounds::table
        .find(round.as_uuid())
        .filter(rounds::client_id.eq(client.as_uuid()).and(rounds::meeting_id.eq(meeting.as_uuid())))
        .select(RoundRow::as_select())
        .first(conn)
        .optional()
}

/// The rounds of a client's meeting on which voting is not open and in which batches wait.
pub(super) fn left_in_meeting(
    conn: &mut PgConnection,
    client: ClientId,
    meeting: MeetingId,
) -> QueryResult<Vec<RoundWithLeftBatches>> {
    // A number for each round is looked up by key whatever the statistics say. An `EXISTS` may become a join with all batches.
    let waiting = paper_batches::table
        .filter(paper_batches::round_id.eq(rounds::id))
        .filter(paper_batches::state.eq(state_text(BatchState::Waiting)))
        .count()
        .single_value();
    let found: Vec<(Uuid, String)> = rounds::table
        .filter(rounds::client_id.eq(client.as_uuid()).and(rounds::meeting_id.eq(meeting.as_uuid())))
        .filter(rounds::status.ne(round_status_text(RoundStatus::Open)))
        .filter(waiting.gt(0))
        .order((rounds::opened_at, rounds::id))
        .limit(MAX_ROUNDS_WITH_LEFT_BATCHES as i64)
        .select((rounds::id, rounds::question_text))
        .load(conn)?;
    Ok(found.into_iter().map(|(round, text)| RoundWithLeftBatches { round: RoundId::from_uuid(round), text }).collect())
}

/// Adds a batch with this number, time and name of its teller.
pub(super) fn insert(
    conn: &mut PgConnection,
    batch: &NewPaperBatch,
    (number, at, name): (i32, DateTime<Utc>, &str),
) -> QueryResult<()> {
    let ballots = i32::try_from(batch.ballots.len()).map_err(damaged)?;
    diesel::insert_into(paper_batches::table)
        .values((
            paper_batches::id.eq(batch.id.as_uuid()),
            paper_batches::client_id.eq(batch.client.as_uuid()),
            paper_batches::round_id.eq(batch.round.as_uuid()),
            paper_batches::number.eq(number),
            paper_batches::state.eq(state_text(BatchState::Waiting)),
            paper_batches::entered_at.eq(at),
            paper_batches::entered_by_id.eq(teller_id(batch.by)),
            paper_batches::entered_by.eq(name),
            paper_batches::ballots.eq(ballots),
        ))
        .execute(conn)?;
    let mut rows: Vec<BallotRow> = batch.ballots.iter().map(|ballot| BallotRow::of(batch, ballot)).collect();
    // In an order that says nothing about the one in which they were entered.
    rows.sort_by_key(|row| row.end_user_id);
    diesel::insert_into(paper_ballots::table).values(rows).execute(conn)?;
    Ok(())
}

#[derive(Insertable)]
#[diesel(table_name = paper_ballots)]
struct BallotRow {
    batch_id: Uuid,
    end_user_id: Uuid,
    client_id: Uuid,
    option_ids: Option<Vec<Uuid>>,
    number: Option<Decimal>,
    answer_text: Option<String>,
    outcome: &'static str,
}

impl BallotRow {
    fn of(batch: &NewPaperBatch, ballot: &plenum_voting::PaperBallot) -> Self {
        let (option_ids, number, answer_text) = match &ballot.answer {
            Answer::Options(ids) => (Some(ids.iter().map(|id| id.as_uuid()).collect()), None, None),
            Answer::Number(number) => (None, Some(*number), None),
            Answer::Text(text) => (None, None, Some(text.clone())),
            // No vote on paper is sealed; the row's check refuses it.
            Answer::Sealed(_) => (None, None, None),
        };
        Self {
            batch_id: batch.id.as_uuid(),
            end_user_id: ballot.voter.as_uuid(),
            client_id: batch.client.as_uuid(),
            option_ids,
            number,
            answer_text,
            outcome: outcome_text(PaperOutcome::Waiting),
        }
    }
}

#[derive(QueryableByName)]
struct EnteredRow {
    #[diesel(sql_type = SqlUuid)]
    end_user_id: Uuid,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    username: String,
    #[diesel(sql_type = Numeric)]
    weight: Decimal,
    #[diesel(sql_type = Nullable<Array<SqlUuid>>)]
    option_ids: Option<Vec<Uuid>>,
    #[diesel(sql_type = Nullable<Numeric>)]
    number: Option<Decimal>,
    #[diesel(sql_type = Nullable<Text>)]
    answer_text: Option<String>,
    #[diesel(sql_type = Text)]
    outcome: String,
}

impl TryFrom<EnteredRow> for EnteredBallot {
    type Error = diesel::result::Error;

    fn try_from(row: EnteredRow) -> QueryResult<Self> {
        let outcome = outcome(&row.outcome)?;
        let waits = outcome == PaperOutcome::Waiting;
        Ok(Self {
            voter: EndUserId::from_uuid(row.end_user_id),
            name: row.name,
            username: row.username,
            weight: row.weight.normalize(),
            answer: waits.then(|| answer(row.option_ids, row.number, row.answer_text)).transpose()?,
            outcome,
        })
    }
}

/// The votes of a batch. Entries are found by key. Somebody who was excluded since is not in the register any more, and has the
/// present name.
const BALLOTS: &str = "
    SELECT paper.end_user_id, coalesce(entry.name, person.name, '') AS name,
           coalesce(entry.username, person.username, '') AS username, coalesce(entry.weight, 0) AS weight,
           paper.option_ids, paper.number, paper.answer_text, paper.outcome
    FROM paper_ballots AS paper
    LEFT JOIN LATERAL (SELECT name, username, weight FROM register
                       WHERE register.round_id = $2 AND register.end_user_id = paper.end_user_id OFFSET 0) AS entry ON true
    LEFT JOIN LATERAL (SELECT name, username FROM end_users
                       WHERE end_users.id = paper.end_user_id OFFSET 0) AS person ON true
    WHERE paper.batch_id = $1
    ORDER BY lower(coalesce(entry.name, person.name, '')), paper.end_user_id";

/// A batch of the round as the teller of the request sees it.
pub(super) fn load_batch(conn: &mut PgConnection, request: &BatchRequest) -> QueryResult<Option<PaperBatch>> {
    let row: Option<BatchRow> = paper_batches::table
        .find(request.batch.as_uuid())
        .filter(paper_batches::client_id.eq(request.client.as_uuid()))
        .filter(paper_batches::round_id.eq(request.round.as_uuid()))
        .select(BatchRow::as_select())
        .first(conn)
        .optional()?;
    let Some(row) = row else { return Ok(None) };
    let ballots: Vec<EnteredRow> = diesel::sql_query(BALLOTS)
        .bind::<SqlUuid, _>(request.batch.as_uuid())
        .bind::<SqlUuid, _>(request.round.as_uuid())
        .load(conn)?;
    let ballots = ballots.into_iter().map(TryInto::try_into).collect::<QueryResult<_>>()?;
    Ok(Some(PaperBatch { head: row.head(request.by)?, ballots }))
}

pub(super) fn state_text(state: BatchState) -> &'static str {
    match state {
        BatchState::Waiting => "WAITING",
        BatchState::Confirmed => "CONFIRMED",
        BatchState::Discarded => "DISCARDED",
    }
}

fn state(text: &str) -> QueryResult<BatchState> {
    match text {
        "WAITING" => Ok(BatchState::Waiting),
        "CONFIRMED" => Ok(BatchState::Confirmed),
        "DISCARDED" => Ok(BatchState::Discarded),
        other => Err(damaged(format!("paper_batches.state is {other}"))),
    }
}

pub(super) fn outcome_text(outcome: PaperOutcome) -> &'static str {
    match outcome {
        PaperOutcome::Waiting => "WAITING",
        PaperOutcome::Counted => "COUNTED",
        PaperOutcome::VotedBefore => "VOTED_BEFORE",
        PaperOutcome::NotInRegister => "NOT_IN_REGISTER",
        PaperOutcome::Discarded => "DISCARDED",
    }
}

fn outcome(text: &str) -> QueryResult<PaperOutcome> {
    match text {
        "WAITING" => Ok(PaperOutcome::Waiting),
        "COUNTED" => Ok(PaperOutcome::Counted),
        "VOTED_BEFORE" => Ok(PaperOutcome::VotedBefore),
        "NOT_IN_REGISTER" => Ok(PaperOutcome::NotInRegister),
        "DISCARDED" => Ok(PaperOutcome::Discarded),
        other => Err(damaged(format!("paper_ballots.outcome is {other}"))),
    }
}
