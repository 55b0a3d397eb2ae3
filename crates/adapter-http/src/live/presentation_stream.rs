use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use plenum_kernel::MeetingId;
use plenum_meetings::live::{LiveStreams, Watcher};

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::CallerAddress;
use crate::extract::PathId;
use crate::live::sse::StreamResponder;
use crate::live::stream_quota::StreamPermit;
use crate::middleware::{Lookup, LookupKind, LookupRateLimit};

/// Streams the presentation: first the whole snapshot, then every change. No login.
#[utoipa::path(
    tag = "public",
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "Server-sent events: `id` is the version, `data` is `{type, data}`",
         body = String, content_type = "text/event-stream",
         example = json!("id: 1795230843796744\ndata: {\"type\":\"participant_count\",\"data\":{\"participantCount\":164}}\n\n")),
        (status = 404, description = "There is no such meeting", body = ApiErrorBody),
        (status = 429, description = "Too many streams are open, or too many unknown links were tried; try again after `Retry-After` seconds",
         body = ApiErrorBody,
         example = json!({
             "code": "too_many_streams",
             "error": "Your network has too many live screens open. This one is updated every few seconds instead.",
         })),
    ),
)]
#[get("/public/meetings/{meetingId}/presentation/stream")]
pub(crate) async fn presentation_stream(
    PathId(meeting): PathId<MeetingId>,
    permit: StreamPermit,
    from: CallerAddress,
    lookups: Data<LookupRateLimit>,
    streams: Data<dyn LiveStreams>,
    responder: StreamResponder,
) -> Result<HttpResponse, ApiError> {
    let watch = async { Ok(streams.watch(meeting, Watcher::Public).await?) };
    let lookup = Lookup { kind: LookupKind::Presentation, from: from.0, value: &meeting.to_string() };
    let frames = lookups.look_up(lookup, watch).await?.ok_or_else(MeetingId::missing)?;
    Ok(responder.respond(frames, permit))
}
