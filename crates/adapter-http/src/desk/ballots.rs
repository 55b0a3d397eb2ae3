use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use plenum_kernel::{Clock, EndUserId, IssuedBallotId, RoundId, SessionId};
use plenum_voting::{
    BallotContent, BallotService, CastOn, CastRequest, IssueError, IssueRule, IssuedBallot, PaperVoteService,
};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::VotingPlace;
use crate::middleware::created;
use crate::views::DoneView;
use crate::voting::{VoteAnswer, VoteView, read_envelope};

/// A ballot for a person whom the helper has identified.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000041", "endUserId": "019a9d5e-0000-7000-8000-000000000003",
    "roundId": "019a9d5e-0000-7000-8000-000000000007",
}))]
pub(crate) struct IssueBallotBody {
    /// A UUID made on the device. A repeat with the same id is the same ballot.
    id: Uuid,
    end_user_id: Uuid,
    round_id: Uuid,
}

/// The answers of a person at a voting place.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "ballotId": "019a9d5e-0000-7000-8000-000000000041", "answers": ["Yes"] }))]
pub(crate) struct CastAtPlaceBody {
    /// The ballot that the desk gave to the person.
    ballot_id: Uuid,
    /// As in the vote of a voter.
    #[schema(min_items = 1, max_items = 203)]
    answers: Option<Vec<String>>,
    /// A ballot that the device has sealed, in base64, in place of the answers. Only in a secret question.
    #[schema(max_length = 11400)]
    envelope: Option<String>,
}

impl From<IssueError> for ApiError {
    fn from(error: IssueError) -> Self {
        match error {
            IssueError::RoundNotFound => RoundId::missing(),
            IssueError::Rule(rule @ IssueRule::NotOpen) => Self::conflict("round_not_open", rule),
            IssueError::Rule(rule @ IssueRule::NotInRegister) => {
                Self::new(StatusCode::FORBIDDEN, "not_in_register", rule)
            }
            IssueError::Rule(rule @ IssueRule::HasVoted) => Self::conflict("already_voted", rule),
            IssueError::Rule(rule @ IssueRule::TooManyBallots) => Self::conflict("too_many_ballots", rule),
            IssueError::Rule(rule @ IssueRule::IdTaken) => Self::conflict("ballot_id_taken", rule),
            IssueError::Port(failure) => failure.into(),
        }
    }
}

/// Gives a ballot to a person whom the helper of a voting place has identified. It is in the audit log before the person votes.
#[utoipa::path(
    tag = "desk",
    security(("bearer" = [])),
    request_body = IssueBallotBody,
    responses(
        (status = 201, description = "The person can vote on this device", body = DoneView),
        (status = 404, description = "The meeting of the desk has no such round", body = ApiErrorBody,
         example = json!({ "code": "round_not_found", "error": "The round does not exist" })),
        (status = 409, description = "The person has voted (`already_voted`), voting is closed (`round_not_open`), the person got 20 ballots in this round (`too_many_ballots`), or another ballot has the id (`ballot_id_taken`)", body = ApiErrorBody,
         example = json!({ "code": "already_voted", "error": "This person has already voted" })),
    ),
)]
#[post("/desk/ballots")]
pub(crate) async fn issue_ballot(
    VotingPlace(desk): VotingPlace,
    Body(body): Body<IssueBallotBody>,
    paper: Data<PaperVoteService>,
    clock: Data<dyn Clock>,
) -> Result<HttpResponse, ApiError> {
    let ballot = IssuedBallot {
        id: IssuedBallotId::from_uuid(body.id),
        client: desk.client,
        meeting: desk.meeting,
        round: RoundId::from_uuid(body.round_id),
        voter: EndUserId::from_uuid(body.end_user_id),
        desk: desk.id,
        at: clock.now(),
    };
    paper.issue(ballot).await?;
    Ok(created("/desk/question", DoneView::DONE))
}

/// Casts the vote of a person at a voting place. The response comes after the vote is stored permanently. A repeat with the same
/// ballot and answers returns the first vote. In a secret question, a repeat sends the same envelope; one with `answers`, which the
/// server seals anew each time, gets `already_voted`.
#[utoipa::path(
    tag = "desk",
    security(("bearer" = [])),
    request_body = CastAtPlaceBody,
    responses(
        (status = 201, description = "The stored vote", body = VoteAnswer),
        (status = 404, description = "The desk has given nobody this ballot", body = ApiErrorBody,
         example = json!({ "code": "ballot_not_found", "error": "The ballot does not exist" })),
        (status = 409, description = "The person has already voted, voting is closed, a new round has opened, or the key of a secret vote cannot be confirmed (`vote_key_unconfirmed`)", body = ApiErrorBody,
         example = json!({ "code": "already_voted", "error": "You have already voted" })),
    ),
)]
#[post("/desk/votes")]
pub(crate) async fn cast_at_place(
    VotingPlace(desk): VotingPlace,
    Body(body): Body<CastAtPlaceBody>,
    paper: Data<PaperVoteService>,
    ballots: Data<BallotService>,
) -> Result<HttpResponse, ApiError> {
    let envelope = read_envelope("envelope", body.envelope.as_deref(), body.answers.is_some())?;
    let issued = paper.issued(desk.client, desk.id, IssuedBallotId::from_uuid(body.ballot_id)).await?;
    let (issued, round) = issued.ok_or_else(IssuedBallotId::missing)?;
    let request = CastRequest {
        client: desk.client,
        voter: issued.voter,
        cast_by: None,
        cast_on: Some(CastOn::VotingPlace),
        session: SessionId::from_uuid(issued.id.as_uuid()),
        meeting: issued.meeting,
        question: round.question_id,
        round: Some(round.id),
        content: match &envelope {
            Some(envelope) => BallotContent::Sealed(envelope),
            None => BallotContent::Answers(body.answers.as_deref().unwrap_or_default()),
        },
    };
    let (vote, answers) = ballots.cast(request).await?;
    Ok(created("/desk/question", VoteAnswer::of(VoteView::of(&vote, answers))))
}
