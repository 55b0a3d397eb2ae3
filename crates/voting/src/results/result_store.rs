use async_trait::async_trait;
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure, QuestionId, RoundId};

use crate::{
    CastingVoteError, CountTaking, CountableRound, CountedVote, Counting, DecideTieError, NewCastingVote,
    NewSeatAnswer, NewTieDecision, NotedSeatAnswer, RegisterPaper, ResultStep, ResultStepError, SeatAnswerError,
    StoredVote,
};

/// A declared result for one voter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredToVoter {
    /// The round.
    pub round: RoundId,
    /// The question's place on the agenda, from 1.
    pub position: u32,
    /// The voter's vote in it.
    pub vote: Option<StoredVote>,
}

/// The declared result of the question on the presentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeclaredOnScreen {
    /// The client that owns the meeting.
    pub client: ClientId,
    /// The round.
    pub round: RoundId,
    /// The question's place on the agenda, from 1.
    pub position: u32,
}

/// Reads and declares results: rounds with their terms, logs and votes. Each call is one transaction and sees one
/// client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait ResultStore: Send + Sync {
    /// One round of a meeting, in any status. `None` also for a round of another client or meeting.
    async fn find(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
    ) -> Result<Option<CountableRound>, PortFailure>;

    /// The ended and declared rounds of a meeting without those of `except`, in the order of the agenda and then of the rounds.
    /// The number of statements MUST not grow with the number of rounds, and a value that cannot be read in a round of `except`
    /// MUST not matter. `None` when the client has no such meeting.
    async fn ended(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        except: Vec<RoundId>,
    ) -> Result<Option<Vec<CountableRound>>, PortFailure>;

    /// Locks the meeting, asks [`crate::decide_counting`], and if that permits it marks the round as counted, and logs the
    /// actor. This is a step. From then on the round never reopens.
    ///
    /// For a secret round this opens the urn, once and in the same transaction: it opens all envelopes with the key, stores
    /// their [`crate::UrnTally`], receipts and hash, removes the envelopes and the share of the key in the database, and logs
    /// an accepted risk.
    ///
    /// # Errors
    /// `MeetingNotFound` and `RoundNotFound` also for those of another client or meeting; `Rule` when
    /// [`crate::decide_counting`] refuses; `KeyMissing` when this instance does not have the share of the key that is outside
    /// of the database. Then nothing is changed.
    async fn mark_counted(&self, counting: ResultStep) -> Result<Counting, ResultStepError>;

    /// The votes of a round, all from one moment, at which its end is that of [`CountTaking`]. `None` if it is not, or for a
    /// round of another client or meeting.
    async fn take_count(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        taking: CountTaking,
    ) -> Result<Option<Vec<CountedVote>>, PortFailure>;

    /// As [`Self::take_count`], with the whole register, by name.
    async fn take_papers(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        taking: CountTaking,
    ) -> Result<Option<Vec<RegisterPaper>>, PortFailure>;

    /// Locks the meeting, and stores the decision of a tie with the name of the actor. The round MUST be ended, counted and not
    /// declared, and have as many decisions as [`NewTieDecision::before`] says. No decision is ever changed. It is no step.
    ///
    /// # Errors
    /// `OtherTie` if not, and for a round of another client or meeting. Then nothing is changed.
    async fn decide_tie(&self, decision: NewTieDecision) -> Result<(), DecideTieError>;

    /// Locks the meeting, and stores the casting vote with the name of the actor. The round MUST be ended, counted and not
    /// declared, and have none. It is never changed. It is no step.
    ///
    /// # Errors
    /// `NotOpen` if not, and for a round of another client or meeting. Then nothing is changed.
    async fn note_casting_vote(&self, new: NewCastingVote) -> Result<(), CastingVoteError>;

    /// Locks the meeting, asks [`crate::decide_seat_answer`], and if that returns seats it stores the answer with them and the
    /// name of the actor. Answers are only added. It is no step. Returns whether it was stored.
    ///
    /// # Errors
    /// The refusal of [`crate::decide_seat_answer`]; `RoundNotFound` also for a round of another client or meeting. Then nothing
    /// is changed.
    async fn note_seat_answer(&self, new: NewSeatAnswer) -> Result<bool, SeatAnswerError>;

    /// The noted answers of all declared elections of a meeting, the earliest first. Empty also for another client's meeting.
    async fn seat_answers(&self, owner: ClientId, meeting: MeetingId) -> Result<Vec<NotedSeatAnswer>, PortFailure>;

    /// Locks the meeting, asks [`crate::decide_declaring`], and if that permits it declares the round with the name of the
    /// actor, and logs it. This is a step. The current question stays. Returns the round's question, or `None` if the round
    /// was declared already.
    ///
    /// # Errors
    /// `MeetingNotFound` and `RoundNotFound` also for those of another client or meeting; `Rule` when
    /// [`crate::decide_declaring`] refuses. Then nothing is changed.
    async fn declare(&self, declaring: ResultStep) -> Result<Option<QuestionId>, ResultStepError>;

    /// The rounds of a meeting that are declared or have a record, in the order of the agenda and then of the rounds. One
    /// statement, which reads no votes of other voters. Empty also for another client's meeting.
    async fn declared_to_voter(
        &self,
        client: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
    ) -> Result<Vec<DeclaredToVoter>, PortFailure>;

    /// The last round of the meeting's current question, if it is declared or has a record. For the presentation, which
    /// belongs to no session of a client. `None` also when the client is not active.
    async fn declared_on_screen(&self, meeting: MeetingId) -> Result<Option<DeclaredOnScreen>, PortFailure>;
}
