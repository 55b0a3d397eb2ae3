use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::{Clock, MeetingId};
use plenum_meetings::live::LiveRooms;

use crate::live::views::PresentationView;
use crate::rim::{ApiError, ApiErrorBody, At, PathId as _};

/// Gives what the big screen shows. No login.
#[utoipa::path(
    tag = "public",
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "What the big screen shows", body = PresentationView),
        (status = 404, description = "No such meeting", body = ApiErrorBody),
    ),
)]
#[get("/public/meetings/{meetingId}/presentation")]
pub(crate) async fn presentation(
    At(meeting): At<MeetingId>,
    rooms: Data<dyn LiveRooms>,
    clock: Data<dyn Clock>,
) -> Result<Json<PresentationView>, ApiError> {
    let state = rooms.state(meeting).await?.ok_or_else(MeetingId::missing)?;
    Ok(Json(PresentationView::from(&state).fetched_at(clock.now())))
}
