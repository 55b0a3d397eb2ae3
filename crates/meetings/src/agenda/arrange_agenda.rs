use std::sync::Arc;

use plenum_kernel::{ClientId, Clock, DecisionRule, Invalid, MeetingId, NewIds, PortFailure, QuestionId, Quorum};

use crate::agenda::question::options_with;
use crate::live::LiveSignals;
use crate::{AgendaRule, AnswerForm, Question, QuestionStore, QuestionText};

/// A question to add to an agenda.
#[derive(Clone, Debug)]
pub struct NewQuestion {
    /// The meeting.
    pub meeting_id: MeetingId,
    /// The text of the question.
    pub text: QuestionText,
    /// The form of its answers.
    pub form: AnswerForm,
    /// Whether it must be answered.
    pub is_required: bool,
    /// The decision rule. Without one, the question is only counted.
    pub decision_rule: Option<DecisionRule>,
    /// Its own quorum. Without one, the quorum of the meeting applies.
    pub quorum: Option<Quorum>,
    /// Whether the result shows how each person voted.
    pub is_named: bool,
}

/// The reason why a question was not added to the agenda.
#[derive(Debug, thiserror::Error)]
pub enum AddQuestionError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// A rule of the agenda forbids it.
    #[error(transparent)]
    Rule(#[from] AgendaRule),
    /// Its decision rule does not fit its type or its options.
    #[error("{field}: {requirement}")]
    Form {
        /// The field.
        field: &'static str,
        /// The requirement.
        requirement: Invalid,
    },
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Adds, changes, orders and removes questions.
pub struct AgendaService {
    pub(crate) questions: Arc<dyn QuestionStore>,
    pub(crate) signals: Arc<dyn LiveSignals>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn NewIds>,
}

impl AgendaService {
    /// Creates the service on this store.
    pub fn new(
        questions: Arc<dyn QuestionStore>,
        signals: Arc<dyn LiveSignals>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn NewIds>,
    ) -> Self {
        Self { questions, signals, clock, ids }
    }

    /// Adds a question at the end of the agenda.
    ///
    /// # Errors
    /// Fails when the decision rule cannot decide the question, the meeting is not this client's, or its agenda is full.
    pub async fn add(&self, owner: ClientId, new: NewQuestion) -> Result<Question, AddQuestionError> {
        let (question_type, options, rating_max, max_choices) = new.form.into_parts();
        let question = Question {
            id: QuestionId::new(&*self.ids),
            client_id: owner,
            meeting_id: new.meeting_id,
            position: 1,
            text: new.text,
            question_type,
            is_required: new.is_required,
            options: options_with(options, &[], &*self.ids),
            rating_max,
            max_choices,
            decision_rule: new.decision_rule,
            quorum: new.quorum,
            is_named: new.is_named,
            created_at: self.clock.now(),
        };
        question.check_rule().map_err(|(field, requirement)| AddQuestionError::Form { field, requirement })?;
        let stored = self.questions.add(question).await?;
        self.signals.meeting_changed(stored.meeting_id).await;
        Ok(stored)
    }

    /// The agenda, in order. `None` when the client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Question>>, PortFailure> {
        self.questions.list(owner, meeting).await
    }

    /// One question of the client.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn find(&self, owner: ClientId, id: QuestionId) -> Result<Option<Question>, PortFailure> {
        self.questions.find(owner, id).await
    }
}
