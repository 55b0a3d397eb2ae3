use actix_web::get;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use plenum_meetings::DeskPurpose;
use plenum_result_format::{SecrecyName, WeightKindFormat};
use plenum_voting::{BallotService, PaperVoteService, RoundOverview, RoundService, RoundWithLeftBatches, SealingError};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ApiError;
use crate::extract::VoteDesk;
use crate::live::{SealingView, VoterQuestionType};
use crate::views::ElectionBallotView;

/// The open question of a desk's meeting, in the words of its round.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_question)]
pub(crate) struct DeskQuestionView {
    round_id: Uuid,
    question_id: Uuid,
    text: String,
    #[serde(rename = "type")]
    voter_type: VoterQuestionType,
    options: Vec<String>,
    /// The option that cannot be combined with others: the abstention of a multiple choice question. Left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    abstention: Option<String>,
    #[schema(required)]
    rating_max: Option<u32>,
    #[schema(required)]
    max_choices: Option<u32>,
    /// The ballot of an election. Null for other types.
    #[schema(required)]
    election: Option<ElectionBallotView>,
    /// The kind that is counted as weight. Null for the ordinary weight.
    #[schema(required)]
    weight_kind: Option<WeightKindFormat>,
    /// Who can learn how a person voted.
    secrecy: SecrecyName,
    /// The end of the round, while a countdown runs.
    #[schema(required)]
    closes_at: Option<DateTime<Utc>>,
    /// The data with which the device seals a ballot. Null unless the question is secret, and while its key is not confirmed.
    #[schema(required)]
    sealing: Option<SealingView>,
    /// Received votes, in heads.
    votes_cast: u64,
    /// The number of voters in the register.
    register_size: u64,
    /// The batches of votes on paper that wait for confirmation. 0 for a voting place.
    waiting_batches: u64,
}

/// An example for the OpenAPI document.
fn example_question() -> Value {
    json!({
        "roundId": "019a9d5e-0000-7000-8000-000000000007", "questionId": "019a9d5e-0000-7000-8000-000000000005",
        "text": "Do you approve the budget?", "type": "SINGLE_CHOICE", "options": ["Yes", "No", "Abstain"], "ratingMax": null,
        "maxChoices": null, "election": null, "weightKind": null, "secrecy": "named", "closesAt": null, "sealing": null, "votesCast": 132,
        "registerSize": 180, "waitingBatches": 1,
    })
}

impl DeskQuestionView {
    fn new(overview: &RoundOverview, sealing_key: Option<&[u8]>) -> Self {
        let RoundOverview { round, votes_cast, waiting_batches } = overview;
        let wording = &round.wording;
        Self {
            round_id: round.id.as_uuid(),
            question_id: round.question_id.as_uuid(),
            text: wording.text.clone(),
            voter_type: wording.question_type.into(),
            options: wording.option_texts(),
            abstention: wording.abstention().map(ToOwned::to_owned),
            rating_max: wording.rating_max,
            max_choices: wording.max_choices,
            election: ElectionBallotView::of_wording(wording),
            weight_kind: round.weight_kind.as_ref().map(Into::into),
            secrecy: round.secrecy.into(),
            closes_at: round.closes_at,
            sealing: sealing_key.map(|key| SealingView::for_wording(key, wording)),
            votes_cast: *votes_cast,
            register_size: round.register.heads,
            waiting_batches: *waiting_batches,
        }
    }
}

/// A question whose voting ended while batches of votes on paper waited for confirmation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "roundId": "019a9d5e-0000-7000-8000-000000000007", "text": "Do you approve the budget?" }))]
pub(crate) struct RoundWithLeftBatchesView {
    round_id: Uuid,
    /// The text of the question.
    text: String,
}

impl From<RoundWithLeftBatches> for RoundWithLeftBatchesView {
    fn from(RoundWithLeftBatches { round, text }: RoundWithLeftBatches) -> Self {
        Self { round_id: round.as_uuid(), text }
    }
}

/// The open question of a desk's meeting, if there is one.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeskQuestionAnswer {
    /// Null while voting is not open.
    #[schema(required)]
    question: Option<DeskQuestionView>,
    /// The questions whose voting ended while batches waited, the earliest first; at most 50. Empty for a voting place.
    #[schema(max_items = 50)]
    left_batches: Vec<RoundWithLeftBatchesView>,
}

/// Returns the question on which the desk's meeting votes. For voting places and tellers.
#[utoipa::path(
    tag = "desk",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The question", body = DeskQuestionAnswer),
    ),
)]
#[get("/desk/question")]
pub(crate) async fn desk_question(
    VoteDesk(desk): VoteDesk,
    rounds: Data<RoundService>,
    ballots: Data<BallotService>,
    papers: Data<PaperVoteService>,
) -> Result<Json<DeskQuestionAnswer>, ApiError> {
    let screen = rounds.screen(desk.client, desk.meeting).await?;
    let current = screen.and_then(|screen| screen.question);
    let mut question = None;
    if let Some(open) = current.as_ref().and_then(|current| current.open_round()) {
        let sealing_key = match ballots.sealing_key(&open.round).await {
            Err(SealingError::Unconfirmed(_)) => None,
            key => key?,
        };
        question = Some(DeskQuestionView::new(open, sealing_key.as_deref()));
    }
    let mut left = Vec::new();
    if desk.purpose == DeskPurpose::Tellers {
        left = papers.rounds_with_left_batches(desk.client, desk.meeting).await?;
    } else if let Some(question) = &mut question {
        question.waiting_batches = 0;
    }
    let left_batches = left.into_iter().map(RoundWithLeftBatchesView::from).collect();
    Ok(Json(DeskQuestionAnswer { question, left_batches }))
}
