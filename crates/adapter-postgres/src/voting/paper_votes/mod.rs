//! Votes on paper, and the ballots of voting places.

mod batches;
mod voters;

use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::max;
use diesel::prelude::*;
use diesel::sql_types::{Array, Text, Timestamptz, Uuid as SqlUuid};
use plenum_kernel::{ClientId, DeskId, EndUserId, IssuedBallotId, MeetingId, PortFailure, RoundId, Secrecy};
use plenum_voting::{
    BatchRequest, BatchState, CloseBatchError, ConfirmationContext, ConfirmationRule, EntryContext, EntryRule,
    IssueError, IssueRule, IssuedBallot, NewPaperBatch, PaperBatch, PaperBatchHead, PaperOutcome, PaperVotes, Round,
    RoundStatus, RoundWithLeftBatches, StoreBatchError, Teller, decide_confirmation, decide_entry, decide_issue,
};
use uuid::Uuid;

use self::batches::{BatchRow, insert, left_in_meeting, load_batch, outcome_text, round_of, state_text, teller_id};
use self::voters::paper_voters;
use crate::Db;
use crate::pool::failure::Abort;
use crate::rows::columns::count;
use crate::schema::{desks, issued_ballots, paper_batches, rounds};
use crate::voting::round_log::account_name;
use crate::voting::rows::{lock_ballots, with_options};
use crate::voting::steps::LockedMeeting;

/// Votes on paper in PostgreSQL.
#[derive(Clone)]
pub struct PostgresPaperVotes {
    db: Db,
}

impl PostgresPaperVotes {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl PaperVotes for PostgresPaperVotes {
    async fn round(&self, client: ClientId, meeting: MeetingId, round: RoundId) -> Result<Option<Round>, PortFailure> {
        self.db
            .of(client)
            .snapshot(move |conn| {
                let Some(row) = round_of(conn, (client, meeting, round))? else { return Ok(None) };
                Ok(with_options(conn, vec![row])?.pop())
            })
            .await
    }

    async fn enter(&self, batch: NewPaperBatch) -> Result<PaperBatch, StoreBatchError> {
        self.db.of(batch.client).transaction(move |conn| enter(conn, &batch)).await
    }

    async fn batches(
        &self,
        client: ClientId,
        meeting: MeetingId,
        round: RoundId,
        teller: Teller,
    ) -> Result<Option<Vec<PaperBatchHead>>, PortFailure> {
        self.db
            .of(client)
            .snapshot(move |conn| {
                if round_of(conn, (client, meeting, round))?.is_none() {
                    return Ok(None);
                }
                let rows: Vec<BatchRow> = paper_batches::table
                    .filter(paper_batches::client_id.eq(client.as_uuid()))
                    .filter(paper_batches::round_id.eq(round.as_uuid()))
                    .order(paper_batches::number)
                    .select(BatchRow::as_select())
                    .load(conn)?;
                rows.into_iter().map(|row| row.head(teller)).collect::<QueryResult<_>>().map(Some)
            })
            .await
    }

    async fn rounds_with_left_batches(
        &self,
        client: ClientId,
        meeting: MeetingId,
    ) -> Result<Vec<RoundWithLeftBatches>, PortFailure> {
        self.db.of(client).run(move |conn| left_in_meeting(conn, client, meeting)).await
    }

    async fn batch(&self, request: BatchRequest) -> Result<Option<PaperBatch>, PortFailure> {
        self.db
            .of(request.client)
            .snapshot(move |conn| {
                let place = (request.client, request.meeting, request.round);
                if round_of(conn, place)?.is_none() {
                    return Ok(None);
                }
                load_batch(conn, &request)
            })
            .await
    }

    async fn confirm(&self, request: BatchRequest, at: DateTime<Utc>) -> Result<PaperBatch, CloseBatchError> {
        self.db.of(request.client).transaction(move |conn| confirm(conn, &request, at)).await
    }

    async fn discard(&self, request: BatchRequest, at: DateTime<Utc>) -> Result<PaperBatch, CloseBatchError> {
        self.db.of(request.client).transaction(move |conn| discard(conn, &request, at)).await
    }

    async fn issue(&self, ballot: IssuedBallot) -> Result<(), IssueError> {
        self.db.of(ballot.client).transaction(move |conn| issue(conn, &ballot)).await
    }

