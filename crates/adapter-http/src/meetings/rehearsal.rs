use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, delete, post};
use chrono::{DateTime, Utc};
use plenum_kernel::MeetingId;
use plenum_meetings::{EndRehearsalError, Rehearsal, RehearsalRule, RehearsalService, StartRehearsalError};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::middleware::created;

impl From<StartRehearsalError> for ApiError {
    fn from(error: StartRehearsalError) -> Self {
        match error {
            StartRehearsalError::MeetingNotFound => MeetingId::missing(),
            StartRehearsalError::Rule(rule) => match rule {
                RehearsalRule::NotRehearsable => Self::conflict("meeting_not_rehearsable", rule),
                RehearsalRule::RoundOpen => Self::conflict("round_open", rule),
                RehearsalRule::AlreadyRunning => Self::conflict("rehearsal_running", rule),
            },
            StartRehearsalError::Port(failure) => failure.into(),
        }
    }
}

impl From<EndRehearsalError> for ApiError {
    fn from(error: EndRehearsalError) -> Self {
        match error {
            EndRehearsalError::MeetingNotFound => MeetingId::missing(),
            EndRehearsalError::NoRehearsal => Self::not_found("no_rehearsal", error),
            EndRehearsalError::Port(failure) => failure.into(),
        }
    }
}

/// The last rehearsal of a meeting.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_rehearsal)]
pub(crate) struct RehearsalView {
    id: Uuid,
    started_at: DateTime<Utc>,
    /// `null` while the rehearsal runs.
    #[schema(required)]
    ended_at: Option<DateTime<Utc>>,
    /// The name of the organizer at that time.
    started_by: String,
}

/// An example for the OpenAPI document.
pub(super) fn example_rehearsal() -> Value {
    json!({
        "id": "019a9d5e-0000-7000-8000-000000000009", "startedAt": "2026-11-21T17:40:05.120Z", "endedAt": null,
        "startedBy": "Anna Berg",
    })
}

impl From<Rehearsal> for RehearsalView {
    fn from(rehearsal: Rehearsal) -> Self {
        Self {
            id: rehearsal.id.as_uuid(),
            started_at: rehearsal.started_at,
            ended_at: rehearsal.ended_at,
            started_by: rehearsal.started_by,
        }
    }
}

/// Starts a rehearsal, which replaces the previous one, and sends it to all connected voters. A rehearsal is
/// independent of rounds: nothing of it is counted, and opening a round ends it.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 201, description = "Started", body = RehearsalView),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
        (status = 409, description = "The meeting is not one that can be rehearsed, a question is open in it, or a \
                                      rehearsal is already running", body = ApiErrorBody,
         example = json!({ "code": "rehearsal_running", "error": "A rehearsal is already running" })),
    ),
)]
#[post("/client/meetings/{meetingId}/rehearsal")]
pub(crate) async fn start_rehearsal(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    rehearsals: Data<RehearsalService>,
) -> Result<HttpResponse, ApiError> {
    let rehearsal = rehearsals.start(admin.client_id, meeting, admin.account_id).await?;
    Ok(created(format_args!("/client/meetings/{meeting}/rehearsal"), RehearsalView::from(rehearsal)))
}

/// Ends the rehearsal of a meeting. Its report remains. A repeat changes nothing.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "Ended", body = RehearsalView, example = json!({
            "id": "019a9d5e-0000-7000-8000-000000000009", "startedAt": "2026-11-21T17:40:05.120Z",
            "endedAt": "2026-11-21T17:42:00.500Z", "startedBy": "Anna Berg",
        })),
        (status = 404, description = "The organization has no such meeting, or there is no rehearsal of it",
         body = ApiErrorBody,
         example = json!({ "code": "no_rehearsal", "error": "There is no rehearsal of this meeting" })),
    ),
)]
#[post("/client/meetings/{meetingId}/rehearsal/end")]
pub(crate) async fn end_rehearsal(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    rehearsals: Data<RehearsalService>,
) -> Result<Json<RehearsalView>, ApiError> {
    Ok(Json(rehearsals.end(admin.client_id, meeting).await?.into()))
}

/// Deletes the rehearsal of a meeting with its report, even while it runs.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 204, description = "Deleted"),
        (status = 404, description = "The organization has no such meeting, or there is no rehearsal of it",
         body = ApiErrorBody,
         example = json!({ "code": "no_rehearsal", "error": "There is no rehearsal of this meeting" })),
    ),
)]
#[delete("/client/meetings/{meetingId}/rehearsal")]
pub(crate) async fn discard_rehearsal(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    rehearsals: Data<RehearsalService>,
) -> Result<HttpResponse, ApiError> {
    rehearsals.discard(admin.client_id, meeting).await?;
    Ok(HttpResponse::NoContent().finish())
}
