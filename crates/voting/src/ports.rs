use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure, QuestionId, RoundId, VoteId};

use crate::{Ballot, CountedVote, CurrentQuestion, OpeningRule, Round, RoundOverview, StoredVote, VoterRound};

/// Why a question was not put on the screen.
#[derive(Debug, thiserror::Error)]
pub enum OpenRoundError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// The meeting has no such question.
    #[error("the question does not exist")]
    QuestionNotFound,
    /// A rule of opening forbids it.
    #[error(transparent)]
    Rule(#[from] OpeningRule),
    /// The store did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Where rounds are kept. Each call is one transaction and sees one client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait RoundStore: Send + Sync {
    /// Opens a question: locks the meeting, asks [`crate::decide_opening`], and does what it says. Any other running
    /// round of the meeting is ended first, after the ballots that are being written. The question becomes the
    /// meeting's current one.
    ///
    /// A new round gets the id `new_round`, a copy of the question's wording and options as they stand, and the
    /// register: the participants who are active, or every active end user of the client where the meeting has no
    /// participant list, each with name, username and weight of this moment. Whether it is there for tests is what
    /// [`crate::is_test_round`] says of the names of this moment. A reopened round keeps all that, and its votes; people
    /// who became eligible since are added to the register.
    ///
    /// # Errors
    /// `MeetingNotFound` and `QuestionNotFound` also for another client's or meeting's; `Rule` when
    /// [`crate::decide_opening`] refuses. Then nothing is changed, a running round included.
    async fn open(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        new_round: RoundId,
        now: DateTime<Utc>,
    ) -> Result<(), OpenRoundError>;

    /// Ends the meeting's running round, if there is one, after the ballots that are being written, and makes
    /// `question` the current one without opening it, or none. Showing nothing works in any meeting and twice.
    ///
    /// # Errors
    /// As [`Self::open`]; a question is shown in running meetings only.
    async fn show(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: Option<QuestionId>,
        now: DateTime<Utc>,
    ) -> Result<(), OpenRoundError>;

    /// The question on the screen. The outer `None` when the client has no such meeting, the inner when the screen is
    /// empty.
    async fn current(
        &self,
        owner: ClientId,
        meeting: MeetingId,
    ) -> Result<Option<Option<CurrentQuestion>>, PortFailure>;

    /// The rounds of a meeting, the earliest first. `None` when the client has no such meeting.
    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<RoundOverview>>, PortFailure>;

    /// One round of a meeting and, as of the same moment, its votes with the weights of its register. MUST give no votes
    /// of a round that is open. `None` also for another client's or meeting's.
    async fn find_with_votes(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
    ) -> Result<Option<(Round, Vec<CountedVote>)>, PortFailure>;

    /// The last round of a question, whatever its status. `None` also for another client's or meeting's question.
    async fn last_of_question(
        &self,
        client: ClientId,
        meeting: MeetingId,
        question: QuestionId,
    ) -> Result<Option<Round>, PortFailure>;

    /// For every question of the meeting that was ever opened its last round as this voter stands to it, in the order
    /// of the agenda. Empty also for another client's meeting.
    async fn rounds_of_voter(
        &self,
        client: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
    ) -> Result<Vec<VoterRound>, PortFailure>;
}

/// What the box says to a ballot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoxAnswer {
    /// It is stored, for good.
    Counted,
    /// The voter has voted in this round before, with this.
    VotedBefore(StoredVote),
    /// The round takes no votes, or there is no such round any more.
    NotOpen,
    /// The voter is not in the register of the round, or may no longer vote at all.
    NotInRegister,
}

/// Why a vote of test data was not discarded.
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
    /// The store did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Where ballots are put. The answer comes after the vote is durable, and not before.
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
    async fn cast(&self, ballot: Ballot) -> Result<BoxAnswer, PortFailure>;

    /// Takes the voter's vote out of a round that is still open, for testing. Says whether there was one.
    async fn withdraw(&self, round: RoundId, voter: EndUserId) -> Result<bool, PortFailure>;

    /// Takes a vote out of a round, open or ended, if [`crate::check_discard`] agrees: of `owner` only, or of any client
    /// without one. Gives back the meeting.
    ///
    /// # Errors
    /// As [`crate::check_discard`]; `NotFound` also for a vote of another client.
    async fn discard(&self, owner: Option<ClientId>, vote: VoteId) -> Result<MeetingId, DiscardVoteError>;
}

/// Tells the live screens what happened. Called after the change was stored, never before.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait VotingSignals: Send + Sync {
    /// The meeting's current question or its round changed.
    async fn meeting_changed(&self, meeting: MeetingId);

    /// A vote came in or was withdrawn.
    async fn votes_changed(&self, meeting: MeetingId);
}
