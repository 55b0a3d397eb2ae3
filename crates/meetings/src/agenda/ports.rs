use async_trait::async_trait;
use plenum_kernel::{ClientId, MeetingId, PortFailure, QuestionId};

use crate::{AddQuestionError, AgendaOrder, ChangeQuestionError, Question, QuestionUse, ReorderError};

/// A pure decision about a question whose meeting stays locked until the outcome is stored.
pub type QuestionDecision = Box<dyn FnOnce(&mut Question, QuestionUse) -> Result<(), ChangeQuestionError> + Send>;

/// Makes a copy of a question, with a new id and new ids of the options, in the same meeting. The store sets the position.
pub type QuestionCopy = Box<dyn FnOnce(&Question) -> Question + Send>;

/// The maximum number of questions on an agenda.
pub const MAX_QUESTIONS: usize = 500;

/// Stores agendas. Each call is one transaction and sees one client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait QuestionStore: Send + Sync {
    /// Adds a question at the end of its meeting's agenda, ignores its `position`, and returns it as stored. Questions added
    /// at the same time get different positions.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client; `UnknownGroups` when a group is not of this client; `Rule` when
    /// there are [`MAX_QUESTIONS`] already.
    async fn add(&self, question: Question) -> Result<Question, AddQuestionError>;

    /// Locks the meeting and adds these questions at the end of its agenda, in this order. Ignores their `position`, and returns
    /// them as stored. All of them MUST be of this meeting.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client; `Rule` when there would be more than [`MAX_QUESTIONS`]. Then
    /// nothing is added.
    async fn add_all(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        questions: Vec<Question>,
    ) -> Result<Vec<Question>, AddQuestionError>;

    /// The agenda, in order. `None` when the client has no such meeting.
    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Question>>, PortFailure>;

    /// `None` also for a question of another client.
    async fn find(&self, owner: ClientId, id: QuestionId) -> Result<Option<Question>, PortFailure>;

    /// Locks the meeting, so that no round of it opens or ends meanwhile. Waits for the ballots that are being written for
    /// the question, applies `decide` and stores the outcome with its options. Stores nothing if `decide` refuses. Id,
    /// client, meeting and position never change.
    ///
    /// # Errors
    /// `NotFound` also for a question of another client; `UnknownGroups` when a group is not of this client; the refusal of
    /// `decide`.
    async fn update(
        &self,
        owner: ClientId,
        id: QuestionId,
        decide: QuestionDecision,
    ) -> Result<Question, ChangeQuestionError>;

    /// Locks the meeting, waits for the ballots that are being written for the question, and asks
    /// [`Question::check_removal`]. If that permits it, removes the question with its rounds, also an open one. If it was
    /// the meeting's current question, clears that, which is a step. Later questions move up. Returns the meeting.
    ///
    /// # Errors
    /// `NotFound` also for a question of another client; `Rule` when there are votes. Then nothing is changed, and an
    /// open round stays open.
    async fn remove(&self, owner: ClientId, id: QuestionId) -> Result<MeetingId, ChangeQuestionError>;

    /// Locks the meeting, makes a copy of the question with `copy` and inserts it right after the original. Later questions
    /// move down.
    ///
    /// # Errors
    /// `NotFound` also for a question of another client; `Rule` when there are [`MAX_QUESTIONS`] already, and when the copy
    /// continues the same ballot of an election as another question.
    async fn duplicate(
        &self,
        owner: ClientId,
        id: QuestionId,
        copy: QuestionCopy,
    ) -> Result<Question, ChangeQuestionError>;

    /// Locks the meeting and sets the order of its agenda. Returns the agenda.
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
