use actix_web::delete;
use actix_web::http::StatusCode;
use actix_web::web::{Data, Json};
use plenum_kernel::{MeetingId, QuestionId};
use plenum_voting::{BallotService, VoterQuestion, WithdrawError};

use crate::HttpSettings;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::PathId;
use crate::extract::Voter;
use crate::views::DoneView;

impl From<WithdrawError> for ApiError {
    fn from(error: WithdrawError) -> Self {
        match error {
            WithdrawError::NotAllowed => Self::new(
                StatusCode::FORBIDDEN,
                "vote_reset_disabled",
                "Votes can be reset only in demonstrations and for test data.",
            ),
            WithdrawError::NotFound => QuestionId::missing(),
            WithdrawError::NotOpen => Self::conflict("round_not_open", "Voting on this question is closed."),
            WithdrawError::NoVote => Self::not_found("vote_not_found", error),
            WithdrawError::Port(failure) => failure.into(),
        }
    }
}

/// Withdraws the caller's vote while the round is open. For tests: only in a demonstration or, with
/// `PLENUM_ALLOW_VOTE_RESET`, in meetings that are test data (`TEST_`). Errors are plain text unless `Accept` contains
/// `application/json`.
#[utoipa::path(
    tag = "voting",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("questionId" = Uuid, Path)),
    responses(
        (status = 200, description = "Withdrawn", body = DoneView),
        (status = 404, description = "There is no such question, or no vote on it", body = ApiErrorBody),
        (status = 409, description = "Voting is closed", body = ApiErrorBody,
         example = json!({ "code": "round_not_open", "error": "Voting on this question is closed." })),
    ),
)]
#[delete("/vote")]
pub(crate) async fn withdraw_vote(
    voter: Voter,
    PathId(meeting): PathId<MeetingId>,
    PathId(question): PathId<QuestionId>,
    ballots: Data<BallotService>,
    settings: Data<HttpSettings>,
) -> Result<Json<DoneView>, ApiError> {
    let question = VoterQuestion { client: voter.client_id, voter: voter.id, meeting, question };
    ballots.withdraw(question, settings.vote_reset).await?;
    Ok(Json(DoneView::DONE))
}
