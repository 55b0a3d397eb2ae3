use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_kernel::MeetingId;
use plenum_meetings::MeetingService;
use plenum_voting::RoundService;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::Query;
use crate::meetings::find::view_of;
use crate::meetings::steps::{ControlledMeeting, StepQuery};
use crate::meetings::views::MeetingView;

/// Starts a draft or scheduled meeting. A running meeting does not change.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), StepQuery),
    responses(
        (status = 200, description = "The meeting is running", body = MeetingView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
        (status = 409, description = "The meeting is over or cancelled, or the step was decided on an older state", body = ApiErrorBody,
         example = json!({ "code": "meeting_not_startable", "error": "Only a draft or scheduled meeting can be started" })),
    ),
)]
#[post("/client/meetings/{meetingId}/start")]
pub(crate) async fn start_meeting(
    admin: ClientAdmin,
    PathId(id): PathId<MeetingId>,
    query: Query<StepQuery>,
    meetings: Data<MeetingService>,
    rounds: Data<RoundService>,
) -> Result<Json<MeetingView>, ApiError> {
    if let Err(error) = meetings.start(admin.client_id, id, query.read()?).await {
        let controlled = ControlledMeeting { admin: &admin, id, rounds: &rounds, meetings: &meetings };
        return Err(controlled.refused_step(error.into()).await);
    }
    view_of(&admin, id, &meetings).await
}

/// Ends a running meeting and its open round.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), StepQuery),
    responses(
        (status = 200, description = "The meeting has ended", body = MeetingView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
        (status = 409, description = "The meeting is not running, or the step was decided on an older state", body = ApiErrorBody,
         example = json!({ "code": "meeting_not_active", "error": "Only an active meeting can be ended" })),
    ),
)]
#[post("/client/meetings/{meetingId}/end")]
pub(crate) async fn end_meeting(
    admin: ClientAdmin,
    PathId(id): PathId<MeetingId>,
    query: Query<StepQuery>,
    meetings: Data<MeetingService>,
    rounds: Data<RoundService>,
) -> Result<Json<MeetingView>, ApiError> {
    if let Err(error) = meetings.end(admin.client_id, id, admin.account_id, query.read()?).await {
        let controlled = ControlledMeeting { admin: &admin, id, rounds: &rounds, meetings: &meetings };
        return Err(controlled.refused_step(error.into()).await);
    }
    view_of(&admin, id, &meetings).await
}
