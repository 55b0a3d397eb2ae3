use plenum_kernel::QuestionType;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The kind of answer to a question.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = QuestionType)]
pub(crate) enum QuestionTypeName {
    YesNo,
    MultipleChoice,
    OpenText,
    Rating,
    Percentage,
    Election,
}

impl From<QuestionType> for QuestionTypeName {
    fn from(question_type: QuestionType) -> Self {
        match question_type {
            QuestionType::YesNo => Self::YesNo,
            QuestionType::MultipleChoice => Self::MultipleChoice,
            QuestionType::OpenText => Self::OpenText,
            QuestionType::Rating => Self::Rating,
            QuestionType::Percentage => Self::Percentage,
            QuestionType::Election => Self::Election,
        }
    }
}

impl From<QuestionTypeName> for QuestionType {
    fn from(name: QuestionTypeName) -> Self {
        match name {
            QuestionTypeName::YesNo => Self::YesNo,
            QuestionTypeName::MultipleChoice => Self::MultipleChoice,
            QuestionTypeName::OpenText => Self::OpenText,
            QuestionTypeName::Rating => Self::Rating,
            QuestionTypeName::Percentage => Self::Percentage,
            QuestionTypeName::Election => Self::Election,
        }
    }
}
