use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{
    ClientId, EndUserId, GroupId, MeetingId, Page, PortFailure, QuestionId, RoundId, Step, WeightKindId,
};
use rust_decimal::Decimal;

use crate::{
    CountdownRule, OpeningRule, RegisterEntry, RegisterFilter, Round, RoundDeadline, RoundOpening, RoundOverview,
    Screen, ScreenChange, StoredVote, VoterAgenda, VoterQuestion,
};

/// The question for which secrecy is forecast.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForecastScope {
    /// The groups that it is for. Empty for everybody.
    pub groups: Vec<GroupId>,
    /// A kind of weight of its own. Without one, it counts as the meeting does.
    pub weight_kind: Option<WeightKindId>,
}

/// The maximum number of named people without a weight.
pub const MAX_NAMED_WEIGHTLESS: usize = 20;

/// A person who may vote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedVoter {
    /// The end user.
    pub id: EndUserId,
    /// The full name.
    pub name: String,
    /// The username.
    pub username: String,
}

/// The people who may vote and have no value above zero of a kind of weight, so that their votes would count zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weightless {
    /// Their number.
    pub people: u64,
    /// The first of them by name, at most [`MAX_NAMED_WEIGHTLESS`].
    pub first: Vec<NamedVoter>,
}

/// The reason why a question was not shown or opened.
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

/// The reason why a countdown was not set or removed.
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

/// The maximum number of rounds that one pass ends by their countdowns.
pub const MAX_DEADLINES: usize = 100;

/// Stores rounds. Each call is one transaction and sees one client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait RoundStore: Send + Sync {
    /// Opens a question: locks the meeting, asks [`crate::decide_opening`], or [`crate::decide_revote`] for a re-vote,
    /// and acts accordingly. First ends any other running round of the meeting, after the ballots that are being
    /// written. The question becomes the current one. This is a step, unless the question was open already.
    ///
    /// A new round gets the id `new_round`, a copy of the question's wording, options and terms (the meeting's quorum
    /// if the question has none), and the register: the active participants, or every active end user of the client if
    /// the meeting has no participant list. Each entry has the current name, username, weight and connection.
    /// [`crate::is_test_round`] decides by the current names whether the round is for tests. A round that replaces one
    /// without votes keeps its reason. A reopened round keeps all this and its votes. Newly eligible people are added
    /// to the register, and the round is counted again. No countdown runs. Opening and the end of the other round are
    /// logged. A running rehearsal of the meeting MUST end; a store without rehearsals does not do it.
    ///
    /// A new secret round gets the key of the opening; without one the store refuses with `KeyNeeded`. Before any secret round
    /// opens, the store asks [`crate::check_secrecy`] about the weights of its register, and logs an accepted risk. If
    /// [`plenum_kernel::Secrecy::counts_heads`], everybody enters the register with the weight 1.
    ///
    /// # Errors
    /// `MeetingNotFound` and `QuestionNotFound` also for those of another client or meeting; `Rule` when
    /// [`crate::decide_opening`], [`crate::decide_revote`] or, with the register that the round would have,
    /// [`crate::check_quorum`] refuses. Then nothing is changed, including a running round.
    async fn open(&self, opening: RoundOpening) -> Result<(), OpenRoundError>;

    /// Locks the meeting and asks [`crate::decide_showing`]. If the presentation changes, ends the meeting's running round,
    /// if there is one, after the ballots that are being written, logs `by` as the actor, and makes the question the current
    /// one without opening it, or none. This is a step.
    ///
    /// # Errors
    /// As [`Self::open`], with `Rule` from [`crate::decide_showing`].
    async fn show(&self, change: ScreenChange) -> Result<(), OpenRoundError>;

    /// Locks the meeting, asks [`crate::decide_closing`], and if that permits it sets the closing time of the running round
    /// to `closes_at`, or removes it. This is a step.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client; `Rule` when [`crate::decide_closing`] refuses. Then nothing is
    /// changed.
    async fn set_closing(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        closes_at: Option<DateTime<Utc>>,
        seen: Option<Step>,
    ) -> Result<(), CountdownError>;

    /// The running rounds of all clients with a closing time until then, the earliest first, at most [`MAX_DEADLINES`]. MUST
    /// be cheap when no countdown runs.
    async fn deadlines_until(&self, until: DateTime<Utc>) -> Result<Vec<RoundDeadline>, PortFailure>;

    /// Locks the meeting and ends its running round if its closing time is not after `now`, after the ballots that are being
    /// written, and logs that it ended by itself. Its question stays the current one. This is a step. Returns whether a
    /// round was ended. MUST not wait for the lock of the meeting: if another transaction holds it, returns false.
    async fn end_due(&self, owner: ClientId, meeting: MeetingId, now: DateTime<Utc>) -> Result<bool, PortFailure>;

    /// The current question with the step. `None` when the client has no such meeting.
    async fn screen(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Screen>, PortFailure>;

    /// The weights of the people who would be in a register if a round opened now, each with a number of people who have it, in
    /// any order; a weight may stand there several times. With groups, only of their members. Nobody is excluded, because exclusions
    /// belong to a question. A kind of weight of another client MUST count as nobody's. `None` when the client has no such meeting.
    async fn eligible_weights(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        scope: &ForecastScope,
    ) -> Result<Option<Vec<(Decimal, u64)>>, PortFailure>;

    /// The people who may vote, present or not, and have no value above zero of the kind of weight. With groups, only
    /// their members. Nobody is excluded. Nobody is found if the meeting counts the ordinary weight, which everybody has. `None` when the
    /// client has no such meeting.
    async fn weightless(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        scope: &ForecastScope,
    ) -> Result<Option<Weightless>, PortFailure>;

    /// The rounds of a meeting, the earliest first. `None` when the client has no such meeting.
    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<RoundOverview>>, PortFailure>;

    /// A page of the register of a round, by name, with whether each person has voted. `None` when the client's meeting has
    /// no such round. MUST read no other round.
    async fn register(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
        filter: &RegisterFilter,
    ) -> Result<Option<Page<RegisterEntry>>, PortFailure>;

    /// The vote of a voter in a round of this question, in any status. `None` also for a round of another client, meeting or
    /// question.
    async fn vote_in(&self, question: VoterQuestion, round: RoundId) -> Result<Option<StoredVote>, PortFailure>;

    /// The last round of a question, in any status. `None` also for a question of another client or meeting.
    async fn last_of_question(
        &self,
        client: ClientId,
        meeting: MeetingId,
        question: QuestionId,
    ) -> Result<Option<Round>, PortFailure>;

    /// What was opened in the meeting, with this voter's eligibility and votes. Empty also for another client's meeting.
    async fn agenda_of_voter(
        &self,
        client: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
    ) -> Result<VoterAgenda, PortFailure>;
}
