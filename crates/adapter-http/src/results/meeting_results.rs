use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::{EvidenceKeys, MeetingId};
use plenum_records::{MeetingParts, RecordedResults};
use plenum_result_format::MeetingResults;
use plenum_voting::MeetingRecords;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::PathId;

/// Returns the results of all counted rounds of a meeting in the order of the agenda, with attendance, remarks, closing
/// records and amendments. Uncounted rounds are listed without results.
#[utoipa::path(
    tag = "results",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The results", body = MeetingResults),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/results")]
pub(crate) async fn meeting_results(
    admin: ClientAdmin,
    PathId(id): PathId<MeetingId>,
    results: Data<RecordedResults>,
    records: Data<dyn MeetingRecords>,
    keys: Data<dyn EvidenceKeys>,
) -> Result<Json<MeetingResults>, ApiError> {
    let record = records.record(admin.client_id, id).await?.ok_or_else(MeetingId::missing)?;
    let ended = results.results(admin.client_id, id).await?.ok_or_else(MeetingId::missing)?;
    let timestamps = results.timestamps(admin.client_id, id).await?;
    let parts = MeetingParts::read(record, &**keys, &timestamps);
    let MeetingParts { meeting, attendance, remarks, closings, amendments, closing_damage, .. } = parts;
    Ok(Json(MeetingResults {
        meeting,
        rounds: ended.results,
        attendance,
        remarks,
        damaged: ended.damaged,
        uncounted: ended.uncounted,
        elections: ended.elections,
        closings,
        amendments,
        closing_damage,
    }))
}
