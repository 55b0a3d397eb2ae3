use actix_web::get;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use plenum_kernel::MeetingId;
use plenum_result_format::{QuestionTypeName, WeightKindFormat};
use plenum_voting::{Round, RoundOverview, RoundService, RoundStatus};
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::exact;

/// The status of a round.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = RoundStatus)]
pub(crate) enum RoundStatusName {
    Open,
    /// The votes are not counted. Voting can reopen.
    Ended,
    /// The votes are counted. Only a re-vote is possible.
    Counted,
    /// The result is final.
    Declared,
}

impl RoundStatusName {
    fn of(round: &Round) -> Self {
        match round.status {
            RoundStatus::Open => Self::Open,
            RoundStatus::Ended if round.counted_at.is_none() => Self::Ended,
            RoundStatus::Ended => Self::Counted,
            RoundStatus::Declared => Self::Declared,
        }
    }
}

/// One opening of a question for voting, with the wording of that moment.
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
    /// The number of voters in the register.
    register_size: u64,
    /// The total weight of the register.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    register_weight: Decimal,
    /// The kind that is counted as weight. Null for the ordinary weight.
    #[schema(required)]
    weight_kind: Option<WeightKindFormat>,
    /// The kind of the second weight. Null without one.
    #[schema(required)]
    second_weight_kind: Option<WeightKindFormat>,
    /// Received votes, in heads.
    vote_count: u64,
    /// Batches of votes on paper that wait for confirmation. After the end they count only if the round is reopened.
    waiting_batches: u64,
    /// The reason of the re-vote. Null for the first round of a question.
    #[schema(required)]
    reason: Option<String>,
    /// The time of the count.
    #[schema(required)]
    counted_at: Option<DateTime<Utc>>,
    #[schema(required)]
    declared_at: Option<DateTime<Utc>>,
    /// The name of the organizer at the time of the declaration.
    #[schema(required)]
    declared_by: Option<String>,
}

/// An example for the OpenAPI document.
fn example_round() -> Value {
    json!({
        "id": "019a9d5e-0000-7000-8000-000000000007", "questionId": "019a9d5e-0000-7000-8000-000000000005",
        "number": 1, "status": "ENDED", "questionText": "Do you approve the budget?", "questionType": "YES_NO",
        "openedAt": "2026-11-21T18:04:05.120Z", "endedAt": "2026-11-21T18:09:41Z", "registerSize": 180,
        "registerWeight": 201.5, "weightKind": null, "secondWeightKind": null, "voteCount": 164, "waitingBatches": 0, "reason": null, "countedAt": null, "declaredAt": null,
        "declaredBy": null,
    })
}

impl RoundView {
    fn new(RoundOverview { round, votes_cast, waiting_batches }: &RoundOverview) -> Self {
        Self {
            id: round.id.as_uuid(),
            question_id: round.question_id.as_uuid(),
            number: round.number,
            status: RoundStatusName::of(round),
            question_text: round.wording.text.clone(),
            question_type: round.wording.question_type.into(),
            opened_at: round.opened_at,
            ended_at: round.ended_at,
            register_size: round.register.heads,
            register_weight: round.register.weight.normalize(),
            weight_kind: round.weight_kind.as_ref().map(Into::into),
            second_weight_kind: round.second_weight_kind.as_ref().map(Into::into),
            vote_count: *votes_cast,
            waiting_batches: *waiting_batches,
            reason: round.reason.clone(),
            counted_at: round.counted_at,
            declared_at: round.declared.as_ref().map(|declared| declared.at),
            declared_by: round.declared.as_ref().map(|declared| declared.by.clone()),
        }
    }
}

/// Lists the rounds of a meeting, earliest first.
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
    PathId(meeting): PathId<MeetingId>,
    rounds: Data<RoundService>,
) -> Result<Json<Vec<RoundView>>, ApiError> {
    let overviews = rounds.list(admin.client_id, meeting).await?.ok_or_else(MeetingId::missing)?;
    Ok(Json(overviews.iter().map(RoundView::new).collect()))
}