    async fn issued(
        &self,
        client: ClientId,
        desk: DeskId,
        ballot: IssuedBallotId,
    ) -> Result<Option<IssuedBallot>, PortFailure> {
        type Found = (Uuid, Uuid, Uuid, DateTime<Utc>);
        self.db
            .of(client)
            .run(move |conn| {
                let found: Option<Found> = issued_ballots::table
                    .inner_join(rounds::table.on(rounds::id.eq(issued_ballots::round_id)))
                    .filter(issued_ballots::id.eq(ballot.as_uuid()))
                    .filter(issued_ballots::client_id.eq(client.as_uuid()))
                    .filter(issued_ballots::desk_id.eq(desk.as_uuid()))
                    .select((
                        rounds::meeting_id,
                        issued_ballots::round_id,
                        issued_ballots::end_user_id,
                        issued_ballots::issued_at,
                    ))
                    .first(conn)
                    .optional()?;
                Ok(found.map(|(meeting, round, voter, at)| IssuedBallot {
                    id: ballot,
                    client,
                    meeting: MeetingId::from_uuid(meeting),
                    round: RoundId::from_uuid(round),
                    voter: EndUserId::from_uuid(voter),
                    desk,
                    at,
                }))
            })
            .await
    }
}

/// A round in its locked meeting.
struct LockedRound {
    meeting: LockedMeeting,
    status: RoundStatus,
    secrecy: Secrecy,
}

/// Locks the client's meeting with this round.
fn lock_round(
    conn: &mut PgConnection,
    (client, meeting, round): (ClientId, MeetingId, RoundId),
) -> QueryResult<Option<LockedRound>> {
    let Some(locked) = LockedMeeting::lock(conn, client.as_uuid(), meeting.as_uuid())? else { return Ok(None) };
    let Some(row) = round_of(conn, (client, meeting, round))? else { return Ok(None) };
    Ok(Some(LockedRound { meeting: locked, status: row.status()?, secrecy: row.secrecy()? }))
}

/// The name of a teller.
fn teller_name(conn: &mut PgConnection, teller: Teller) -> QueryResult<String> {
    match teller {
        Teller::Organizer(account) => account_name(conn, account.as_uuid()),
        Teller::Desk(desk) => desks::table.find(desk.as_uuid()).select(desks::name).first(conn),
    }
}

fn enter(conn: &mut PgConnection, batch: &NewPaperBatch) -> Result<PaperBatch, Abort<StoreBatchError>> {
    let refused = |rule: EntryRule| Abort::Refused(rule.into());
    let place = (batch.client, batch.meeting, batch.round);
    let locked = lock_round(conn, place)?.ok_or(Abort::Refused(StoreBatchError::RoundNotFound))?;
    let request = BatchRequest {
        client: batch.client,
        meeting: batch.meeting,
        round: batch.round,
        batch: batch.id,
        by: batch.by,
    };
    if let Some(before) = load_batch(conn, &request)? {
        let of_before: BTreeSet<EndUserId> = before.ballots.iter().map(|ballot| ballot.voter).collect();
        let is_same = of_before == batch.ballots.iter().map(|ballot| ballot.voter).collect();
        return if before.head.is_own && is_same { Ok(before) } else { Err(refused(EntryRule::IdTaken)) };
    }
    let round = batch.round.as_uuid();
    let people: Vec<Uuid> = batch.ballots.iter().map(|ballot| ballot.voter.as_uuid()).collect();
    let of_round = paper_batches::table.filter(paper_batches::round_id.eq(round));
    // Numbers are given under the lock of the meeting, without gaps.
    let last: Option<i32> = of_round.select(max(paper_batches::number)).first(conn)?;
    let number = last.unwrap_or(0);
    let is_discarded = paper_batches::state.eq(state_text(BatchState::Discarded));
    let discarded: i64 = of_round.filter(is_discarded).count().get_result(conn)?;
    let voters = paper_voters(conn, round, &people)?;
    let (status, secrecy) = (locked.status, locked.secrecy);
    let (batches, all_batches) = (count(i64::from(number) - discarded)?, count(i64::from(number))?);
    decide_entry(&EntryContext { status, secrecy, batches, all_batches, voters }).map_err(refused)?;
    let at = locked.meeting.time(conn, batch.at)?;
    let name = teller_name(conn, batch.by)?;
    insert(conn, batch, (number + 1, at, &name)).map_err(|error| match error {
        // The id of a batch of another round or client, which this client does not see.
        diesel::result::Error::DatabaseError(diesel::result::DatabaseErrorKind::UniqueViolation, _) => {
            refused(EntryRule::IdTaken)
        }
        error => Abort::Database(error),
    })?;
    load_batch(conn, &request)?.ok_or(Abort::Database(diesel::result::Error::NotFound))
}

/// Counts these votes of a batch. No ballot may be written in the round meanwhile.
const COUNT: &str = "
    WITH counted AS (
        INSERT INTO votes (id, round_id, end_user_id, option_ids, number, answer_text, is_sealed, cast_at, cast_on)
        SELECT gen_random_uuid(), $1, paper.end_user_id, paper.option_ids, paper.number, paper.answer_text, false, $2, 'PAPER'
        FROM paper_ballots AS paper
        WHERE paper.batch_id = $3 AND paper.end_user_id = ANY ($4)
        RETURNING round_id
    )
    INSERT INTO round_counters (round_id, writer, votes_cast)
    SELECT round_id, -1, count(*) FROM counted GROUP BY round_id
    ON CONFLICT ON CONSTRAINT round_counters_pkey
        DO UPDATE SET votes_cast = round_counters.votes_cast + excluded.votes_cast";

/// Sets the outcomes of the votes of a batch, whose answers go.
const CLOSE_BALLOTS: &str = "
    UPDATE paper_ballots
    SET outcome = closed.outcome, option_ids = NULL, number = NULL, answer_text = NULL
    FROM unnest($2, $3) AS closed (end_user_id, outcome)
    WHERE paper_ballots.batch_id = $1 AND paper_ballots.end_user_id = closed.end_user_id";

fn confirm(
    conn: &mut PgConnection,
    request: &BatchRequest,
    at: DateTime<Utc>,
) -> Result<PaperBatch, Abort<CloseBatchError>> {
    let missing = || Abort::Refused(CloseBatchError::NotFound);
    let place = (request.client, request.meeting, request.round);
    let locked = lock_round(conn, place)?.ok_or_else(missing)?;
    let batch = load_batch(conn, request)?.ok_or_else(missing)?;
    let round = request.round.as_uuid();
    let context = ConfirmationContext {
        state: batch.head.state,
        is_own: batch.head.is_own,
        status: locked.status,
        secrecy: locked.secrecy,
        voters: Vec::new(),
    };
    // What does not depend on votes is decided before any ballot waits.
    decide_confirmation(&context).map_err(|rule| Abort::Refused(rule.into()))?;
    lock_ballots(conn, round)?;
    let people: Vec<Uuid> = batch.ballots.iter().map(|ballot| ballot.voter.as_uuid()).collect();
    let voters = paper_voters(conn, round, &people)?;
    let outcomes =
        decide_confirmation(&ConfirmationContext { voters, ..context }).map_err(|rule| Abort::Refused(rule.into()))?;
    let at = locked.meeting.time(conn, at)?;
    let are_counted = people.iter().zip(&outcomes).filter(|(_, outcome)| **outcome == PaperOutcome::Counted);
    let counted: Vec<Uuid> = are_counted.map(|(person, _)| *person).collect();
    diesel::sql_query(COUNT)
        .bind::<SqlUuid, _>(round)
        .bind::<Timestamptz, _>(at)
        .bind::<SqlUuid, _>(request.batch.as_uuid())
        .bind::<Array<SqlUuid>, _>(&counted)
        .execute(conn)?;
    let closed = Closed { state: BatchState::Confirmed, at, counted: Some(counted.len()) };
    close(conn, request, (&people, &outcomes), &closed)?;
    load_batch(conn, request)?.ok_or_else(missing)
}

fn discard(
    conn: &mut PgConnection,
    request: &BatchRequest,
    at: DateTime<Utc>,
) -> Result<PaperBatch, Abort<CloseBatchError>> {
    let missing = || Abort::Refused(CloseBatchError::NotFound);
    let locked = lock_round(conn, (request.client, request.meeting, request.round))?.ok_or_else(missing)?;
    let batch = load_batch(conn, request)?.ok_or_else(missing)?;
    if batch.head.state != BatchState::Waiting {
        return Err(Abort::Refused(ConfirmationRule::Closed.into()));
    }
    let at = locked.meeting.time(conn, at)?;
    let people: Vec<Uuid> = batch.ballots.iter().map(|ballot| ballot.voter.as_uuid()).collect();
    let outcomes = vec![PaperOutcome::Discarded; people.len()];
    let closed = Closed { state: BatchState::Discarded, at, counted: None };
    close(conn, request, (&people, &outcomes), &closed)?;
    load_batch(conn, request)?.ok_or_else(missing)
}

/// How a batch is closed.
struct Closed {
    state: BatchState,
    at: DateTime<Utc>,
    counted: Option<usize>,
}

fn close(
    conn: &mut PgConnection,
    request: &BatchRequest,
    (people, outcomes): (&[Uuid], &[PaperOutcome]),
    closed: &Closed,
) -> QueryResult<()> {
    let outcomes: Vec<&str> = outcomes.iter().map(|outcome| outcome_text(*outcome)).collect();
    diesel::sql_query(CLOSE_BALLOTS)
        .bind::<SqlUuid, _>(request.batch.as_uuid())
        .bind::<Array<SqlUuid>, _>(people)
        .bind::<Array<Text>, _>(outcomes)
        .execute(conn)?;
    let name = teller_name(conn, request.by)?;
    let counted = closed.counted.map(|counted| i32::try_from(counted).unwrap_or(i32::MAX));
    diesel::update(paper_batches::table.find(request.batch.as_uuid()))
        .set((
            paper_batches::state.eq(state_text(closed.state)),
            paper_batches::closed_at.eq(closed.at),
            paper_batches::closed_by_id.eq(teller_id(request.by)),
            paper_batches::closed_by.eq(name),
            paper_batches::counted.eq(counted),
        ))
        .execute(conn)?;
    Ok(())
}

fn issue(conn: &mut PgConnection, ballot: &IssuedBallot) -> Result<(), Abort<IssueError>> {
    let refused = |rule: IssueRule| Abort::Refused(rule.into());
    let place = (ballot.client, ballot.meeting, ballot.round);
    let round = round_of(conn, place)?.ok_or(Abort::Refused(IssueError::RoundNotFound))?;
    let this = (ballot.round.as_uuid(), ballot.voter.as_uuid(), ballot.desk.as_uuid());
    match issued_with_id(conn, ballot.id)? {
        Some(known) if known == this => return Ok(()),
        Some(_) => return Err(refused(IssueRule::IdTaken)),
        None => {}
    }
    let voters = paper_voters(conn, round.id, &[ballot.voter.as_uuid()])?;
    let voter = voters.first().ok_or(refused(IssueRule::NotInRegister))?;
    let issued: i64 = issued_ballots::table
        .filter(issued_ballots::round_id.eq(this.0).and(issued_ballots::end_user_id.eq(this.1)))
        .count()
        .get_result(conn)?;
    decide_issue(round.status()?, voter, count(issued)?).map_err(refused)?;
    let added = diesel::insert_into(issued_ballots::table)
        .values((
            issued_ballots::id.eq(ballot.id.as_uuid()),
            issued_ballots::client_id.eq(ballot.client.as_uuid()),
            issued_ballots::round_id.eq(this.0),
            issued_ballots::end_user_id.eq(this.1),
            issued_ballots::desk_id.eq(this.2),
            issued_ballots::issued_at.eq(ballot.at),
        ))
        .on_conflict_do_nothing()
        .execute(conn)?;
    if added == 1 || issued_with_id(conn, ballot.id)? == Some(this) {
        // A repeat that arrived at the same time added it.
        return Ok(());
    }
    // Another ballot, perhaps of another client, which this client does not see.
    Err(refused(IssueRule::IdTaken))
}

/// The round, the person and the desk of the ballot with this id.
fn issued_with_id(conn: &mut PgConnection, id: IssuedBallotId) -> QueryResult<Option<(Uuid, Uuid, Uuid)>> {
    issued_ballots::table
        .find(id.as_uuid())
        .select((issued_ballots::round_id, issued_ballots::end_user_id, issued_ballots::desk_id))
        .first(conn)
        .optional()
}
