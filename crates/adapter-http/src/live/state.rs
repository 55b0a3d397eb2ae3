use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::{Clock, MeetingId};
use plenum_meetings::MeetingService;
use plenum_meetings::live::LiveStreams;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::MeetingViewer;
use crate::extract::PathId;
use crate::live::access::{admit, audience_of};
use crate::live::views::LiveStateView;

/// Returns the whole live state, for screens that missed an event or cannot hold a stream.
#[utoipa::path(
    tag = "live",
    security(("bearer" = []), ("streamToken" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The live state", body = LiveStateView),
        (status = 404, description = "There is no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/sse/meetings/{meetingId}/state")]
pub(crate) async fn live_state(
    viewer: MeetingViewer,
    PathId(meeting): PathId<MeetingId>,
    meetings: Data<MeetingService>,
    streams: Data<dyn LiveStreams>,
    clock: Data<dyn Clock>,
) -> Result<Json<LiveStateView>, ApiError> {
    let watcher = admit(viewer, meeting, &meetings).await?;
    let state = streams.state(meeting).await?.ok_or_else(MeetingId::missing)?;
    let audience = audience_of(&**streams, &state, watcher).await?;
    Ok(Json(LiveStateView::new(&state, audience).fetched_at(clock.now())))
}
