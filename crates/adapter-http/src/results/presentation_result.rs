use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::MeetingId;
use plenum_records::RecordedResults;
use plenum_result_format::RoundResult;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::CallerAddress;
use crate::extract::PathId;
use crate::middleware::{Lookup, LookupKind, LookupRateLimit};

/// Returns the result on the presentation: that of the current question's last round, once declared. No login. Its log
/// is empty.
#[utoipa::path(
    tag = "public",
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The result", body = RoundResult),
        (status = 404, description = "There is no such meeting, or no declared result on its presentation", body = ApiErrorBody,
         example = json!({ "code": "no_declared_result", "error": "There is no declared result on the presentation" })),
        (status = 409, description = "The record of the result is damaged", body = ApiErrorBody,
         example = json!({ "code": "record_damaged", "error": "The record of this result is damaged" })),
        (status = 429, description = "Too many unknown links were tried; try again after `Retry-After` seconds",
         body = ApiErrorBody,
         example = json!({
             "code": "too_many_tries",
             "error": "Too many unknown links were tried in your network. Please try again in 3 seconds.",
         })),
    ),
)]
#[get("/public/meetings/{meetingId}/presentation/result")]
pub(crate) async fn presentation_result(
    PathId(meeting): PathId<MeetingId>,
    from: CallerAddress,
    lookups: Data<LookupRateLimit>,
    results: Data<RecordedResults>,
) -> Result<Json<RoundResult>, ApiError> {
    let find = async { Ok(results.on_screen(meeting).await?) };
    let lookup = Lookup { kind: LookupKind::ShownResult, from: from.0, value: &meeting.to_string() };
    let result = lookups.look_up(lookup, find).await?;
    let missing = || ApiError::not_found("no_declared_result", "there is no declared result on the presentation");
    Ok(Json(result.ok_or_else(missing)?))
}
