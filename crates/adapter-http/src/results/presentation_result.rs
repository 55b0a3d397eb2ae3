use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::MeetingId;
use plenum_result_format::RoundResult;
use plenum_voting::ResultService;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::PathId;
use crate::results::result_format::public_result;

/// Returns the result on the presentation: that of the current question's last round, once declared. No login. Its log
/// is empty.
#[utoipa::path(
    tag = "public",
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The result", body = RoundResult),
        (status = 404, description = "There is no such meeting, or no declared result on its presentation", body = ApiErrorBody,
         example = json!({ "code": "no_declared_result", "error": "There is no declared result on the screen" })),
    ),
)]
#[get("/public/meetings/{meetingId}/presentation/result")]
pub(crate) async fn presentation_result(
    PathId(meeting): PathId<MeetingId>,
    results: Data<ResultService>,
) -> Result<Json<RoundResult>, ApiError> {
    let result = results.declared_on_screen(meeting).await?;
    let missing = || ApiError::not_found("no_declared_result", "there is no declared result on the screen");
    Ok(Json(public_result(&result.ok_or_else(missing)?)))
}
