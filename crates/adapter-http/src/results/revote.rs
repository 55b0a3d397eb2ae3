use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use plenum_kernel::{Clock, MeetingId, QuestionId};
use plenum_meetings::MeetingService;
use plenum_voting::{RevoteReason, RoundService};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::Query;
use crate::meetings::{ControlledMeeting, CurrentQuestionAnswer, StepQuery};
use crate::middleware::created;

/// The question of a re-vote, and the reason.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "questionId": "019a9d5e-0000-7000-8000-000000000005", "reason": "The connection in hall 2 was interrupted.",
}))]
pub(crate) struct StartRevoteBody {
    #[schema(value_type = Uuid)]
    question_id: String,
    /// One line. It appears in the result.
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
}

/// Opens a question for a re-vote: a new round with a new register. The results of earlier rounds remain. An open round
/// of another question ends first.
#[utoipa::path(
    tag = "rounds",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), StepQuery),
    request_body = StartRevoteBody,
    responses(
        (status = 201, description = "The content of the presentation", body = CurrentQuestionAnswer),
        (status = 404, description = "There is no such meeting, or no such question in it", body = ApiErrorBody),
        (status = 409, description = "Voting on the question is open, nobody has voted on it yet, too few voters are connected, the meeting is not running, or the step was decided on an older state", body = ApiErrorBody,
         example = json!({ "code": "round_open", "error": "Voting on this question is open" })),
    ),
)]
#[post("/client/meetings/{meetingId}/rounds")]
pub(crate) async fn start_revote(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    query: Query<StepQuery>,
    Body(body): Body<StartRevoteBody>,
    rounds: Data<RoundService>,
    meetings: Data<MeetingService>,
    clock: Data<dyn Clock>,
) -> Result<HttpResponse, ApiError> {
    let reason =
        RevoteReason::parse(&body.reason).map_err(|requirement| ApiError::invalid_field("reason", requirement))?;
    let question: QuestionId = body.question_id.parse().map_err(|_| QuestionId::missing())?;
    let outcome = rounds.revote(query.read_step(&admin, meeting)?, question, reason).await;
    let controlled = ControlledMeeting { admin: &admin, id: meeting, rounds: &rounds, meetings: &meetings };
    let answer = CurrentQuestionAnswer::after_step(outcome, controlled, &**clock).await?;
    Ok(created(format_args!("/client/meetings/{meeting}/rounds"), answer.into_inner()))
}
