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
    /// The person who cast it holds no proxy of the voter in the round, or the proxy rests. Says nothing about votes.
    NoProxy,
}

/// The reason why a vote of test data was not discarded.
#[derive(Debug, thiserror::Error)]
pub enum DiscardVoteError {
    /// There is no such vote, or it is another client's.
    #[error("the vote does not exist")]
    NotFound,
    /// The round was opened in a real meeting of a real client.
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
    /// Stores the vote if, at one moment, the round is open, and the voter is in its register, is active and has not voted
    /// in it. A ballot that is cast by somebody else also needs a proxy that is in force in the round. An earlier vote takes
    /// precedence over every other reason but a missing proxy. MUST not block on other voters' ballots, except for
    /// the end of the round.
    ///
    /// # Errors
    /// Fails when the queue is full or the store does not answer. Then the vote may have been
    /// stored. Sending the same ballot again is safe.
    async fn cast(&self, ballot: Ballot) -> Result<CastOutcome, PortFailure>;

    /// Withdraws the voter's vote from an open round, for testing. Returns whether there was one.
    async fn withdraw(&self, round: RoundId, voter: EndUserId) -> Result<bool, PortFailure>;

    /// Whether the round is for tests, as decided at its opening. False if there is no such round.
    async fn is_for_tests(&self, round: RoundId) -> Result<bool, PortFailure>;

    /// Deletes a vote of an open or ended round if [`crate::check_discard`] permits it: a vote of `owner`, or of any client
    /// without one. Returns the meeting.
    ///
    /// # Errors
    /// As [`crate::check_discard`]; `NotFound` also for a vote of another client.
    async fn discard(&self, owner: Option<ClientId>, vote: VoteId) -> Result<MeetingId, DiscardVoteError>;
}
