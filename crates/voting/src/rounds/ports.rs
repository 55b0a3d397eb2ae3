use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, EndUserId, MeetingId, Page, PortFailure, QuestionId, RoundId, Step};

use crate::{
    Closing, CountdownRule, OpeningRule, RegisterEntry, RegisterFilter, Round, RoundOpening, RoundOverview, Screen,
    StoredVote, VoterRound,
};

/// The reason why a question was not put on the screen.
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
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why a countdown was not set or taken off.
#[derive(Debug, thiserror::Error)]
pub enum CountdownError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// A rule forbids it.
    #[error(transparent)]
    Rule(#[from] CountdownRule),
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// How many rounds are ended by themselves in one go at most.
pub const MAX_CLOSINGS: usize = 100;

/// Stores rounds. Each call is one transaction and sees one client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait RoundStore: Send + Sync {
    /// Opens a question: locks the meeting, asks [`crate::decide_opening`], or [`crate::decide_revote`] for a re-vote, and
    /// does what it says. Any other running round of the meeting is ended first, after the ballots that are being written.
    /// The question becomes the meeting's current one. That is a step, unless it was open already; it was decided on the
    /// state after `seen`, if that is said.
    ///
    /// A new round gets the id `new_round`, a copy of the question's wording, options and terms as they stand (the
    /// quorum is the meeting's where the question has none), and the register: the participants who are active, or every
    /// active end user of the client where the meeting has no participant list, each with name, username and weight of
    /// this moment, and whether they are connected. Whether it is there for tests is what [`crate::is_test_round`] says of
    /// the names of this moment. A round that takes the place of one without votes keeps that one's reason. A reopened
    /// round keeps all that, and its votes; people who became eligible since are added to the register, and it is
    /// counted anew. No countdown runs. Both are logged, and so is the end of the other round. A rehearsal of the meeting
    /// that runs (another domain's, which a store of that domain alone does not know) MUST end with it.
    ///
    /// # Errors
    /// `MeetingNotFound` and `QuestionNotFound` also for another client's or meeting's; `Rule` when
    /// [`crate::decide_opening`], [`crate::decide_revote`] or, with the register that the round would have,
    /// [`crate::check_quorum`] refuses. Then nothing is changed, a running round included.
    async fn open(&self, opening: RoundOpening) -> Result<(), OpenRoundError>;

    /// Locks the meeting and asks [`crate::decide_showing`]. If there is something to be shown, ends the meeting's running
    /// round, if there is one, after the ballots that are being written, logs that `by` did it, and makes `question` the
    /// current one without opening it, or none. That is a step.
    ///
    /// # Errors
    /// As [`Self::open`], where `Rule` is what [`crate::decide_showing`] refuses with.
    async fn show(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: Option<QuestionId>,
        by: AccountId,
        now: DateTime<Utc>,
        seen: Option<Step>,
    ) -> Result<(), OpenRoundError>;

    /// Locks the meeting, asks [`crate::decide_closing`], and if that agrees lets the running round end at `closes_at`, or
    /// not by itself. That is a step.
    ///
    /// # Errors
    /// `MeetingNotFound` also for another client's; `Rule` when [`crate::decide_closing`] refuses. Then nothing is
    /// changed.
    async fn set_closing(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        closes_at: Option<DateTime<Utc>>,
        seen: Option<Step>,
    ) -> Result<(), CountdownError>;

    /// The running rounds of all clients that end by themselves until then, the earliest first, [`MAX_CLOSINGS`] of them at
    /// most. MUST cost next to nothing when no countdown runs.
    async fn closings_until(&self, until: DateTime<Utc>) -> Result<Vec<Closing>, PortFailure>;

    /// Locks the meeting and ends its running round if that has a closing time which has come `now`, after the ballots that
    /// are being written, and logs that it ended by itself. Its question stays the current one. That is a step. Says
    /// whether a round was ended; MUST not wait for somebody else who has locked the meeting, but say that none was.
    async fn end_due(&self, owner: ClientId, meeting: MeetingId, now: DateTime<Utc>) -> Result<bool, PortFailure>;

    /// What is on the screen. `None` when the client has no such meeting.
    async fn screen(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Screen>, PortFailure>;

    /// The rounds of a meeting, the earliest first. `None` when the client has no such meeting.
    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<RoundOverview>>, PortFailure>;

    /// A part of the register of a round, by name, with who has voted. `None` when the client's meeting has no such round.
    /// MUST look at no other round.
    async fn register(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
        filter: &RegisterFilter,
    ) -> Result<Option<Page<RegisterEntry>>, PortFailure>;

    /// What a voter has cast in a round of this question, whatever its status. `None` also when it is another client's,
    /// meeting's or question's round.
    async fn vote_in(
        &self,
        client: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        round: RoundId,
        voter: EndUserId,
    ) -> Result<Option<StoredVote>, PortFailure>;

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
