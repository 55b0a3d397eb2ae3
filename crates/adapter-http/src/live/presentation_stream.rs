use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use plenum_kernel::MeetingId;
use plenum_meetings::live::{LiveRooms, Watcher};

use crate::live::sse::event_stream;
use crate::rim::{ApiError, ApiErrorBody, At, PathId as _};
use crate::system::Stopping;

/// Watches what the big screen shows: the whole picture first, then every change. No login.
#[utoipa::path(
    tag = "public",
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "Server-sent events: `id` is the version, `data` is `{type, data}`",
         body = String, content_type = "text/event-stream",
         example = json!("id: 1795230843796744\ndata: {\"type\":\"participant_count\",\"data\":{\"participantCount\":164}}\n\n")),
        (status = 404, description = "No such meeting", body = ApiErrorBody),
    ),
)]
#[get("/public/meetings/{meetingId}/presentation/stream")]
pub(crate) async fn presentation_stream(
    At(meeting): At<MeetingId>,
    rooms: Data<dyn LiveRooms>,
    stopping: Data<Stopping>,
) -> Result<HttpResponse, ApiError> {
    let frames = rooms.watch(meeting, Watcher::Public).await?.ok_or_else(MeetingId::missing)?;
    Ok(event_stream(frames, stopping))
}
