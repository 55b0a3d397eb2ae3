use actix_web::delete;
use actix_web::web::{Data, Json};
use plenum_kernel::MeetingId;
use plenum_meetings::MeetingService;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::views::DoneView;

/// Deletes a meeting that is not running, with its participants, agenda, rounds and votes. This cannot be undone.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "Deleted", body = DoneView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
        (status = 409, description = "The meeting is running", body = ApiErrorBody,
         example = json!({ "code": "meeting_active", "error": "An active meeting cannot be deleted; end it first" })),
    ),
)]
#[delete("/client/meetings/{meetingId}")]
pub(crate) async fn delete_meeting(
    admin: ClientAdmin,
    PathId(id): PathId<MeetingId>,
    meetings: Data<MeetingService>,
) -> Result<Json<DoneView>, ApiError> {
    meetings.delete(admin.client_id, id).await?;
    Ok(Json(DoneView::DONE))
}
