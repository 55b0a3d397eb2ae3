use async_trait::async_trait;
use plenum_kernel::{ClientId, MeetingId, PortFailure, QuestionId};

use crate::{AddQuestionError, AgendaOrder, ChangeQuestionError, Question, QuestionUse, ReorderError};

/// A pure decision about a question whose meeting stays locked until the outcome is stored.
pub type QuestionDecision = Box<dyn FnOnce(&mut Question, QuestionUse) -> Result<(), ChangeQuestionError> + Send>;

/// Makes a copy of a question: another id, other options' ids, the same meeting. The store settles its place.
pub type QuestionCopy = Box<dyn FnOnce(&Question) -> Question + Send>;

/// How many questions an agenda holds at most.
pub const MAX_QUESTIONS: usize = 500;

/// Stores agendas. Each call is one transaction and sees one client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait QuestionStore: Send + Sync {
    /// Puts a question at the end of its meeting's agenda (whatever its `position` says) and returns it as stored.
    /// Two questions added at the same time get two places.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client; `Rule` when there are [`MAX_QUESTIONS`] already.
    async fn add(&self, question: Question) -> Result<Question, AddQuestionError>;

    /// The agenda, in order. `None` when the client has no such meeting.
    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Question>>, PortFailure>;

    /// `None` also for a question of another client.
    async fn find(&self, owner: ClientId, id: QuestionId) -> Result<Option<Question>, PortFailure>;

    /// Locks the meeting (so that no round of it opens or ends meanwhile), waits for the ballots that are being written
    /// for the question, applies `decide` and stores the outcome with its options; stores nothing if `decide` refuses.
    /// Id, client, meeting and position of a question never change here.
    ///
    /// # Errors
    /// `NotFound` also for a question of another client; whatever `decide` refuses with.
    async fn update(
        &self,
        owner: ClientId,
        id: QuestionId,
        decide: QuestionDecision,
    ) -> Result<Question, ChangeQuestionError>;

    /// Locks the meeting, waits for the ballots that are being written for the question, and asks
    /// [`Question::check_removal`]. If that agrees, removes the question with its rounds, an open one included; it is no
    /// longer the meeting's current question (if it was, that is a step), and those behind it move up. Gives back the
    /// meeting.
    ///
    /// # Errors
    /// `NotFound` also for a question of another client; `Rule` when there are votes. Then nothing is changed, and an
    /// open round stays open.
    async fn remove(&self, owner: ClientId, id: QuestionId) -> Result<MeetingId, ChangeQuestionError>;

    /// Locks the meeting, makes a copy of the question by `copy` and puts it right behind the original; those behind it
    /// move down.
    ///
    /// # Errors
    /// `NotFound` also for a question of another client; `Rule` when there are [`MAX_QUESTIONS`] already.
    async fn duplicate(
        &self,
        owner: ClientId,
        id: QuestionId,
        copy: QuestionCopy,
    ) -> Result<Question, ChangeQuestionError>;

    /// Locks the meeting and puts its agenda into this order. Gives back the agenda.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client; `NotTheAgenda` unless the order names every question of
    /// the meeting and no other. Then nothing is changed.
    async fn reorder(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        order: AgendaOrder,
    ) -> Result<Vec<Question>, ReorderError>;
}
