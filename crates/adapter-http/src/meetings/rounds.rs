use actix_web::get;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use plenum_kernel::{MeetingId, RoundId};
use plenum_voting::{Count, CountingService, NumberTally, Round, RoundService, RoundStatus, Tally};
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::questions::{OptionRoleName, QuestionTypeName};
use crate::rim::{ApiError, ApiErrorBody, At, ClientAdmin, PathId as _, exact, exact_option};

/// Where a round is in its life.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = RoundStatus)]
pub(crate) enum RoundStatusName {
    Open,
    Ended,
    Declared,
}

/// One opening of voting on one question, with the wording of that moment.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_round)]
pub(crate) struct RoundView {
    id: Uuid,
    question_id: Uuid,
    /// 1 for the first round of the question, 2 for its first re-vote.
    number: u32,
    status: RoundStatusName,
    question_text: String,
    question_type: QuestionTypeName,
    opened_at: DateTime<Utc>,
    #[schema(required)]
    ended_at: Option<DateTime<Utc>>,
    /// How many may vote, in heads.
    register_size: u64,
    /// How many may vote, in weight.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    register_weight: Decimal,
    /// Votes received, in heads.
    vote_count: u64,
}

/// A round that has ended, for the document.
fn example_round() -> Value {
    json!({
        "id": "019a9d5e-0000-7000-8000-000000000007", "questionId": "019a9d5e-0000-7000-8000-000000000005",
        "number": 1, "status": "ENDED", "questionText": "Do you approve the budget?", "questionType": "YES_NO",
        "openedAt": "2026-11-21T18:04:05.120Z", "endedAt": "2026-11-21T18:09:41Z", "registerSize": 180,
        "registerWeight": 201.5, "voteCount": 164,
    })
}

impl RoundView {
    fn new(round: &Round, vote_count: u64) -> Self {
        Self {
            id: round.id.as_uuid(),
            question_id: round.question_id.as_uuid(),
            number: round.number,
            status: match round.status {
                RoundStatus::Open => RoundStatusName::Open,
                RoundStatus::Ended => RoundStatusName::Ended,
                RoundStatus::Declared => RoundStatusName::Declared,
            },
            question_text: round.wording.text.clone(),
            question_type: round.wording.question_type.into(),
            opened_at: round.opened_at,
            ended_at: round.ended_at,
            register_size: round.register.heads,
            register_weight: round.register.weight.normalize(),
            vote_count,
        }
    }
}

/// A number of votes, in heads and in weight.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "heads": 164, "weight": 183.25 }))]
pub(crate) struct CountView {
    heads: u64,
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    weight: Decimal,
}

impl From<Count> for CountView {
    fn from(count: Count) -> Self {
        Self { heads: count.heads, weight: count.weight.normalize() }
    }
}

/// How many chose an option.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000008", "text": "Yes", "role": "yes", "heads": 120, "weight": 140.5,
}))]
pub(crate) struct OptionTallyView {
    id: Uuid,
    text: String,
    role: OptionRoleName,
    heads: u64,
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    weight: Decimal,
}

/// How many gave a number.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "value": 4, "heads": 60, "weight": 66.5 }))]
pub(crate) struct ValueTallyView {
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    value: Decimal,
    heads: u64,
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    weight: Decimal,
}

/// The numbers that were given.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "mean": 4.25, "weightedMean": 4.1875, "median": 4,
    "distribution": [{ "value": 4, "heads": 60, "weight": 66.5 }, { "value": 5, "heads": 20, "weight": 20 }],
}))]
pub(crate) struct NumberTallyView {
    /// By heads, to 4 decimals; null without votes.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    mean: Option<Decimal>,
    /// By weight, to 4 decimals; null without weight.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    weighted_mean: Option<Decimal>,
    /// By heads; null without votes.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    median: Option<Decimal>,
    distribution: Vec<ValueTallyView>,
}

