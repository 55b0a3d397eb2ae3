use actix_web::delete;
use actix_web::web::{Data, Json};
use plenum_kernel::VoteId;
use plenum_voting::{BallotService, DiscardVoteError};

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::AccountHolder;
use crate::extract::ApiId as _;
use crate::extract::PathId;
use crate::views::DoneView;

impl From<DiscardVoteError> for ApiError {
    fn from(error: DiscardVoteError) -> Self {
        match error {
            DiscardVoteError::NotFound => VoteId::missing(),
            DiscardVoteError::NotTestData => Self::conflict("not_test_data", error),
            DiscardVoteError::Declared => Self::conflict("result_declared", error),
            DiscardVoteError::Port(failure) => failure.into(),
        }
    }
}

/// Deletes a vote of test data. The round must have been opened while the name of its client or meeting started with
/// `TEST_`. Real votes and votes of a declared result are never deleted, even after a rename.
#[utoipa::path(
    tag = "tests",
    security(("bearer" = [])),
    params(("voteId" = Uuid, Path)),
    responses(
        (status = 200, description = "Deleted", body = DoneView),
        (status = 404, description = "There is no vote with this id, or it belongs to another client", body = ApiErrorBody),
        (status = 409, description = "The vote is not test data, or its result is declared", body = ApiErrorBody,
         example = json!({
             "code": "not_test_data",
             "error": "Only votes of rounds that were opened under a name that starts with TEST_ can be deleted",
         })),
    ),
)]
#[delete("/votes/{voteId}")]
pub(crate) async fn discard_vote(
    holder: AccountHolder,
    PathId(vote): PathId<VoteId>,
    ballots: Data<BallotService>,
) -> Result<Json<DoneView>, ApiError> {
    ballots.discard(holder.client_id, vote).await?;
    Ok(Json(DoneView::DONE))
}
