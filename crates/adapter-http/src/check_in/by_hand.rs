use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_kernel::{EndUserId, MeetingId};
use plenum_meetings::CheckInService;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::check_in::views::{PresenceKindName, PresenceOutcomeView};
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;

/// The person to check in or out.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "endUserId": "019a9d5e-0000-7000-8000-000000000003", "kind": "IN" }))]
pub(crate) struct NotePresenceBody {
    end_user_id: Uuid,
    kind: PresenceKindName,
}

/// Checks a person in or out by hand. A person who is already in, or out, stays so; the response names the
/// earlier entry.
#[utoipa::path(
    tag = "check-in",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    request_body = NotePresenceBody,
    responses(
        (status = 200, description = "The outcome", body = PresenceOutcomeView),
        (status = 404, description = "The organization has no such meeting or end user", body = ApiErrorBody,
         example = json!({ "code": "end_user_not_found", "error": "The end user does not exist" })),
        (status = 409,
         description = "Check-in is off (`check_in_off`), the meeting is over (`meeting_over`), the person may not vote in it (`may_not_vote_here`), or the log is full (`attendance_full`)",
         body = ApiErrorBody,
         example = json!({ "code": "check_in_off", "error": "check-in is not switched on in this meeting" })),
    ),
)]
#[post("/client/meetings/{meetingId}/attendance")]
pub(crate) async fn note_presence(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    Body(body): Body<NotePresenceBody>,
    check_ins: Data<CheckInService>,
) -> Result<Json<PresenceOutcomeView>, ApiError> {
    let (end_user, place) = (EndUserId::from_uuid(body.end_user_id), (admin.client_id, meeting));
    let outcome = check_ins.note_by_hand(place, end_user, body.kind.into(), admin.account_id).await?;
    Ok(Json(outcome.into()))
}
