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

/// Counts an ended round. From then on the round never reopens: only a re-vote is possible. The log of the round names the
/// organizer. A repeat changes nothing.
#[utoipa::path(
    tag = "rounds",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path), StepQuery),
    responses(
        (status = 200, description = "The result", body = RoundResult),
        (status = 404, description = "There is no such meeting, or no such round in it", body = ApiErrorBody),
        (status = 409, description = "The round is still open, the step was decided on an older state, or the record of the round is damaged", body = ApiErrorBody,
         example = json!({ "code": "round_still_open", "error": "The round is still open" })),
    ),
)]
#[post("/client/meetings/{meetingId}/rounds/{roundId}/count")]
#[expect(clippy::too_many_arguments, reason = "each is what a handler is given by its type")]
pub(crate) async fn count_round(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    query: Query<StepQuery>,
    results: Data<ResultService>,
    recorded: Data<RecordedResults>,
    rounds: Data<RoundService>,
    meetings: Data<MeetingService>,
) -> Result<Json<RoundResult>, ApiError> {
    let outcome = results.count(query.read_step(&admin, meeting)?, round).await;
    let controlled = ControlledMeeting { admin: &admin, id: meeting, rounds: &rounds, meetings: &meetings };
    result_after_step(outcome, controlled, round, &recorded).await
}
