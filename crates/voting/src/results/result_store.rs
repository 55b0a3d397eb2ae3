use async_trait::async_trait;
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure, QuestionId, RoundId};

use crate::{CountTaking, CountableRound, DeclareError, Declaring, StoredVote, TakenCount, TakenPapers};

/// A result that was declared, as a voter stands to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredToVoter {
    /// The round.
    pub round: RoundId,
    /// The question's place on the agenda, from 1.
    pub position: u32,
    /// What the voter has cast in it.
    pub vote: Option<StoredVote>,
}

/// A result that was declared and whose question is on the big screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeclaredOnScreen {
    /// The client that owns the meeting.
    pub client: ClientId,
    /// The round.
    pub round: RoundId,
    /// The question's place on the agenda, from 1.
    pub position: u32,
}

/// Where results are kept: rounds with their terms, logs and votes. Each call is one transaction and sees one client's
/// rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait ResultStore: Send + Sync {
    /// One round of a meeting, whatever its status. `None` also for another client's or meeting's.
    async fn find(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
    ) -> Result<Option<CountableRound>, PortFailure>;

    /// The rounds of a meeting that have ended or are declared, in the order of the agenda; the rounds of a question in
    /// their order. By a few statements, however many there are. `None` when the client has no such meeting.
    async fn ended(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<CountableRound>>, PortFailure>;

    /// The votes of a round, all as of one moment, at which it had ended as [`CountTaking`] says; `None` if it has not, or
    /// not any more, or is another client's or meeting's. If somebody sees the count of a round that is neither counted
    /// nor declared yet, that is noted in the round and in its log, at the same moment. MUST not let the round be opened
    /// meanwhile.
    async fn take_count(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        taking: CountTaking,
    ) -> Result<Option<TakenCount>, PortFailure>;

    /// The whole register of a round with what was voted, in the same way.
    async fn take_papers(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        taking: CountTaking,
    ) -> Result<Option<TakenPapers>, PortFailure>;

    /// Locks the meeting, asks [`crate::decide_declaring`], and if that agrees declares the round, with the name of who did
    /// it, and logs it. That is a step, and the current question stays. Gives back the round's question, or `None` if it
    /// was declared already.
    ///
    /// # Errors
    /// `MeetingNotFound` and `RoundNotFound` also for another client's or meeting's; `Rule` when
    /// [`crate::decide_declaring`] refuses. Then nothing is changed.
    async fn declare(&self, declaring: Declaring) -> Result<Option<QuestionId>, DeclareError>;

    /// The declared rounds of a meeting, in the order of the agenda; the rounds of a question in their order. By one
    /// statement that looks at no other votes than the voter's. Empty also for another client's meeting.
    async fn declared_to_voter(
        &self,
        client: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
    ) -> Result<Vec<DeclaredToVoter>, PortFailure>;

    /// The last round of the meeting's current question, if that is declared. Asked for the public screen, which knows no
    /// client; `None` also when the client is not active.
    async fn declared_on_screen(&self, meeting: MeetingId) -> Result<Option<DeclaredOnScreen>, PortFailure>;
}
