use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_kernel::{MeetingId, RoundId, check_line};
use plenum_records::RecordedResults;
use plenum_result_format::RoundResult;
use plenum_voting::{CastingVoteError, CastingVoteRequest, ResultService};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;

/// The vote with which the chair decides a tie.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "castBy": "Ada Young", "inFavor": true }))]
pub(crate) struct CastingVoteBody {
    /// The name of the person who cast it.
    #[schema(max_length = 200)]
    cast_by: String,
    /// Whether it is in favor.
    in_favor: bool,
}

/// The longest name of the person who cast a vote.
const MAX_NAME: usize = 200;

impl From<CastingVoteError> for ApiError {
    fn from(error: CastingVoteError) -> Self {
        match error {
            CastingVoteError::Count(error) => error.into(),
            CastingVoteError::NotOpen => Self::conflict("no_such_tie", error),
            CastingVoteError::Port(failure) => failure.into(),
        }
    }
}

/// Notes the casting vote on a tie, if the rule of the question gives one to the chair. It is on record, and is never changed.
#[utoipa::path(
    tag = "rounds",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path)),
    request_body = CastingVoteBody,
    responses(
        (status = 200, description = "The result with the casting vote", body = RoundResult),
        (status = 404, description = "There is no such meeting, or no such round in it", body = ApiErrorBody),
        (status = 409, description = "The votes are not equal, the rule has no casting vote, or it was noted before; the round is open, not counted or declared", body = ApiErrorBody,
         example = json!({ "code": "no_such_tie", "error": "No casting vote is open in this round: load the result again" })),
    ),
)]
#[post("/client/meetings/{meetingId}/rounds/{roundId}/casting-vote")]
pub(crate) async fn note_casting_vote(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    Body(body): Body<CastingVoteBody>,
    results: Data<ResultService>,
    recorded: Data<RecordedResults>,
) -> Result<Json<RoundResult>, ApiError> {
    let CastingVoteBody { cast_by, in_favor } = body;
    let cast_by = check_line(&cast_by, MAX_NAME).map_err(|wanted| ApiError::invalid_field("castBy", wanted))?;
    let (owner, by) = (admin.client_id, admin.account_id);
    results.note_casting_vote(CastingVoteRequest { owner, meeting, round, by, in_favor, cast_by }).await?;
    Ok(Json(recorded.result(owner, meeting, round).await?))
}
