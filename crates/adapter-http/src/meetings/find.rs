use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::MeetingId;
use plenum_meetings::MeetingService;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::meetings::views::MeetingView;

/// Returns one meeting of the organization.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The meeting", body = MeetingView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}")]
pub(crate) async fn find_meeting(
    admin: ClientAdmin,
    PathId(id): PathId<MeetingId>,
    meetings: Data<MeetingService>,
) -> Result<Json<MeetingView>, ApiError> {
    view_of(&admin, id, &meetings).await
}

/// Loads the current state of a meeting.
pub(super) async fn view_of(
    admin: &ClientAdmin,
    id: MeetingId,
    meetings: &MeetingService,
) -> Result<Json<MeetingView>, ApiError> {
    let overview = meetings.find(admin.client_id, id).await?.ok_or_else(MeetingId::missing)?;
    Ok(Json(MeetingView::from(&overview)))
}
