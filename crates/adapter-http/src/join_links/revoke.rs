use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_clients::{JoinLinkChoice, JoinLinkService};
use plenum_kernel::{JoinLinkId, MeetingId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ApiError;
use crate::extract::Body;
use crate::extract::ClientAdmin;

/// The links to revoke: one, those of a meeting, or all. Exactly one field.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "all": true }))]
pub(crate) struct RevokeJoinLinksBody {
    /// One link.
    join_link_id: Option<Uuid>,
    /// All links for this meeting.
    meeting_id: Option<Uuid>,
    /// True for all links of the organization, those for meetings among them.
    all: Option<bool>,
}

/// The number of revoked links.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "revoked": 1 }))]
pub(crate) struct RevokedView {
    success: bool,
    #[schema(minimum = 0)]
    revoked: u64,
}

/// Revokes personal links. Sessions that they opened go on. The response counts the links that were not revoked before.
#[utoipa::path(
    tag = "end users",
    security(("bearer" = [])),
    request_body = RevokeJoinLinksBody,
    responses(
        (status = 200, description = "Revoked", body = RevokedView),
    ),
)]
#[post("/client/join-links/revoke")]
pub(crate) async fn revoke_join_links(
    admin: ClientAdmin,
    Body(body): Body<RevokeJoinLinksBody>,
    links: Data<JoinLinkService>,
) -> Result<Json<RevokedView>, ApiError> {
    let choice = match (body.join_link_id, body.meeting_id, body.all.unwrap_or(false)) {
        (Some(id), None, false) => JoinLinkChoice::One(JoinLinkId::from_uuid(id)),
        (None, Some(meeting), false) => JoinLinkChoice::OfMeeting(MeetingId::from_uuid(meeting)),
        (None, None, true) => JoinLinkChoice::All,
        _ => {
            return Err(ApiError::invalid_field(
                "all",
                "Must be true, unless either joinLinkId or meetingId is given.",
            ));
        }
    };
    let revoked = links.revoke(admin.client_id, choice).await?;
    Ok(Json(RevokedView { success: true, revoked }))
}
