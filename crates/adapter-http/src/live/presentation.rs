use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::{Clock, MeetingId};
use plenum_meetings::live::LiveStreams;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::CallerAddress;
use crate::extract::PathId;
use crate::live::views::PresentationView;
use crate::middleware::{Lookup, LookupKind, LookupRateLimit};

/// Returns the state of the presentation. No login.
#[utoipa::path(
    tag = "public",
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The content of the presentation", body = PresentationView),
        (status = 404, description = "There is no such meeting", body = ApiErrorBody),
        (status = 429, description = "Too many unknown links were tried; try again after `Retry-After` seconds",
         body = ApiErrorBody,
         example = json!({
             "code": "too_many_tries",
             "error": "Too many unknown links were tried in your network. Please try again in 3 seconds.",
         })),
    ),
)]
#[get("/public/meetings/{meetingId}/presentation")]
pub(crate) async fn presentation(
    PathId(meeting): PathId<MeetingId>,
    from: CallerAddress,
    lookups: Data<LookupRateLimit>,
    streams: Data<dyn LiveStreams>,
    clock: Data<dyn Clock>,
) -> Result<Json<PresentationView>, ApiError> {
    let ask = async { Ok(streams.state(meeting).await?) };
    let lookup = Lookup { kind: LookupKind::Presentation, from: from.0, value: &meeting.to_string() };
    let state = lookups.look_up(lookup, ask).await?.ok_or_else(MeetingId::missing)?;
    Ok(Json(PresentationView::from(&state).fetched_at(clock.now())))
}
