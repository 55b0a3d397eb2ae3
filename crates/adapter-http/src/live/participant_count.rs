use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::MeetingId;
use plenum_meetings::MeetingService;
use plenum_meetings::live::LiveStreams;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::MeetingViewer;
use crate::extract::PathId;
use crate::live::access::admit;

/// The number of connected voters.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "participantCount": 164 }))]
pub(crate) struct ParticipantCountView {
    /// The connected voters. Each voter counts once.
    #[schema(example = 164)]
    participant_count: u64,
}

/// Returns the number of connected voters.
#[utoipa::path(
    tag = "live",
    security(("bearer" = []), ("streamToken" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The number of connected voters", body = ParticipantCountView),
        (status = 404, description = "There is no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/sse/meetings/{meetingId}/participants/count")]
pub(crate) async fn participant_count(
    viewer: MeetingViewer,
    PathId(meeting): PathId<MeetingId>,
    meetings: Data<MeetingService>,
    streams: Data<dyn LiveStreams>,
) -> Result<Json<ParticipantCountView>, ApiError> {
    admit(viewer, meeting, &meetings).await?;
    let state = streams.state(meeting).await?.ok_or_else(MeetingId::missing)?;
    Ok(Json(ParticipantCountView { participant_count: state.participants }))
}
