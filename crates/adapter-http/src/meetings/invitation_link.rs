use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_kernel::MeetingId;
use plenum_meetings::MeetingService;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ClientAdmin;
use crate::extract::PathId;

/// The token of an invitation link. The link is `{origin}/vote/{invitationLink}`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "invitationLink": "q3Zr8vTn0cXwYk5uLd1Pb7" }))]
pub(crate) struct InvitationLinkView {
    invitation_link: String,
}

/// Returns the meeting's invitation link. The first request creates it, and it never changes.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The token of the link", body = InvitationLinkView),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
        (status = 409, description = "The meeting is over or cancelled", body = ApiErrorBody,
         example = json!({ "code": "invitation_link_void", "error": "A completed or cancelled meeting has no invitation link" })),
    ),
)]
#[post("/client/meetings/{meetingId}/generate-link")]
pub(crate) async fn generate_invitation_link(
    admin: ClientAdmin,
    PathId(id): PathId<MeetingId>,
    meetings: Data<MeetingService>,
) -> Result<Json<InvitationLinkView>, ApiError> {
    let invitation_link = meetings.invitation_link(admin.client_id, id).await?;
    Ok(Json(InvitationLinkView { invitation_link }))
}
