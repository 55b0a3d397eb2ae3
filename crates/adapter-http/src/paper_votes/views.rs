use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use plenum_voting::{BatchInRound, BatchState, EnteredBallot, PaperBatchHead, PaperOutcome, Wording};
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::extract::exact;

/// The state of a batch.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = PaperBatchState)]
pub(super) enum BatchStateName {
    /// Another teller has to confirm it.
    Waiting,
    /// Its votes are counted, except those of people who could not vote any more.
    Confirmed,
    /// None of its votes is counted.
    Discarded,
}

impl From<BatchState> for BatchStateName {
    fn from(state: BatchState) -> Self {
        match state {
            BatchState::Waiting => Self::Waiting,
            BatchState::Confirmed => Self::Confirmed,
            BatchState::Discarded => Self::Discarded,
        }
    }
}

/// What became of a vote on paper.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = PaperOutcome)]
pub(super) enum PaperOutcomeName {
    /// Its batch waits.
    Waiting,
    /// Counted.
    Counted,
    /// The person had voted before, and that vote counts.
    VotedBefore,
    /// The person is not in the register any more, or may not vote any more.
    NotInRegister,
    /// Its batch was discarded.
    Discarded,
}

impl From<PaperOutcome> for PaperOutcomeName {
    fn from(outcome: PaperOutcome) -> Self {
        match outcome {
            PaperOutcome::Waiting => Self::Waiting,
            PaperOutcome::Counted => Self::Counted,
            PaperOutcome::VotedBefore => Self::VotedBefore,
            PaperOutcome::NotInRegister => Self::NotInRegister,
            PaperOutcome::Discarded => Self::Discarded,
        }
    }
}

/// A batch of votes on paper.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PaperBatchHead, example = example_head)]
pub(super) struct PaperBatchHeadView {
    id: Uuid,
    /// From 1 in each round.
    number: u32,
    state: BatchStateName,
    entered_at: DateTime<Utc>,
    /// The name of the organizer or the desk.
    entered_by: String,
    /// The time at which it was confirmed or discarded.
    #[schema(required)]
    closed_at: Option<DateTime<Utc>>,
    #[schema(required)]
    closed_by: Option<String>,
    /// The number of votes in it.
    ballots: u64,
    /// The number of those that were counted. Null unless it is confirmed.
    #[schema(required)]
    counted: Option<u64>,
    /// Whether the caller entered it, and so cannot confirm it.
    is_own: bool,
}

/// An example for the OpenAPI document.
pub(super) fn example_head() -> Value {
    json!({
        "id": "019a9d5e-0000-7000-8000-000000000040", "number": 1, "state": "WAITING", "enteredAt": "2026-11-21T18:05:00Z",
        "enteredBy": "Tellers 1", "closedAt": null, "closedBy": null, "ballots": 2, "counted": null, "isOwn": false,
    })
}

impl From<PaperBatchHead> for PaperBatchHeadView {
    fn from(head: PaperBatchHead) -> Self {
        let (closed_at, closed_by) = head.closed.unzip();
        Self {
            id: head.id.as_uuid(),
            number: head.number,
            state: head.state.into(),
            entered_at: head.entered_at,
            entered_by: head.entered_by,
            closed_at,
            closed_by,
            ballots: head.ballots,
            counted: head.counted,
            is_own: head.is_own,
        }
    }
}

/// A person of a batch, as in the register.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PaperBallot, example = json!({
    "endUserId": "019a9d5e-0000-7000-8000-000000000003", "name": "Ben Acker", "username": "ben", "weight": 1.5,
    "answers": ["Yes"], "outcome": "WAITING",
}))]
pub(super) struct PaperBallotView {
    end_user_id: Uuid,
    name: String,
    username: String,
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    weight: Decimal,
    /// The answers, in a named question while the batch waits. Null otherwise.
    #[schema(required)]
    answers: Option<Vec<String>>,
    outcome: PaperOutcomeName,
}

/// How many people of a batch gave the same answers.
#[derive(Serialize, ToSchema)]
#[schema(as = PaperCount, example = json!({ "answers": ["Yes"], "count": 12 }))]
pub(super) struct PaperCountView {
    answers: Vec<String>,
    count: u64,
}

/// A batch with its people.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PaperBatch, example = example_batch)]
pub(super) struct PaperBatchView {
    id: Uuid,
    /// From 1 in each round.
    number: u32,
    state: BatchStateName,
    entered_at: DateTime<Utc>,
    /// The name of the organizer or the desk.
    entered_by: String,
    /// The time at which it was confirmed or discarded.
    #[schema(required)]
    closed_at: Option<DateTime<Utc>>,
    #[schema(required)]
    closed_by: Option<String>,
    /// The number of votes in it.
    ballots: u64,
    /// The number of those that were counted. Null unless it is confirmed.
    #[schema(required)]
    counted: Option<u64>,
    /// Whether the caller entered it, and so cannot confirm it.
    is_own: bool,
    /// The people, by name.
    people: Vec<PaperBallotView>,
    /// The answers with their numbers, in an unshown question while the batch waits. Empty otherwise.
    counts: Vec<PaperCountView>,
}

/// An example for the OpenAPI document.
pub(super) fn example_batch() -> Value {
    let mut batch = example_head();
    batch["people"] = json!([
        {
            "endUserId": "019a9d5e-0000-7000-8000-000000000003", "name": "Ben Acker", "username": "ben", "weight": 1.5,
            "answers": ["Yes"], "outcome": "WAITING",
        },
        {
            "endUserId": "019a9d5e-0000-7000-8000-000000000004", "name": "Clara Young", "username": "clara", "weight": 1,
            "answers": ["No"], "outcome": "WAITING",
        },
    ]);
    batch["counts"] = json!([]);
    batch
}

impl From<BatchInRound> for PaperBatchView {
    fn from(BatchInRound { batch, round }: BatchInRound) -> Self {
        let (wording, is_named) = (&round.wording, round.secrecy.is_named());
        let counts = if is_named { Vec::new() } else { counts_of(&batch.ballots, wording) };
        let person = |ballot: EnteredBallot| PaperBallotView {
            end_user_id: ballot.voter.as_uuid(),
            name: ballot.name,
            username: ballot.username,
            weight: ballot.weight,
            answers: ballot.answer.filter(|_| is_named).map(|answer| answer.texts(wording)),
            outcome: ballot.outcome.into(),
        };
        let people = batch.ballots.into_iter().map(person).collect();
        let PaperBatchHeadView {
            id,
            number,
            state,
            entered_at,
            entered_by,
            closed_at,
            closed_by,
            ballots,
            counted,
            is_own,
        } = batch.head.into();
        Self {
            id,
            number,
            state,
            entered_at,
            entered_by,
            closed_at,
            closed_by,
            ballots,
            counted,
            is_own,
            people,
            counts,
        }
    }
}

/// Equal answers with their numbers, in an order that says nothing about the people.
fn counts_of(ballots: &[EnteredBallot], wording: &Wording) -> Vec<PaperCountView> {
    let mut counts: BTreeMap<Vec<String>, u64> = BTreeMap::new();
    for answer in ballots.iter().filter_map(|ballot| ballot.answer.as_ref()) {
        *counts.entry(answer.texts(wording)).or_default() += 1;
    }
    counts.into_iter().map(|(answers, count)| PaperCountView { answers, count }).collect()
}
