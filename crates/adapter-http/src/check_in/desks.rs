use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, delete, get, post};
use chrono::{DateTime, Utc};
use plenum_kernel::{DeskId, MeetingId};
use plenum_meetings::{CheckInService, Desk, DeskName, DeskPurpose};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::middleware::created;
use crate::views::DoneView;

/// A new desk.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "name": "Desk 1", "purpose": "CHECK_IN" }))]
pub(crate) struct MakeDeskBody {
    /// 1 to 60 characters after trimming, different from those of other desks that are not revoked.
    #[schema(min_length = 1, max_length = 60)]
    name: String,
    /// Check-in if missing.
    purpose: Option<DeskPurposeName>,
}

/// What a desk is for. Its link has rights to nothing else.
#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = DeskPurpose)]
pub(crate) enum DeskPurposeName {
    /// Checking people in and out.
    CheckIn,
    /// People vote on its device, after a helper has identified them.
    VotingPlace,
    /// Votes on paper are entered and confirmed.
    Tellers,
}

impl From<DeskPurpose> for DeskPurposeName {
    fn from(purpose: DeskPurpose) -> Self {
        match purpose {
            DeskPurpose::CheckIn => Self::CheckIn,
            DeskPurpose::VotingPlace => Self::VotingPlace,
            DeskPurpose::Tellers => Self::Tellers,
        }
    }
}

impl From<DeskPurposeName> for DeskPurpose {
    fn from(purpose: DeskPurposeName) -> Self {
        match purpose {
            DeskPurposeName::CheckIn => Self::CheckIn,
            DeskPurposeName::VotingPlace => Self::VotingPlace,
            DeskPurposeName::Tellers => Self::Tellers,
        }
    }
}

/// A desk, without its token.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Desk, example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000030", "name": "Desk 1", "purpose": "CHECK_IN", "madeAt": "2026-11-21T17:30:00Z", "madeBy": "Maria Keller",
    "revokedAt": null,
}))]
pub(crate) struct DeskView {
    id: Uuid,
    name: String,
    purpose: DeskPurposeName,
    made_at: DateTime<Utc>,
    /// The name of the organizer.
    made_by: String,
    #[schema(required)]
    revoked_at: Option<DateTime<Utc>>,
}

impl From<Desk> for DeskView {
    fn from(desk: Desk) -> Self {
        Self {
            id: desk.id.as_uuid(),
            name: desk.name.to_string(),
            purpose: desk.purpose.into(),
            made_at: desk.made_at,
            made_by: desk.made_by,
            revoked_at: desk.revoked_at,
        }
    }
}

/// The desks of a meeting.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeskListAnswer {
    success: bool,
    data: Vec<DeskView>,
}

/// A new desk with its token, which is shown only once.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "desk": {
        "id": "019a9d5e-0000-7000-8000-000000000030", "name": "Desk 1", "purpose": "CHECK_IN", "madeAt": "2026-11-21T17:30:00Z",
        "madeBy": "Maria Keller", "revokedAt": null,
    },
    "token": "desk_Jh3vN0q8wXk2ZcP5tL9yRbA7mD4sF1gE6uHoKiVnWxY",
}))]
pub(crate) struct MadeDeskView {
    desk: DeskView,
    /// The link is `{origin}/desk#{token}`.
    token: String,
}

/// Lists the desks of a meeting, the earliest first, also revoked ones.
#[utoipa::path(
    tag = "check-in",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The desks", body = DeskListAnswer),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/desks")]
pub(crate) async fn list_desks(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    check_ins: Data<CheckInService>,
) -> Result<Json<DeskListAnswer>, ApiError> {
    let found = check_ins.desks(admin.client_id, meeting).await?.ok_or_else(MeetingId::missing)?;
    Ok(Json(DeskListAnswer { success: true, data: found.into_iter().map(DeskView::from).collect() }))
}

/// Makes a desk. Its link lets a helper without an account do what the desk is for in this meeting, until the link is revoked or the
/// meeting is over. The token cannot be read again.
#[utoipa::path(
    tag = "check-in",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    request_body = MakeDeskBody,
    responses(
        (status = 201, description = "The desk and its token", body = MadeDeskView),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
        (status = 409,
         description = "The meeting is over (`meeting_over`), another desk has the name (`desk_name_taken`), or there are 50 desks (`too_many_desks`)",
         body = ApiErrorBody,
         example = json!({
             "code": "desk_name_taken", "error": "another desk of this meeting has this name",
             "fields": { "name": ["Another desk of this meeting has this name"] },
         })),
    ),
)]
#[post("/client/meetings/{meetingId}/desks")]
pub(crate) async fn make_desk(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    Body(body): Body<MakeDeskBody>,
    check_ins: Data<CheckInService>,
) -> Result<HttpResponse, ApiError> {
    let mut check = FieldCheck::default();
    let name = check.keep("name", DeskName::parse(&body.name));
    let name = check.finish(name)?;
    let purpose = body.purpose.map(DeskPurpose::from).unwrap_or_default();
    let (desk, token) = check_ins.make_desk((admin.client_id, meeting), (name, purpose), admin.account_id).await?;
    let view = MadeDeskView { desk: desk.into(), token };
    Ok(created(format_args!("/client/meetings/{meeting}/desks"), view))
}

/// Revokes a desk: its link works for nothing from now on. Its entries stay.
#[utoipa::path(
    tag = "check-in",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("deskId" = Uuid, Path)),
    responses(
        (status = 200, description = "Revoked", body = DoneView),
        (status = 404, description = "The meeting has no such desk", body = ApiErrorBody,
         example = json!({ "code": "desk_not_found", "error": "The desk does not exist" })),
    ),
)]
#[delete("/client/meetings/{meetingId}/desks/{deskId}")]
pub(crate) async fn revoke_desk(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(desk): PathId<DeskId>,
    check_ins: Data<CheckInService>,
) -> Result<Json<DoneView>, ApiError> {
    if check_ins.revoke_desk(admin.client_id, meeting, desk).await? {
        Ok(Json(DoneView::DONE))
    } else {
        Err(DeskId::missing())
    }
}
