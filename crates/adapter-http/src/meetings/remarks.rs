use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, delete, get, post};
use plenum_kernel::{MeetingId, RemarkId};
use plenum_meetings::{RemarkDraft, RemarkService, RemarkText, WriteRemarkError};
use plenum_result_format::{Remark, RemarkKind, Struck};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::middleware::created;

/// A remark for the minutes.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "kind": "REMARK", "text": "The treasurer left the room." }))]
pub(crate) struct CreateRemarkBody {
    kind: RemarkKind,
    /// 1 to 2,000 characters after trimming. It may have several lines.
    #[schema(min_length = 1, max_length = 2000)]
    text: String,
}

impl From<WriteRemarkError> for ApiError {
    fn from(error: WriteRemarkError) -> Self {
        match error {
            WriteRemarkError::MeetingNotFound => MeetingId::missing(),
            WriteRemarkError::TooMany => Self::conflict("too_many_remarks", error),
            WriteRemarkError::Port(failure) => failure.into(),
        }
    }
}

fn view(remark: plenum_meetings::Remark) -> Remark {
    let kind = match remark.kind {
        plenum_meetings::RemarkKind::Remark => RemarkKind::Remark,
        plenum_meetings::RemarkKind::Incident => RemarkKind::Incident,
    };
    let struck = remark.struck.map(|struck| Struck { at: struck.at, by: struck.by });
    Remark { id: remark.id.as_uuid(), at: remark.at, by: remark.by, kind, text: remark.text.to_string(), struck }
}

/// Lists the remarks for the minutes of a meeting, earliest first.
#[utoipa::path(
    tag = "results",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The remarks", body = Vec<Remark>),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/remarks")]
pub(crate) async fn list_remarks(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    remarks: Data<RemarkService>,
) -> Result<Json<Vec<Remark>>, ApiError> {
    let remarks = remarks.list(admin.client_id, meeting).await?.ok_or_else(MeetingId::missing)?;
    Ok(Json(remarks.into_iter().map(view).collect()))
}

/// Adds a remark to the minutes of a meeting, with the time and the name of its author.
#[utoipa::path(
    tag = "results",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    request_body = CreateRemarkBody,
    responses(
        (status = 201, description = "Recorded", body = Remark),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
        (status = 409, description = "The meeting has reached the limit of remarks", body = ApiErrorBody,
         example = json!({
             "code": "too_many_remarks", "error": "The meeting has 1,000 remarks, and no room for more",
         })),
    ),
)]
#[post("/client/meetings/{meetingId}/remarks")]
pub(crate) async fn write_remark(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    Body(body): Body<CreateRemarkBody>,
    remarks: Data<RemarkService>,
) -> Result<HttpResponse, ApiError> {
    let kind = match body.kind {
        RemarkKind::Remark => plenum_meetings::RemarkKind::Remark,
        RemarkKind::Incident => plenum_meetings::RemarkKind::Incident,
    };
    let text = RemarkText::parse(&body.text).map_err(|requirement| ApiError::invalid_field("text", requirement))?;
    let remark = remarks.write(admin.client_id, meeting, RemarkDraft { by: admin.account_id, kind, text }).await?;
    Ok(created(format_args!("/client/meetings/{meeting}/remarks"), view(remark)))
}

/// Strikes a remark through: it keeps its text, and gets the name of the organizer and the time. A repeated request
/// changes nothing. A remark of a meeting in which voting was never opened, and which has not ended, is deleted.
#[utoipa::path(
    tag = "results",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("remarkId" = Uuid, Path)),
    responses(
        (status = 204, description = "Struck through, or deleted"),
        (status = 404, description = "There is no such meeting, or no such remark in it", body = ApiErrorBody),
    ),
)]
#[delete("/client/meetings/{meetingId}/remarks/{remarkId}")]
pub(crate) async fn delete_remark(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(id): PathId<RemarkId>,
    remarks: Data<RemarkService>,
) -> Result<HttpResponse, ApiError> {
    if !remarks.strike(admin.client_id, meeting, id, admin.account_id).await? {
        return Err(RemarkId::missing());
    }
    Ok(HttpResponse::NoContent().finish())
}
