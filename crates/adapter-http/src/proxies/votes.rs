use std::collections::HashSet;

use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_kernel::{EndUserId, MeetingId, QuestionId, RoundId};
use plenum_meetings::MeetingService;
use plenum_voting::{BallotContent, BallotService, CastBallotError, CastRequest, Envelope, StoredVote};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::Body;
use crate::extract::PathId;
use crate::extract::Voter;
use crate::voting::{VoteView, read_envelope};

/// The largest body, in bytes: the envelopes of 100 text answers.
const MAX_BODY: usize = 2 * 1024 * 1024;

/// The most ballots of one request.
const MAX_BALLOTS: usize = 100;

/// The ballots of a holder.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "roundId": "019a9d5e-0000-7000-8000-000000000007",
    "ballots": [
        { "for": "self", "answers": ["Yes"] },
        { "for": "019a9d5e-0000-7000-8000-000000000003", "answers": ["No"] },
    ],
}))]
pub(crate) struct CastVotesBody {
    /// The round of the answers. They count in no other round.
    round_id: Uuid,
    /// 1 to 100 ballots, each for another person.
    #[schema(min_items = 1, max_items = 100)]
    ballots: Vec<HeldBallotBody>,
}

/// The ballot for one person.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "for": "self", "answers": ["Yes"] }))]
pub(crate) struct HeldBallotBody {
    /// The id of the principal, or `self` for the caller's own vote.
    #[serde(rename = "for")]
    voter: String,
    /// As in a single vote.
    #[schema(min_items = 1, max_items = 203)]
    answers: Option<Vec<String>>,
    /// A ballot that the device has sealed for this person, in base64, in place of the answers.
    #[schema(max_length = 11400)]
    envelope: Option<String>,
}

/// What became of one ballot: the stored vote, or the reason why it was not counted.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "for": "self", "code": null, "error": null, "vote": {
        "id": "019a9d5e-0000-7000-8000-000000000006", "answers": ["Yes"], "castAt": "2026-11-21T18:04:17.350Z",
        "receipt": null,
    },
}))]
pub(crate) struct BallotOutcomeView {
    /// As in the request.
    #[serde(rename = "for")]
    voter: String,
    #[schema(required)]
    vote: Option<VoteView>,
    /// The code of the error, as for a single vote. With `temporarily_unavailable` the same ballot can be sent again.
    #[schema(required)]
    code: Option<String>,
    /// The error as a sentence.
    #[schema(required)]
    error: Option<String>,
}

/// What became of each ballot.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "outcomes": [{
    "for": "self", "code": null, "error": null, "vote": {
        "id": "019a9d5e-0000-7000-8000-000000000006", "answers": ["Yes"], "castAt": "2026-11-21T18:04:17.350Z",
        "receipt": null,
    },
}] }))]
pub(crate) struct CastVotesAnswer {
    /// In the order of the request.
    outcomes: Vec<BallotOutcomeView>,
}

/// A ballot of the request, read.
struct ReadBallot {
    /// `None` for the caller.
    principal: Option<EndUserId>,
    envelope: Option<Envelope>,
    body: HeldBallotBody,
}

fn read(ballots: Vec<HeldBallotBody>) -> Result<Vec<ReadBallot>, ApiError> {
    if ballots.is_empty() || ballots.len() > MAX_BALLOTS {
        return Err(ApiError::invalid_field("ballots", format!("Must have 1 to {MAX_BALLOTS} ballots.")));
    }
    let mut people = HashSet::new();
    let mut read = Vec::with_capacity(ballots.len());
    for (index, body) in ballots.into_iter().enumerate() {
        let field = |name: &str| format!("ballots.{index}.{name}");
        let principal = match body.voter.as_str() {
            "self" => None,
            id => Some(
                id.parse()
                    .map_err(|_| ApiError::invalid_field(&field("for"), "Must be the id of a person, or self."))?,
            ),
        };
        if !people.insert(principal) {
            return Err(ApiError::invalid_field(&field("for"), "Must be another person than in the ballots before."));
        }
        let envelope = read_envelope(&field("envelope"), body.envelope.as_deref(), body.answers.is_some())?;
        read.push(ReadBallot { principal, envelope, body });
    }
    Ok(read)
}

/// Casts the ballots of a holder: the holder's own ballot and those of the principals. Each is counted or refused on its own, and a
/// repeat with the same answers returns the first vote. The response comes after all votes are stored permanently.
#[utoipa::path(
    tag = "voting",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("questionId" = Uuid, Path)),
    request_body = CastVotesBody,
    responses(
        (status = 200, description = "What became of each ballot", body = CastVotesAnswer),
        (status = 404, description = "The voter's organization has no such meeting", body = ApiErrorBody),
        (status = 413, description = "The body is larger than 2 MB", body = ApiErrorBody,
         example = json!({ "code": "body_too_large", "error": "The body is larger than 2048 KiB." })),
    ),
)]
#[post("/votes")]
pub(crate) async fn cast_votes(
    voter: Voter,
    PathId(meeting): PathId<MeetingId>,
    PathId(question): PathId<QuestionId>,
    Body(body): Body<CastVotesBody, MAX_BODY>,
    meetings: Data<MeetingService>,
    ballots: Data<BallotService>,
) -> Result<Json<CastVotesAnswer>, ApiError> {
    let round = Some(RoundId::from_uuid(body.round_id));
    let read = read(body.ballots)?;
    meetings.find_for_voter(voter.client_id, voter.id, meeting).await?;
    let mut requests = Vec::with_capacity(read.len());
    for ballot in &read {
        requests.push(CastRequest {
            client: voter.client_id,
            voter: ballot.principal.unwrap_or(voter.id),
            cast_by: ballot.principal.map(|_| voter.id),
            cast_on: None,
            session: voter.session,
            meeting,
            question,
            round,
            content: match &ballot.envelope {
                Some(envelope) => BallotContent::Sealed(envelope),
                None => BallotContent::Answers(ballot.body.answers.as_deref().unwrap_or_default()),
            },
        });
    }
    let outcomes = ballots.cast_all(requests).await;
    let people = read.into_iter().map(|ballot| ballot.body.voter);
    Ok(Json(CastVotesAnswer { outcomes: people.zip(outcomes).map(outcome).collect() }))
}

type Outcome = Result<(StoredVote, Vec<String>), CastBallotError>;

fn outcome((voter, outcome): (String, Outcome)) -> BallotOutcomeView {
    match outcome {
        Ok((vote, answers)) => {
            BallotOutcomeView { voter, vote: Some(VoteView::of(&vote, answers)), code: None, error: None }
        }
        Err(error) => {
            let body = ApiError::from(error).body();
            BallotOutcomeView { voter, vote: None, code: Some(body.code), error: Some(body.error) }
        }
    }
}
