use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use futures_util::{FutureExt as _, stream};
use plenum_clients::AccessCheck;
use plenum_kernel::MeetingId;
use plenum_meetings::MeetingService;
use plenum_meetings::live::LiveStreams;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::PathId;
use crate::live::access::admit;
use crate::live::frames::error_frame;
use crate::live::revocations::Revocations;
use crate::live::sse::StreamResponder;
use crate::live::stream_quota::AuthorizedStream;
use crate::live::until_revoked::{Access, session_access, until_revoked};

/// Streams a meeting: first the whole live state, then every change. The token may be in the query (`?token=`).
#[utoipa::path(
    tag = "live",
    security(("bearer" = []), ("streamToken" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "Server-sent events: `id` is the version, `data` is `{type, data}`",
         body = String, content_type = "text/event-stream",
         example = json!("id: 1795230843796744\ndata: {\"type\":\"participant_count\",\"data\":{\"participantCount\":164}}\n\n")),
        (status = 404, description = "There is no such meeting", body = ApiErrorBody),
        (status = 429, description = "Too many streams are open; try again after `Retry-After` seconds",
         body = ApiErrorBody,
         example = json!({
             "code": "too_many_streams",
             "error": "You have too many live screens open. This one is updated every few seconds instead.",
         })),
    ),
)]
#[get("/sse/meetings/{meetingId}/stream")]
pub(crate) async fn live_stream(
    AuthorizedStream { viewer, permit }: AuthorizedStream,
    PathId(meeting): PathId<MeetingId>,
    meetings: Data<MeetingService>,
    streams: Data<dyn LiveStreams>,
    access: Data<AccessCheck>,
    revocations: Data<Revocations>,
    responder: StreamResponder,
) -> Result<HttpResponse, ApiError> {
    let acting = viewer.acting();
    // Subscribes before all checks, so that no revocation is missed in between.
    let revocations = revocations.listen(acting);
    let watcher = admit(viewer, meeting, &meetings).await?;
    if permit.is_for_headers_only() {
        return Ok(responder.respond(stream::empty(), permit));
    }
    let frames = streams.watch(meeting, watcher).await?.ok_or_else(MeetingId::missing)?;
    let check_access = move || {
        let (access, meetings) = (access.clone(), meetings.clone());
        async move {
            match session_access(&access, &acting).await {
                Access::Granted => {}
                other => return other,
            }
            match admit(viewer, meeting, &meetings).await {
                Ok(_) => Access::Granted,
                Err(error) if error.is_refusal() => Access::Ended(error_frame("meeting_gone", &error.to_string())),
                Err(_) => Access::Unknown,
            }
        }
        .boxed_local()
    };
    Ok(responder.respond(until_revoked(frames, revocations, check_access), permit))
}
