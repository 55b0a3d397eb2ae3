use actix_web::web::{Data, Json};
use actix_web::{get, post};
use plenum_kernel::{MeetingId, PaperBatchId, RoundId};
use plenum_voting::{BatchRequest, PaperVoteService};
use serde::Serialize;
use utoipa::ToSchema;

use super::views::{PaperBatchHeadView, PaperBatchView};
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::PathId;
use crate::extract::TellerCaller;

/// The batches of a round.
#[derive(Serialize, ToSchema)]
pub(super) struct PaperBatchListAnswer {
    /// The earliest first, at most 500.
    data: Vec<PaperBatchHeadView>,
}

/// Lists the batches of votes on paper of a round.
#[utoipa::path(
    tag = "paper votes",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path)),
    responses(
        (status = 200, description = "The batches", body = PaperBatchListAnswer),
        (status = 404, description = "There is no such meeting, or no such round in it", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/rounds/{roundId}/paper-batches")]
pub(crate) async fn list_paper_batches(
    caller: TellerCaller,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    paper: Data<PaperVoteService>,
) -> Result<Json<PaperBatchListAnswer>, ApiError> {
    caller.in_meeting(meeting)?;
    let batches = paper.batches(caller.client, meeting, round, caller.teller).await?.ok_or_else(RoundId::missing)?;
    Ok(Json(PaperBatchListAnswer { data: batches.into_iter().map(PaperBatchHeadView::from).collect() }))
}

/// Returns a batch of votes on paper with its people.
#[utoipa::path(
    tag = "paper votes",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path), ("batchId" = Uuid, Path)),
    responses(
        (status = 200, description = "The batch", body = PaperBatchView),
        (status = 404, description = "The round has no such batch", body = ApiErrorBody,
         example = json!({ "code": "batch_not_found", "error": "The batch does not exist" })),
    ),
)]
#[get("/client/meetings/{meetingId}/rounds/{roundId}/paper-batches/{batchId}")]
pub(crate) async fn find_paper_batch(
    caller: TellerCaller,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    PathId(batch): PathId<PaperBatchId>,
    paper: Data<PaperVoteService>,
) -> Result<Json<PaperBatchView>, ApiError> {
    let request = request_of(&caller, meeting, round, batch)?;
    let found = paper.batch(request).await?.ok_or_else(PaperBatchId::missing)?;
    Ok(Json(found.into()))
}

/// Confirms a batch that somebody else entered, and counts its votes. A person who has voted meanwhile keeps that vote.
#[utoipa::path(
    tag = "paper votes",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path), ("batchId" = Uuid, Path)),
    responses(
        (status = 200, description = "The batch with the outcome of each vote", body = PaperBatchView),
        (status = 404, description = "The round has no such batch", body = ApiErrorBody,
         example = json!({ "code": "batch_not_found", "error": "The batch does not exist" })),
        (status = 409, description = "The caller entered it (`second_teller_needed`), it is no longer waiting (`batch_closed`), voting is closed (`round_not_open`), or in an unshown question somebody of it cannot vote any more (`set_not_countable`), or its people no longer count the same (`different_weights`)", body = ApiErrorBody,
         example = json!({ "code": "second_teller_needed", "error": "Somebody else has to confirm this batch, because you entered it" })),
    ),
)]
#[post("/client/meetings/{meetingId}/rounds/{roundId}/paper-batches/{batchId}/confirm")]
pub(crate) async fn confirm_paper_batch(
    caller: TellerCaller,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    PathId(batch): PathId<PaperBatchId>,
    paper: Data<PaperVoteService>,
) -> Result<Json<PaperBatchView>, ApiError> {
    let request = request_of(&caller, meeting, round, batch)?;
    Ok(Json(paper.confirm(request).await?.into()))
}

/// Discards a batch that waits: none of its votes is counted, and its people can vote in any way.
#[utoipa::path(
    tag = "paper votes",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path), ("batchId" = Uuid, Path)),
    responses(
        (status = 200, description = "The discarded batch", body = PaperBatchView),
        (status = 404, description = "The round has no such batch", body = ApiErrorBody,
         example = json!({ "code": "batch_not_found", "error": "The batch does not exist" })),
        (status = 409, description = "It is no longer waiting", body = ApiErrorBody,
         example = json!({ "code": "batch_closed", "error": "This batch is no longer waiting: load it again" })),
    ),
)]
#[post("/client/meetings/{meetingId}/rounds/{roundId}/paper-batches/{batchId}/discard")]
pub(crate) async fn discard_paper_batch(
    caller: TellerCaller,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    PathId(batch): PathId<PaperBatchId>,
    paper: Data<PaperVoteService>,
) -> Result<Json<PaperBatchView>, ApiError> {
    let request = request_of(&caller, meeting, round, batch)?;
    Ok(Json(paper.discard(request).await?.into()))
}

/// The request of this caller about a batch.
fn request_of(
    caller: &TellerCaller,
    meeting: MeetingId,
    round: RoundId,
    batch: PaperBatchId,
) -> Result<BatchRequest, ApiError> {
    caller.in_meeting(meeting)?;
    Ok(BatchRequest { client: caller.client, meeting, round, batch, by: caller.teller })
}
