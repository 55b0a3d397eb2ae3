use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_kernel::{MeetingId, RoundId};
use plenum_meetings::MeetingService;
use plenum_records::RecordedResults;
use plenum_result_format::RoundResult;
use plenum_voting::{ResultService, RoundService};

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::Query;
use crate::meetings::{ControlledMeeting, StepQuery};
use crate::results::result_after_step;

/// Declares the result of an ended round, and writes and signs its record. The presentation and the voters then see it, and
/// it never changes again. A repeat changes nothing.
#[utoipa::path(
    tag = "rounds",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path), StepQuery),
    responses(
        (status = 200, description = "The declared result", body = RoundResult),
        (status = 404, description = "There is no such meeting, or no such round in it", body = ApiErrorBody),
        (status = 409, description = "The round is still open, or the step was decided on an older state", body = ApiErrorBody,
         example = json!({ "code": "round_still_open", "error": "The round is still open" })),
    ),
)]
#[post("/client/meetings/{meetingId}/rounds/{roundId}/declare")]
#[expect(clippy::too_many_arguments, reason = "each is what a handler is given by its type")]
pub(crate) async fn declare_result(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    query: Query<StepQuery>,
    results: Data<ResultService>,
    recorded: Data<RecordedResults>,
    rounds: Data<RoundService>,
    meetings: Data<MeetingService>,
) -> Result<Json<RoundResult>, ApiError> {
    let outcome = results.declare(query.read_step(&admin, meeting)?, round).await;
    let controlled = ControlledMeeting { admin: &admin, id: meeting, rounds: &rounds, meetings: &meetings };
    result_after_step(outcome, controlled, round, &recorded).await
}
