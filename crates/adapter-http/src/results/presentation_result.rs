use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::MeetingId;
use plenum_records::RecordedResults;
use plenum_result_format::RoundResult;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::PathId;

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
    ),
)]
#[get("/public/meetings/{meetingId}/presentation/result")]
pub(crate) async fn presentation_result(
    PathId(meeting): PathId<MeetingId>,
    results: Data<RecordedResults>,
) -> Result<Json<RoundResult>, ApiError> {
    let result = results.on_screen(meeting).await?;
    let missing = || ApiError::not_found("no_declared_result", "there is no declared result on the presentation");
    Ok(Json(result.ok_or_else(missing)?))
}
