use std::sync::Arc;

use chrono::{DateTime, Utc};
use plenum_kernel::{
    ClientId, Clock, DecisionRule, GroupId, Invalid, MeetingId, NewIds, PlannedQuorum, PortFailure, QuestionId, Secrecy,
};

use crate::agenda::question::options_with;
use crate::live::LiveSignals;
use crate::{AgendaRule, AnswerForm, FormError, Question, QuestionStore, QuestionText, QuestionWeights};

/// A question to add to an agenda.
#[derive(Clone, Debug)]
pub struct NewQuestion {
    /// The text of the question.
    pub text: QuestionText,
    /// The form of its answers.
    pub form: AnswerForm,
    /// Whether it must be answered.
    pub is_required: bool,
    /// The decision rule. Without one, the question is only counted.
    pub decision_rule: Option<DecisionRule>,
    /// Its own quorum. Without one, the quorum of the meeting applies.
    pub quorum: Option<PlannedQuorum>,
    /// Who can learn how a person voted.
    pub secrecy: Secrecy,
    /// Whether every vote counts one, whatever the weight.
    pub counts_heads: bool,
    /// The groups that it is for. Empty for everybody.
    pub groups: Vec<GroupId>,
    /// The kinds of weight by which it counts.
    pub weights: QuestionWeights,
}

impl NewQuestion {
    /// The question at this position of an agenda.
    fn placed(
        self,
        (owner, meeting): (ClientId, MeetingId),
        position: u32,
        ids: &dyn NewIds,
        now: DateTime<Utc>,
    ) -> Result<Question, FormError> {
        let (question_type, options, rating_max, max_choices) = self.form.into_parts();
        let mut question = Question {
            id: QuestionId::new(ids),
            client_id: owner,
            meeting_id: meeting,
            position,
            text: self.text,
            question_type,
            is_required: self.is_required,
            options: options_with(options, &[], ids),
            rating_max,
            max_choices,
            decision_rule: self.decision_rule,
            quorum: self.quorum,
            secrecy: self.secrecy,
            counts_heads: self.counts_heads,
            groups: self.groups,
            weights: self.weights,
            created_at: now,
        };
        question.fix_order_of_candidates();
        question.check_rule()?;
        question.check_weights()?;
        question.check_follows(None)?;
        Ok(question)
    }
}

/// Places new questions one after another, from position 1.
///
/// # Errors
/// Names the field by its path in a list called `questions`.
pub(crate) fn agenda_of(
    new: Vec<NewQuestion>,
    place: (ClientId, MeetingId),
    ids: &dyn NewIds,
    now: DateTime<Utc>,
) -> Result<Vec<Question>, (String, Invalid)> {
    (1..)
        .zip(new)
        .map(|(position, question)| {
            let path = |(field, requirement)| (format!("questions.{}.{field}", position - 1), requirement);
            question.placed(place, position, ids, now).map_err(path)
        })
        .collect()
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
    /// It is for a group that the client does not have.
    #[error("one of the groups does not exist")]
    UnknownGroups,
    /// Its decision rule does not fit its type or its options.
    #[error("{field}: {requirement}")]
    Form {
        /// The field.
        field: String,
        /// The requirement.
        requirement: Invalid,
    },
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

impl From<FormError> for AddQuestionError {
    fn from((field, requirement): FormError) -> Self {
        Self::Form { field: field.to_owned(), requirement }
    }
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
    pub async fn add(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        new: NewQuestion,
    ) -> Result<Question, AddQuestionError> {
        let question = new
            .placed((owner, meeting), 1, &*self.ids, self.clock.now())
            .map_err(|(field, requirement)| AddQuestionError::Form { field: field.to_owned(), requirement })?;
        let stored = self.questions.add(question).await?;
        self.signals.meeting_changed(stored.meeting_id).await;
        Ok(stored)
    }

    /// Adds questions at the end of the agenda, all or none, and returns them as stored.
    ///
    /// # Errors
    /// Fails when a decision rule cannot decide its question, the meeting is not this client's, or its agenda has too little
    /// room.
    pub async fn add_all(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        new: Vec<NewQuestion>,
    ) -> Result<Vec<Question>, AddQuestionError> {
        let questions = agenda_of(new, (owner, meeting), &*self.ids, self.clock.now())
            .map_err(|(field, requirement)| AddQuestionError::Form { field, requirement })?;
        let stored = self.questions.add_all(owner, meeting, questions).await?;
        self.signals.meeting_changed(meeting).await;
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
