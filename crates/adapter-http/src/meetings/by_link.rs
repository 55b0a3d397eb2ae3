use actix_web::get;
use actix_web::web::{Data, Json, Path};
use plenum_meetings::MeetingService;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ClientAdmin;
use crate::meetings::views::LinkedMeetingView;

/// Returns the organization's meeting of an invitation link.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("link" = String, Path)),
    responses(
        (status = 200, description = "The meeting", body = LinkedMeetingView),
        (status = 404, description = "The link is unknown or void, or belongs to another organization", body = ApiErrorBody,
         example = json!({
             "code": "invitation_not_found", "error": "Meeting not found or invitation link expired",
         })),
    ),
)]
#[get("/client/meetings/by-link/{link}")]
pub(crate) async fn find_own_meeting_by_link(
    admin: ClientAdmin,
    link: Path<String>,
    meetings: Data<MeetingService>,
) -> Result<Json<LinkedMeetingView>, ApiError> {
    let target = meetings.find_by_link(&link).await?;
    let target = target.filter(|target| target.client.id == admin.client_id).ok_or_else(missing_invitation)?;
    Ok(Json(LinkedMeetingView::from(&target)))
}

/// The error for an unknown or void invitation link.
pub(crate) fn missing_invitation() -> ApiError {
    ApiError::not_found("invitation_not_found", "Meeting not found or invitation link expired")
}
