use plenum_kernel::{MeetingId, QuestionId};
use plenum_meetings::{AddQuestionError, AgendaRule, ChangeQuestionError, ReorderError};

use crate::error::ApiError;
use crate::extract::ApiId as _;
use crate::views::WANTED_GROUPS;

impl From<AddQuestionError> for ApiError {
    fn from(error: AddQuestionError) -> Self {
        match error {
            AddQuestionError::MeetingNotFound => MeetingId::missing(),
            AddQuestionError::Rule(rule) => rule.into(),
            AddQuestionError::UnknownGroups => Self::invalid_field("groupIds", WANTED_GROUPS),
            AddQuestionError::Form { field, requirement } => Self::invalid_field(&field, requirement),
            AddQuestionError::Port(failure) => failure.into(),
        }
    }
}

impl From<ChangeQuestionError> for ApiError {
    fn from(error: ChangeQuestionError) -> Self {
        match error {
            ChangeQuestionError::NotFound => QuestionId::missing(),
            ChangeQuestionError::Rule(rule) => rule.into(),
            ChangeQuestionError::UnknownGroups => Self::invalid_field("groupIds", WANTED_GROUPS),
            ChangeQuestionError::Form { field, requirement } => Self::invalid_field(field, requirement),
            ChangeQuestionError::Port(failure) => failure.into(),
        }
    }
}

impl From<ReorderError> for ApiError {
    fn from(error: ReorderError) -> Self {
        match error {
            ReorderError::MeetingNotFound => MeetingId::missing(),
            ReorderError::NotTheAgenda => {
                Self::invalid_field("questionOrders", "Must name every question of the meeting, and no other.")
            }
            ReorderError::Port(failure) => failure.into(),
        }
    }
}

impl From<AgendaRule> for ApiError {
    fn from(rule: AgendaRule) -> Self {
        let code = match rule {
            AgendaRule::HasVotes => "question_has_votes",
            AgendaRule::IsDeclared => "question_declared",
            AgendaRule::IsOpen => "question_is_open",
            AgendaRule::ChangedSinceBallot => "question_changed",
            AgendaRule::HasNextBallot => "next_ballot_exists",
            AgendaRule::RoundSuperseded => "round_superseded",
            AgendaRule::Full => "agenda_full",
        };
        Self::conflict(code, rule)
    }
}
