use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, DeskId, IssuedBallotId, MeetingId, PortFailure, RoundId};

use crate::{
    BatchRequest, ConfirmationRule, EntryRule, IssueRule, IssuedBallot, NewPaperBatch, PaperBatch, PaperBatchHead,
    Round, RoundWithLeftBatches, Teller,
};

/// The reason why a batch was not stored.
#[derive(Debug, thiserror::Error)]
pub enum StoreBatchError {
    /// The client's meeting has no such round.
    #[error("the round does not exist")]
    RoundNotFound,
    /// A rule forbids it.
    #[error(transparent)]
    Rule(#[from] EntryRule),
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why a batch was not confirmed or discarded.
#[derive(Debug, thiserror::Error)]
pub enum CloseBatchError {
    /// The round has no such batch.
    #[error("the batch does not exist")]
    NotFound,
    /// A rule forbids it.
    #[error(transparent)]
    Rule(#[from] ConfirmationRule),
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why a voting place gave somebody no ballot.
#[derive(Debug, thiserror::Error)]
pub enum IssueError {
    /// The client's meeting has no such round.
    #[error("the round does not exist")]
    RoundNotFound,
    /// A rule forbids it.
    #[error(transparent)]
    Rule(#[from] IssueRule),
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Stores votes on paper, and the ballots of voting places. Each call is one transaction and sees one client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait PaperVotes: Send + Sync {
    /// A round in any status. `None` if the client's meeting has no such round.
    async fn round(&self, client: ClientId, meeting: MeetingId, round: RoundId) -> Result<Option<Round>, PortFailure>;

    /// Locks the meeting and stores a batch, if [`crate::decide_entry`] permits it. A batch that is there already, of the same
    /// round, teller and people, is returned as it is: its first response may have been lost.
    ///
    /// # Errors
    /// `RoundNotFound` also for a round of another client or meeting; `Rule` when [`crate::decide_entry`] refuses, and `IdTaken`.
    /// Then nothing is changed.
    async fn enter(&self, batch: NewPaperBatch) -> Result<PaperBatch, StoreBatchError>;

    /// The batches of a round as this teller sees them, the earliest first. `None` if the client's meeting has no such round.
    async fn batches(
        &self,
        client: ClientId,
        meeting: MeetingId,
        round: RoundId,
        teller: Teller,
    ) -> Result<Option<Vec<PaperBatchHead>>, PortFailure>;

    /// The rounds of the client's meeting on which voting is not open and in which batches wait, the earliest first. At most
    /// [`crate::MAX_ROUNDS_WITH_LEFT_BATCHES`]. Empty if the client has no such meeting.
    async fn rounds_with_left_batches(
        &self,
        client: ClientId,
        meeting: MeetingId,
    ) -> Result<Vec<RoundWithLeftBatches>, PortFailure>;

    /// A batch. `None` if the round of the client's meeting has no such batch.
    async fn batch(&self, request: BatchRequest) -> Result<Option<PaperBatch>, PortFailure>;

    /// Locks the meeting, asks [`crate::decide_confirmation`], and counts the votes of a batch accordingly. Waits for the ballots
    /// that are being written in the round, and later ballots wait for the confirmation: so each person has one vote, whichever was
    /// first. The votes have the time `at` and no session. The answers are removed from the batch.
    ///
    /// # Errors
    /// `NotFound` also for a batch of another client, meeting or round; `Rule` when [`crate::decide_confirmation`] refuses. Then
    /// nothing is changed.
    async fn confirm(&self, request: BatchRequest, at: DateTime<Utc>) -> Result<PaperBatch, CloseBatchError>;

    /// Discards a batch that waits, in a round of any status, and removes its answers.
    ///
    /// # Errors
    /// `NotFound` also for a batch of another client, meeting or round; `Rule` with `Closed` for a batch that does not wait.
    async fn discard(&self, request: BatchRequest, at: DateTime<Utc>) -> Result<PaperBatch, CloseBatchError>;

    /// Notes that a voting place gives a person a ballot, if [`crate::decide_issue`] permits it. A repeat for the same round, person
    /// and desk changes nothing, also after the vote.
    ///
    /// # Errors
    /// `RoundNotFound` also for a round of another client or meeting; `Rule` when [`crate::decide_issue`] refuses, and `IdTaken`.
    async fn issue(&self, ballot: IssuedBallot) -> Result<(), IssueError>;

    /// A ballot that this desk has given to somebody.
    async fn issued(
        &self,
        client: ClientId,
        desk: DeskId,
        ballot: IssuedBallotId,
    ) -> Result<Option<IssuedBallot>, PortFailure>;
}
