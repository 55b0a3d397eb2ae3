use chrono::{DateTime, Utc};
use plenum_voting::{CurrentQuestion, RoundStatus};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{ElectionBallotView, QuestionTypeName};

/// The question on the presentation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_current_question)]
pub(crate) struct CurrentQuestionView {
    id: Uuid,
    question_text: String,
    question_type: QuestionTypeName,
    options: Vec<String>,
    /// The highest value of a rating.
    #[schema(required)]
    rating_max: Option<u32>,
    /// The highest number of choices.
    #[schema(required)]
    max_choices: Option<u32>,
    /// The ballot of an election. Null for other types.
    #[schema(required)]
    election: Option<ElectionBallotView>,
    /// The position on the agenda, from 1.
    order_index: u32,
    /// Whether voting is open; otherwise the question is only shown.
    is_active: bool,
    /// The last round, if there was one.
    #[schema(required)]
    round_id: Option<Uuid>,
    #[schema(required)]
    opened_at: Option<DateTime<Utc>>,
    /// The end of the round, while a countdown runs.
    #[schema(required)]
    closes_at: Option<DateTime<Utc>>,
    /// The last round, if its result is declared.
    #[schema(required)]
    declared_round_id: Option<Uuid>,
    /// Received votes in the last round, in heads.
    vote_count: u64,
    /// The number of voters in the register of the last round.
    register_size: u64,
}

/// An example for the OpenAPI document.
pub(crate) fn example_current_question() -> Value {
    json!({
        "id": "019a9d5e-0000-7000-8000-000000000005", "questionText": "Do you approve the budget?",
        "questionType": "YES_NO", "options": ["Yes", "No", "Abstain"], "ratingMax": null, "maxChoices": null, "election": null,
        "orderIndex": 1, "isActive": true, "roundId": "019a9d5e-0000-7000-8000-000000000007",
        "openedAt": "2026-11-21T18:04:05.120Z", "closesAt": null, "declaredRoundId": null,
        "voteCount": 132, "registerSize": 180,
    })
}

impl From<&CurrentQuestion> for CurrentQuestionView {
    fn from(current: &CurrentQuestion) -> Self {
        let last = current.last_round.as_ref();
        Self {
            id: current.question_id.as_uuid(),
            question_text: current.wording.text.clone(),
            question_type: current.wording.question_type.into(),
            options: current.wording.option_texts(),
            rating_max: current.wording.rating_max,
            max_choices: current.wording.max_choices,
            election: ElectionBallotView::of_wording(&current.wording),
            order_index: current.position,
            is_active: current.open_round().is_some(),
            round_id: last.map(|overview| overview.round.id.as_uuid()),
            opened_at: last.map(|overview| overview.round.opened_at),
            closes_at: last.and_then(|overview| overview.round.closes_at),
            declared_round_id: last
                .filter(|last| last.round.status == RoundStatus::Declared)
                .map(|last| last.round.id.as_uuid()),
            vote_count: last.map_or(0, |overview| overview.votes_cast),
            register_size: last.map_or(0, |overview| overview.round.register.heads),
        }
    }
}