impl From<NumberTally> for NumberTallyView {
    fn from(tally: NumberTally) -> Self {
        let value = |value: plenum_voting::ValueCount| ValueTallyView {
            value: value.value,
            heads: value.count.heads,
            weight: value.count.weight.normalize(),
        };
        Self {
            mean: tally.mean,
            weighted_mean: tally.weighted_mean,
            median: tally.median,
            distribution: tally.distribution.into_iter().map(value).collect(),
        }
    }
}

/// How many gave the same text.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "text": "A longer break", "heads": 3, "weight": 3.5 }))]
pub(crate) struct TextTallyView {
    text: String,
    heads: u64,
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    weight: Decimal,
}

/// The counts of a round that has ended, in heads and in weight.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "round": example_round(), "votesCast": { "heads": 164, "weight": 183.25 },
    "register": { "heads": 180, "weight": 201.5 },
    "options": [
        {
            "id": "019a9d5e-0000-7000-8000-000000000008", "text": "Yes", "role": "yes", "heads": 120,
            "weight": 140.5,
        },
        { "id": "019a9d5e-0000-7000-8000-000000000009", "text": "No", "role": "no", "heads": 44, "weight": 42.75 },
    ],
    "numbers": null, "texts": null,
}))]
pub(crate) struct ResultView {
    round: RoundView,
    votes_cast: CountView,
    register: CountView,
    /// In order; empty for types without options.
    options: Vec<OptionTallyView>,
    /// For RATING and PERCENTAGE.
    #[schema(required, example = json!(null))]
    numbers: Option<NumberTallyView>,
    /// For OPEN_TEXT.
    #[schema(required, example = json!(null))]
    texts: Option<Vec<TextTallyView>>,
}

impl ResultView {
    fn new(round: &Round, tally: Tally) -> Self {
        let options = tally.options.into_iter().map(|counted| OptionTallyView {
            id: counted.option.id.as_uuid(),
            text: counted.option.text,
            role: counted.option.role.into(),
            heads: counted.count.heads,
            weight: counted.count.weight.normalize(),
        });
        let texts = tally.texts.map(|texts| {
            texts
                .into_iter()
                .map(|counted| TextTallyView {
                    text: counted.text,
                    heads: counted.count.heads,
                    weight: counted.count.weight.normalize(),
                })
                .collect()
        });
        Self {
            round: RoundView::new(round, tally.votes_cast.heads),
            votes_cast: tally.votes_cast.into(),
            register: round.register.into(),
            options: options.collect(),
            numbers: tally.numbers.map(NumberTallyView::from),
            texts,
        }
    }
}

/// Lists the rounds of a meeting, the earliest first.
#[utoipa::path(
    tag = "rounds",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The rounds", body = Vec<RoundView>),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/rounds")]
pub(crate) async fn list_rounds(
    admin: ClientAdmin,
    At(meeting): At<MeetingId>,
    rounds: Data<RoundService>,
) -> Result<Json<Vec<RoundView>>, ApiError> {
    let overviews = rounds.list(admin.client_id, meeting).await?.ok_or_else(MeetingId::missing)?;
    Ok(Json(overviews.iter().map(|overview| RoundView::new(&overview.round, overview.votes_cast)).collect()))
}

/// Counts a round that has ended. Nobody may see a tally while votes are taken.
#[utoipa::path(
    tag = "rounds",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path)),
    responses(
        (status = 200, description = "The counts", body = ResultView),
        (status = 404, description = "No such meeting, or no such round in it", body = ApiErrorBody),
        (status = 409, description = "The round is still open", body = ApiErrorBody,
         example = json!({ "code": "round_still_open", "error": "The round is still open" })),
    ),
)]
#[get("/client/meetings/{meetingId}/rounds/{roundId}/result")]
pub(crate) async fn round_result(
    admin: ClientAdmin,
    At(meeting): At<MeetingId>,
    At(round): At<RoundId>,
    counting: Data<CountingService>,
) -> Result<Json<ResultView>, ApiError> {
    let (round, tally) = counting.count(admin.client_id, meeting, round).await?;
    Ok(Json(ResultView::new(&round, tally)))
}
