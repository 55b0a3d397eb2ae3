use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, DeskId, EndUserId, IssuedBallotId, MeetingId, PaperBatchId, RoundId};
use rust_decimal::Decimal;

use crate::Answer;

/// The maximum number of votes in a batch.
pub const MAX_PAPER_BALLOTS: usize = 100;

/// The maximum number of batches of a round that wait or are confirmed.
pub const MAX_PAPER_BATCHES: u64 = 500;

/// The maximum number of batches of a round, discarded ones included. Lists of batches are complete, so they need a bound.
pub const MAX_ENTERED_BATCHES: u64 = 2_000;

/// The maximum number of rounds with waiting batches that a screen lists.
pub const MAX_ROUNDS_WITH_LEFT_BATCHES: usize = 50;

/// The maximum number of ballots that voting places give to a person in a round: one, and more if a device fails.
pub const MAX_ISSUED_BALLOTS: u64 = 20;

/// A person who enters or confirms votes on paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Teller {
    /// An organizer.
    Organizer(AccountId),
    /// A helper with the link of a desk for tellers.
    Desk(DeskId),
}

/// A vote on paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaperBallot {
    /// The voter.
    pub voter: EndUserId,
    /// The answer. In a vote that is not named, one of the answers of the batch, in a random order.
    pub answer: Answer,
}

/// A batch to enter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPaperBatch {
    /// The id, made on the teller's device.
    pub id: PaperBatchId,
    /// The client that owns the meeting.
    pub client: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The round.
    pub round: RoundId,
    /// The votes, each of another person.
    pub ballots: Vec<PaperBallot>,
    /// The teller.
    pub by: Teller,
    /// The time.
    pub at: DateTime<Utc>,
}

/// A batch, and the teller who acts on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchRequest {
    /// The client that owns the meeting.
    pub client: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The round.
    pub round: RoundId,
    /// The batch.
    pub batch: PaperBatchId,
    /// The teller.
    pub by: Teller,
}

/// A round whose voting ended while batches of votes on paper waited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundWithLeftBatches {
    /// The round.
    pub round: RoundId,
    /// The text of its question.
    pub text: String,
}

/// The state of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BatchState {
    /// Entered. Another teller has to confirm it.
    Waiting,
    /// Confirmed: its votes are counted, except those of people who could not vote any more.
    Confirmed,
    /// Discarded: none of its votes is counted.
    Discarded,
}

/// What became of a vote on paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaperOutcome {
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

/// A batch without its votes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaperBatchHead {
    /// Its id.
    pub id: PaperBatchId,
    /// Its number in the round, from 1.
    pub number: u32,
    /// The state.
    pub state: BatchState,
    /// The time at which it was entered.
    pub entered_at: DateTime<Utc>,
    /// The name of the teller who entered it.
    pub entered_by: String,
    /// Whether the teller who asks entered it.
    pub is_own: bool,
    /// The time at which it was confirmed or discarded, and the name of the teller who did it.
    pub closed: Option<(DateTime<Utc>, String)>,
    /// The number of its votes.
    pub ballots: u64,
    /// The number of those that were counted, once it is confirmed.
    pub counted: Option<u64>,
}

/// A vote of a batch, with the person as in the register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnteredBallot {
    /// The voter.
    pub voter: EndUserId,
    /// The full name.
    pub name: String,
    /// The username.
    pub username: String,
    /// The voting weight.
    pub weight: Decimal,
    /// The answer, while the batch waits. It MUST only leave the server beside the voter in a round with named votes.
    pub answer: Option<Answer>,
    /// What became of it.
    pub outcome: PaperOutcome,
}

/// A batch with its votes, by the names of their voters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaperBatch {
    /// The batch.
    pub head: PaperBatchHead,
    /// The votes.
    pub ballots: Vec<EnteredBallot>,
}

/// A ballot that a voting place gives to a person whom its helper has identified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IssuedBallot {
    /// The id, made on the device of the voting place.
    pub id: IssuedBallotId,
    /// The client that owns the meeting.
    pub client: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The round.
    pub round: RoundId,
    /// The person.
    pub voter: EndUserId,
    /// The desk.
    pub desk: DeskId,
    /// The time.
    pub at: DateTime<Utc>,
}
