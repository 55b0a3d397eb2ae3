use actix_web::get;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use plenum_kernel::MeetingId;
use plenum_meetings::CheckInService;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::CallerAddress;
use crate::extract::PathId;
use crate::middleware::{Lookup, LookupKind, LookupRateLimit};

/// The code on the presentation, with which voters check themselves in.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "code": "482913", "until": "2026-11-21T18:04:30Z" }))]
pub(crate) struct CheckInCodeView {
    /// Six digits.
    code: String,
    /// When the next code is shown. This one is valid for another minute, for people who type.
    until: DateTime<Utc>,
}

/// Returns the code that the presentation shows for self check-in. No login, as for the presentation.
#[utoipa::path(
    tag = "public",
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The code", body = CheckInCodeView),
        (status = 404, description = "There is no such meeting, it is over, or voters cannot check themselves in", body = ApiErrorBody,
         example = json!({ "code": "no_check_in_code", "error": "Voters cannot check themselves in to this meeting" })),
        (status = 429, description = "Too many unknown links were tried; try again after `Retry-After` seconds",
         body = ApiErrorBody,
         example = json!({
             "code": "too_many_tries",
             "error": "Too many unknown links were tried in your network. Please try again in 3 seconds.",
         })),
    ),
)]
#[get("/public/meetings/{meetingId}/check-in-code")]
pub(crate) async fn check_in_code(
    PathId(meeting): PathId<MeetingId>,
    from: CallerAddress,
    lookups: Data<LookupRateLimit>,
    check_ins: Data<CheckInService>,
) -> Result<Json<CheckInCodeView>, ApiError> {
    let find = async { Ok(check_ins.shown_code(meeting).await?) };
    let lookup = Lookup { kind: LookupKind::ShownCode, from: from.0, value: &meeting.to_string() };
    let shown = lookups.look_up(lookup, find).await?;
    let missing = || ApiError::not_found("no_check_in_code", "voters cannot check themselves in to this meeting");
    let shown = shown.ok_or_else(missing)?;
    Ok(Json(CheckInCodeView { code: shown.code, until: shown.until }))
}
