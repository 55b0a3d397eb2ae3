use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::{MeetingId, RoundId};
use plenum_records::RecordedResults;
use plenum_result_format::RoundResult;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ClientAdmin;
use crate::extract::PathId;

/// Returns the result of a counted round. A count is not available while voting is open, or may still reopen. A
/// declared result comes from its record.
#[utoipa::path(
    tag = "rounds",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path)),
    responses(
        (status = 200, description = "The result", body = RoundResult),
        (status = 404, description = "There is no such meeting, or no such round in it", body = ApiErrorBody),
        (status = 409, description = "The round is still open, nobody has counted it, or its record is damaged", body = ApiErrorBody,
         example = json!({ "code": "round_not_counted", "error": "The votes have not been counted yet: count them first" })),
    ),
)]
#[get("/client/meetings/{meetingId}/rounds/{roundId}/result")]
pub(crate) async fn round_result(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    results: Data<RecordedResults>,
) -> Result<Json<RoundResult>, ApiError> {
    Ok(Json(results.result(admin.client_id, meeting, round).await?))
}
