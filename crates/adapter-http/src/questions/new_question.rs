use plenum_meetings::{NewQuestion, QuestionForm, QuestionText, QuestionWeights};
use plenum_result_format::{DecisionRuleFormat, PlannedQuorumFormat, SecrecyName};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::FieldCheck;
use crate::questions::options::OptionTexts;
use crate::questions::terms::{can_limit, can_rate, read_quorum, read_roles, read_rule, read_secrecy};
use crate::questions::views::OptionRoleName;
use crate::questions::views::rating_scale;
use crate::views::{QuestionTypeName, read_audience, read_weight_kind};

/// A new question, in a list. The fields are those of a single new question, without the meeting.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "questionText": "Do you approve the budget?", "questionType": "YES_NO", "options": ["Yes", "No", "Abstain"],
}))]
pub(crate) struct NewQuestionBody {
    /// 1 to 1,000 characters after trimming. It may have several lines.
    #[schema(min_length = 1, max_length = 1000)]
    pub(super) question_text: String,
    pub(super) question_type: QuestionTypeName,
    /// True if missing.
    pub(super) is_required: Option<bool>,
    pub(super) options: Option<OptionTexts>,
    #[schema(schema_with = rating_scale)]
    pub(super) rating_max: Option<u32>,
    #[schema(value_type = Option<u64>, minimum = 1)]
    pub(super) max_choices: Option<u32>,
    pub(super) option_roles: Option<Vec<OptionRoleName>>,
    pub(super) decision_rule: Option<DecisionRuleFormat>,
    pub(super) quorum: Option<PlannedQuorumFormat>,
    /// `unshown` if missing.
    pub(super) secrecy: Option<SecrecyName>,
    /// The same as the secrecy `named`, for callers that do not know the other levels.
    pub(super) is_named: Option<bool>,
    /// False if missing.
    pub(super) counts_heads: Option<bool>,
    /// Ids of the organization's groups, at most 50. Only their members vote. Everybody whom the meeting is for if missing or empty.
    #[schema(value_type = Option<Vec<uuid::Uuid>>, max_items = 50)]
    pub(super) group_ids: Option<Vec<String>>,
    /// The id of a kind of weight that the question counts in place of its meeting's. Its meeting decides if it is missing.
    #[schema(value_type = Option<uuid::Uuid>)]
    pub(super) weight_kind_id: Option<String>,
    /// The id of another kind of weight, for conditions in `second_weight`. Not for secret questions and elections.
    #[schema(value_type = Option<uuid::Uuid>)]
    pub(super) second_weight_kind_id: Option<String>,
}

impl NewQuestionBody {
    /// Whether the numbers are possible at all, also those that the type of the question ignores. Records the others.
    pub(super) fn is_in_range(&self, check: &mut FieldCheck) -> bool {
        let (has_scale, has_limit) = (can_rate(check, self.rating_max), can_limit(check, self.max_choices));
        has_scale && has_limit
    }

    /// Reads the question, or records its errors.
    pub(super) fn read(self, check: &mut FieldCheck) -> Option<NewQuestion> {
        let text = check.keep("questionText", QuestionText::parse(&self.question_text));
        let options = check.keep("options", OptionTexts::read(self.options));
        let form = options.and_then(|options| {
            let form = QuestionForm {
                question_type: self.question_type.into(),
                options,
                option_roles: self.option_roles.map(read_roles),
                rating_max: self.rating_max,
                max_choices: self.max_choices,
            };
            form.check().map_err(|(field, requirement)| check.note(field, requirement.to_string())).ok()
        });
        let decision_rule = self.decision_rule.and_then(|rule| read_rule(check, rule));
        let quorum = self.quorum.and_then(|quorum| read_quorum(check, quorum));
        let groups = read_audience(check, self.group_ids.as_deref().unwrap_or_default());
        let secrecy = read_secrecy(check, self.secrecy, self.is_named);
        let weights = QuestionWeights {
            weight: read_weight_kind(check, "weightKindId", self.weight_kind_id.as_deref()),
            second: read_weight_kind(check, "secondWeightKindId", self.second_weight_kind_id.as_deref()),
        };
        text.zip(form).map(|(text, form)| NewQuestion {
            text,
            form,
            is_required: self.is_required.unwrap_or(true),
            decision_rule,
            quorum,
            secrecy: secrecy.unwrap_or_default(),
            counts_heads: self.counts_heads.unwrap_or(false),
            groups: groups.unwrap_or_default(),
            weights,
        })
    }
}

/// The maximum number of questions in one request.
const MAX_AT_ONCE: usize = 100;

/// Reads a list of questions. Records errors by their path in `questions`.
pub(crate) fn read_questions(check: &mut FieldCheck, given: Vec<NewQuestionBody>) -> Vec<NewQuestion> {
    if given.len() > MAX_AT_ONCE {
        check.note("questions", format!("Must have at most {MAX_AT_ONCE} questions."));
        return Vec::new();
    }
    let read = |(index, question): (usize, NewQuestionBody)| {
        let mut errors = FieldCheck::default();
        let is_in_range = question.is_in_range(&mut errors);
        let question = if is_in_range { question.read(&mut errors) } else { None };
        check.note_all(&format!("questions.{index}"), errors);
        question
    };
    given.into_iter().enumerate().filter_map(read).collect()
}

/// Several new questions.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "questions": [
    { "questionText": "Do you approve the minutes?", "questionType": "YES_NO" },
    { "questionText": "Who should join the board?", "questionType": "MULTIPLE_CHOICE", "options": ["Anna", "Bert"] },
] }))]
pub(crate) struct AddQuestionsBody {
    /// 1 to 100 questions, in order.
    #[schema(min_items = 1, max_items = 100)]
    questions: Vec<NewQuestionBody>,
}

impl AddQuestionsBody {
    /// Reads the questions.
    pub(super) fn check(self) -> Result<Vec<NewQuestion>, ApiError> {
        let mut check = FieldCheck::default();
        if self.questions.is_empty() {
            check.note("questions", "Must have at least 1 question.".to_owned());
        }
        let questions = read_questions(&mut check, self.questions);
        check.finish(Some(questions))
    }
}
