use actix_web::get;
use actix_web::web::{Data, Json, Path};
use plenum_meetings::MeetingPlanning;

use crate::meetings::{LinkedMeetingView, missing_invitation};
use crate::rim::{ApiError, ApiErrorBody};

/// Gives the meeting that an invitation link leads to. No login. The links of meetings that are over or cancelled are
/// void.
#[utoipa::path(
    tag = "public",
    params(("linkToken" = String, Path)),
    responses(
        (status = 200, description = "The meeting", body = LinkedMeetingView),
        (status = 404, description = "The link leads nowhere, or is void", body = ApiErrorBody,
         example = json!({
             "code": "invitation_not_found", "error": "Meeting not found or invitation link expired",
         })),
    ),
)]
#[get("/meetings/by-link/{linkToken}")]
pub(crate) async fn find_meeting_by_link(
    link: Path<String>,
    meetings: Data<MeetingPlanning>,
) -> Result<Json<LinkedMeetingView>, ApiError> {
    let target = meetings.find_by_link(&link).await?.ok_or_else(missing_invitation)?;
    Ok(Json(LinkedMeetingView::from(&target)))
}
