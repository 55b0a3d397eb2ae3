use async_trait::async_trait;
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure, RoundId, VoteId};

use crate::{Ballot, StoredVote};

/// The response to a ballot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CastOutcome {
    /// The vote is stored.
    Counted,
    /// The voter has already voted in this round, with this vote.
    VotedBefore(StoredVote),
    /// The round is not open, or no longer exists.
    NotOpen,
    /// The voter is not in the register of the round, or may no longer vote at all.
    NotInRegister,
}

/// The reason why a vote of test data was not discarded.
#[derive(Debug, thiserror::Error)]
pub enum DiscardVoteError {
    /// There is no such vote, or it is another client's.
    #[error("the vote does not exist")]
    NotFound,
    /// When its round opened, it was a real meeting of a real client.
    #[error("only votes of rounds that were opened under a name that starts with TEST_ can be deleted")]
    NotTestData,
    /// A declared result never changes.
    #[error("the result of this vote has been declared")]
    Declared,
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Stores ballots. It responds only after the vote is durable.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait BallotBox: Send + Sync {
    /// Stores the vote if, at one moment, the round is open, the voter is in its register and active, and has not
    /// voted in it; a vote stored before wins over every other reason. MUST not wait for anything that other voters'
    /// ballots wait for too, except the end of the round.
    ///
    /// # Errors
    /// Fails when the queue is full or the store does not answer. Then it is not known whether the vote was stored;
    /// handing the same ballot in again is safe.
    async fn cast(&self, ballot: Ballot) -> Result<CastOutcome, PortFailure>;

    /// Takes the voter's vote out of a round that is still open, for testing. Says whether there was one.
    async fn withdraw(&self, round: RoundId, voter: EndUserId) -> Result<bool, PortFailure>;

    /// Whether the round is there for tests, as was settled when it was opened. Not so where there is none.
    async fn is_for_tests(&self, round: RoundId) -> Result<bool, PortFailure>;

    /// Takes a vote out of a round, open or ended, if [`crate::check_discard`] agrees: of `owner` only, or of any client
    /// without one. Gives back the meeting.
    ///
    /// # Errors
    /// As [`crate::check_discard`]; `NotFound` also for a vote of another client.
    async fn discard(&self, owner: Option<ClientId>, vote: VoteId) -> Result<MeetingId, DiscardVoteError>;
}
