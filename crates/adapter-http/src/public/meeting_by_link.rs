use actix_web::get;
use actix_web::web::{Data, Json, Path};
use plenum_meetings::MeetingService;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::CallerAddress;
use crate::meetings::{LinkedMeetingView, missing_invitation};
use crate::middleware::{Lookup, LookupKind, LookupRateLimit};

/// Returns the meeting of an invitation link. No login. The links of finished or cancelled meetings are void.
#[utoipa::path(
    tag = "public",
    params(("linkToken" = String, Path)),
    responses(
        (status = 200, description = "The meeting", body = LinkedMeetingView),
        (status = 404, description = "The link is unknown or void", body = ApiErrorBody,
         example = json!({
             "code": "invitation_not_found", "error": "Meeting not found or invitation link expired",
         })),
        (status = 429, description = "Too many unknown links were tried; try again after `Retry-After` seconds",
         body = ApiErrorBody,
         example = json!({
             "code": "too_many_tries",
             "error": "Too many unknown links were tried in your network. Please try again in 3 seconds.",
         })),
    ),
)]
#[get("/meetings/by-link/{linkToken}")]
pub(crate) async fn find_meeting_by_link(
    link: Path<String>,
    from: CallerAddress,
    lookups: Data<LookupRateLimit>,
    meetings: Data<MeetingService>,
) -> Result<Json<LinkedMeetingView>, ApiError> {
    let find = async { Ok(meetings.find_by_link(&link).await?) };
    let lookup = Lookup { kind: LookupKind::Invitation, from: from.0, value: &link };
    let target = lookups.look_up(lookup, find).await?.ok_or_else(missing_invitation)?;
    Ok(Json(LinkedMeetingView::from(&target)))
}
