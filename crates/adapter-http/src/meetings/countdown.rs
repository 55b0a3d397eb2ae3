use actix_web::web::{Data, Json};
use actix_web::{delete, put};
use plenum_kernel::{Clock, MeetingId};
use plenum_meetings::MeetingService;
use plenum_voting::{Countdown, RoundService};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::Query;
use crate::meetings::current_question::CurrentQuestionAnswer;
use crate::meetings::steps::{ControlledMeeting, StepQuery};

/// The remaining time of the open round.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "seconds": 60 }))]
pub(crate) struct StartCountdownBody {
    /// The number of seconds from now.
    #[schema(minimum = 5, maximum = 3600)]
    seconds: i64,
}

/// Starts a countdown that ends the open round after a number of seconds, and replaces an earlier countdown. The server
/// ends the round even if no organizer is connected. The question stays on the screen.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), StepQuery),
    request_body = StartCountdownBody,
    responses(
        (status = 200, description = "The content of the presentation", body = CurrentQuestionAnswer),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
        (status = 409, description = "No question is open, or the step was decided on an older state", body = ApiErrorBody,
         example = json!({ "code": "no_open_round", "error": "No question is open" })),
    ),
)]
#[put("/client/meetings/{meetingId}/countdown")]
pub(crate) async fn start_countdown(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    query: Query<StepQuery>,
    Body(body): Body<StartCountdownBody>,
    rounds: Data<RoundService>,
    meetings: Data<MeetingService>,
    clock: Data<dyn Clock>,
) -> Result<Json<CurrentQuestionAnswer>, ApiError> {
    let countdown =
        Countdown::of_seconds(body.seconds).map_err(|requirement| ApiError::invalid_field("seconds", requirement))?;
    let outcome = rounds.start_countdown(admin.client_id, meeting, countdown, query.read()?).await;
    let controlled = ControlledMeeting { admin: &admin, id: meeting, rounds: &rounds, meetings: &meetings };
    CurrentQuestionAnswer::after_step(outcome, controlled, &**clock).await
}

/// Removes the countdown, so that the round stays open until it is ended. Without a countdown nothing changes.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), StepQuery),
    responses(
        (status = 200, description = "The content of the presentation", body = CurrentQuestionAnswer),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
        (status = 409, description = "The step was decided on an older state", body = ApiErrorBody,
         example = json!({
             "code": "stale_step",
             "error": "Another organizer made a change first: nothing is on the presentation now. Your change was not made.",
             "step": 13, "currentQuestion": null,
         })),
    ),
)]
#[delete("/client/meetings/{meetingId}/countdown")]
pub(crate) async fn cancel_countdown(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    query: Query<StepQuery>,
    rounds: Data<RoundService>,
    meetings: Data<MeetingService>,
    clock: Data<dyn Clock>,
) -> Result<Json<CurrentQuestionAnswer>, ApiError> {
    let outcome = rounds.cancel_countdown(admin.client_id, meeting, query.read()?).await;
    let controlled = ControlledMeeting { admin: &admin, id: meeting, rounds: &rounds, meetings: &meetings };
    CurrentQuestionAnswer::after_step(outcome, controlled, &**clock).await
}
