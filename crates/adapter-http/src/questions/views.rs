use chrono::{DateTime, Utc};
use plenum_kernel::{OptionRole, WeightKindId};
use plenum_meetings::Question;
use plenum_result_format::{DecisionRuleFormat, PlannedQuorumFormat, SecrecyName};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa::openapi::schema::SchemaType;
use utoipa::openapi::{Object, ObjectBuilder, Type};
use uuid::Uuid;

use crate::views::QuestionTypeName;

/// The schema of a rating scale in request bodies.
pub(super) fn rating_scale() -> Object {
    let types = SchemaType::Array(vec![Type::Integer, Type::Null]);
    // utoipa ignores the doc comment of a field with a schema function.
    let description = "For RATING: 5 or 10; with `null` 5. Ignored for other types.";
    let scales = [json!(5), json!(10), json!(null)];
    ObjectBuilder::new().schema_type(types).enum_values(Some(scales)).description(Some(description)).build()
}

/// The role of an option in a decision.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OptionRole)]
pub(crate) enum OptionRoleName {
    Yes,
    No,
    Abstain,
    Choice,
}

impl From<OptionRole> for OptionRoleName {
    fn from(role: OptionRole) -> Self {
        match role {
            OptionRole::Yes => Self::Yes,
            OptionRole::No => Self::No,
            OptionRole::Abstain => Self::Abstain,
            OptionRole::Choice => Self::Choice,
        }
    }
}

impl From<OptionRoleName> for OptionRole {
    fn from(name: OptionRoleName) -> Self {
        match name {
            OptionRoleName::Yes => Self::Yes,
            OptionRoleName::No => Self::No,
            OptionRoleName::Abstain => Self::Abstain,
            OptionRoleName::Choice => Self::Choice,
        }
    }
}

/// An option of a question.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "id": "019a9d5e-0000-7000-8000-000000000008", "text": "Yes", "position": 1, "role": "yes" }))]
pub(crate) struct OptionView {
    id: Uuid,
    text: String,
    /// The position, from 1.
    position: u32,
    role: OptionRoleName,
}

/// A question on an agenda.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000005", "meetingId": "019a9d5e-0000-7000-8000-000000000004",
    "questionText": "Do you approve the budget?", "questionType": "YES_NO", "isRequired": true,
    "options": "[\"Yes\",\"No\"]",
    "optionsList": [
        { "id": "019a9d5e-0000-7000-8000-000000000008", "text": "Yes", "position": 1, "role": "yes" },
        { "id": "019a9d5e-0000-7000-8000-000000000009", "text": "No", "position": 2, "role": "no" },
    ],
    "orderIndex": 1, "ratingMax": null, "maxChoices": null,
    "decisionRule": {
        "kind": "majority", "onTie": "rejected",
        "conditions": [{
            "units": "heads", "base": "yes_plus_no", "comparison": "more_than", "numerator": 1, "denominator": 2,
        }],
    },
    "quorum": null, "secrecy": "unshown", "isNamed": false, "countsHeads": false, "groupIds": [],
    "weightKindId": null, "secondWeightKindId": null, "createdAt": "2026-11-01T10:05:00Z",
}))]
pub(crate) struct QuestionView {
    id: Uuid,
    meeting_id: Uuid,
    question_text: String,
    question_type: QuestionTypeName,
    is_required: bool,
    /// The texts of the options as a JSON string. Null for types without options.
    #[schema(required, example = "[\"Yes\",\"No\"]")]
    options: Option<String>,
    /// The options with ids and roles. Empty for types without options.
    options_list: Vec<OptionView>,
    /// The position on the agenda, from 1.
    order_index: u32,
    /// The highest value of a rating: 5 or 10.
    #[schema(required)]
    rating_max: Option<u32>,
    /// The highest number of choices. Null means all options.
    #[schema(required)]
    max_choices: Option<u32>,
    /// The decision rule. Null means that votes are only counted.
    #[schema(required)]
    decision_rule: Option<DecisionRuleFormat>,
    /// Its own quorum. Null means the meeting's quorum.
    #[schema(required, example = json!(null))]
    quorum: Option<PlannedQuorumFormat>,
    /// Who can learn how a person voted.
    secrecy: SecrecyName,
    /// Whether the result shows the vote of each person: the secrecy `named`.
    is_named: bool,
    /// Whether every vote counts one, whatever the weight.
    counts_heads: bool,
    /// The groups that the question is for. Empty for everybody whom the meeting is for.
    group_ids: Vec<Uuid>,
    /// The kind of weight that it counts in place of its meeting's. Null means as the meeting.
    #[schema(required)]
    weight_kind_id: Option<Uuid>,
    /// The kind of its second weight. Null means none.
    #[schema(required)]
    second_weight_kind_id: Option<Uuid>,
    created_at: DateTime<Utc>,
}

impl From<&Question> for QuestionView {
    fn from(question: &Question) -> Self {
        let texts: Vec<&str> = question.options.iter().map(|option| option.text.as_str()).collect();
        let options_list = question.options.iter().map(|option| OptionView {
            id: option.id.as_uuid(),
            text: option.text.to_string(),
            position: option.position,
            role: option.role.into(),
        });
        Self {
            id: question.id.as_uuid(),
            meeting_id: question.meeting_id.as_uuid(),
            question_text: question.text.to_string(),
            question_type: question.question_type.into(),
            is_required: question.is_required,
            options: question.question_type.has_options().then(|| serde_json::json!(texts).to_string()),
            options_list: options_list.collect(),
            order_index: question.position,
            rating_max: question.rating_max,
            max_choices: question.max_choices,
            decision_rule: question.decision_rule.as_ref().map(DecisionRuleFormat::from),
            quorum: question.quorum.map(PlannedQuorumFormat::from),
            secrecy: question.secrecy.into(),
            is_named: question.secrecy.is_named(),
            counts_heads: question.counts_heads,
            group_ids: question.groups.iter().map(|group| group.as_uuid()).collect(),
            weight_kind_id: question.weights.weight.map(WeightKindId::as_uuid),
            second_weight_kind_id: question.weights.second.map(WeightKindId::as_uuid),
            created_at: question.created_at,
        }
    }
}
