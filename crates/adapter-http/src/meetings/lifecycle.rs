use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_kernel::MeetingId;
use plenum_meetings::{MeetingPlanning, MeetingRunning};

use crate::meetings::find::view_of;
use crate::meetings::views::MeetingView;
use crate::rim::{ApiError, ApiErrorBody, At, ClientAdmin};

/// Starts a draft or scheduled meeting. Starting one that is running changes nothing.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "Running", body = MeetingView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
        (status = 409, description = "The meeting is over or cancelled", body = ApiErrorBody,
         example = json!({ "code": "meeting_not_startable", "error": "Only a draft or scheduled meeting can be started" })),
    ),
)]
#[post("/client/meetings/{meetingId}/start")]
pub(crate) async fn start_meeting(
    admin: ClientAdmin,
    At(id): At<MeetingId>,
    running: Data<MeetingRunning>,
    meetings: Data<MeetingPlanning>,
) -> Result<Json<MeetingView>, ApiError> {
    running.start(admin.client_id, id).await?;
    view_of(&admin, id, &meetings).await
}

/// Ends a running meeting, its running round included.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "Over", body = MeetingView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
        (status = 409, description = "The meeting is not running", body = ApiErrorBody,
         example = json!({ "code": "meeting_not_active", "error": "Only an active meeting can be ended" })),
    ),
)]
#[post("/client/meetings/{meetingId}/end")]
pub(crate) async fn end_meeting(
    admin: ClientAdmin,
    At(id): At<MeetingId>,
    running: Data<MeetingRunning>,
    meetings: Data<MeetingPlanning>,
) -> Result<Json<MeetingView>, ApiError> {
    running.end(admin.client_id, id).await?;
    view_of(&admin, id, &meetings).await
}
