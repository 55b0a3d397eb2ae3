use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use plenum_kernel::{MeetingId, QuestionId, RoundId};
use plenum_voting::{
    BallotContent, BallotRule, BallotService, CastBallotError, CastRequest, Envelope, SealingError, StoredVote,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::PathId;
use crate::extract::Voter;
use crate::middleware::created;

/// The answers of a voter.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "answers": ["Yes"], "roundId": "019a9d5e-0000-7000-8000-000000000007" }))]
pub(crate) struct CastVoteBody {
    /// The texts of the chosen options, each once; or one number; or one text of 1 to 2,000 characters after trimming; or the
    /// marks of an election, candidates by number: `3` for a choice, `1:3` for rank 1, `3=2` for two votes, `3=yes` for an
    /// answer, `list=2` for a list, or `abstain` or `blank` alone.
    /// Needed unless the ballot is sealed. In a secret question the server seals them on arrival.
    #[schema(min_items = 1, max_items = 203)]
    answers: Option<Vec<String>>,
    /// A ballot that the device has sealed, in base64, in place of the answers. Only in a secret question.
    #[schema(max_length = 11400)]
    envelope: Option<String>,
    /// The round of the answers. They never count in another round, such as a re-vote. If missing, they count in the
    /// open round. Needed with an envelope, which opens in no other round.
    round_id: Option<Uuid>,
}

/// The most characters of an envelope in base64: one with a text answer has 11,056.
const MAX_ENVELOPE: usize = 11_400;

/// The sealed ballot in this field, if there is one.
pub(crate) fn read_envelope(field: &str, text: Option<&str>, has_answers: bool) -> Result<Option<Envelope>, ApiError> {
    let Some(text) = text else { return Ok(None) };
    if has_answers {
        return Err(ApiError::invalid_field(field, "Must be left out if there are answers."));
    }
    if text.len() > MAX_ENVELOPE {
        return Err(ApiError::invalid_field(field, "Must have at most 11,400 characters."));
    }
    let bytes = STANDARD.decode(text);
    let bytes = bytes.map_err(|_| ApiError::invalid_field(field, "Must be a sealed ballot in base64."))?;
    Ok(Some(Envelope(bytes)))
}

impl CastVoteBody {
    /// The sealed ballot, if there is one.
    fn read_envelope(&self) -> Result<Option<Envelope>, ApiError> {
        let envelope = read_envelope("envelope", self.envelope.as_deref(), self.answers.is_some())?;
        if envelope.is_some() && self.round_id.is_none() {
            return Err(ApiError::invalid_field("roundId", "Must name the round for which the ballot was sealed."));
        }
        Ok(envelope)
    }
}

/// A stored vote.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000006", "answers": ["Yes"], "castAt": "2026-11-21T18:04:17.350Z", "receipt": null,
}))]
pub(crate) struct VoteView {
    id: Uuid,
    /// The stored answers, in the wording of the question. Empty in a secret question.
    answers: Vec<String>,
    /// Null in a secret question: no time is stored with a sealed ballot.
    #[schema(required)]
    cast_at: Option<DateTime<Utc>>,
    /// The receipt of the sealed ballot, in a secret question.
    #[schema(required)]
    receipt: Option<String>,
}

impl VoteView {
    /// A vote with its answers in the words of its round.
    pub(crate) fn of(vote: &StoredVote, answers: Vec<String>) -> Self {
        Self { id: vote.id.as_uuid(), answers, cast_at: vote.cast_at, receipt: vote.receipt() }
    }
}

/// A stored vote in its envelope.
#[derive(Serialize, ToSchema)]
pub(crate) struct VoteAnswer {
    success: bool,
    vote: VoteView,
}

impl VoteAnswer {
    pub(crate) fn of(vote: VoteView) -> Self {
        Self { success: true, vote }
    }
}

impl From<CastBallotError> for ApiError {
    fn from(error: CastBallotError) -> Self {
        match error {
            CastBallotError::NotFound => QuestionId::missing(),
            CastBallotError::NotOpen => {
                Self::conflict("round_not_open", "Voting on this question is closed. Your vote was not counted.")
            }
            CastBallotError::RoundOver => Self::conflict(
                "round_over",
                "Your vote was not counted: a new round of this question has opened since.",
            ),
            CastBallotError::NotInRegister => Self::new(
                StatusCode::FORBIDDEN,
                "not_in_register",
                "You are not in the register of this vote. Your vote was not counted.",
            ),
            CastBallotError::AlreadyVoted => Self::conflict("already_voted", "You have already voted"),
            CastBallotError::VotedElsewhere(_) => Self::conflict("already_voted", format!("{error}.")),
            CastBallotError::VotedByHolder => {
                Self::conflict("already_voted", "The holder of your proxy has already voted for you.")
            }
            CastBallotError::VotedByPrincipal => {
                Self::conflict("already_voted", "This person has already voted, so your proxy rests.")
            }
            CastBallotError::NoProxy => Self::new(
                StatusCode::FORBIDDEN,
                "no_proxy",
                "You hold no proxy of this person for this vote, or it rests. The vote was not counted.",
            ),
            CastBallotError::Ballot(rule @ (BallotRule::NotSecret | BallotRule::NoEnvelope(_))) => {
                Self::invalid_field("envelope", rule).with_code("invalid_ballot")
            }
            CastBallotError::Ballot(rule) => Self::invalid_field("answers", rule).with_code("invalid_ballot"),
            CastBallotError::KeyUnconfirmed => key_unconfirmed(),
            CastBallotError::Port(failure) => failure.into(),
        }
    }
}

impl From<SealingError> for ApiError {
    fn from(error: SealingError) -> Self {
        match error {
            SealingError::Unconfirmed(_) => key_unconfirmed(),
            SealingError::Port(failure) => failure.into(),
        }
    }
}

fn key_unconfirmed() -> ApiError {
    let text =
        "The key of this secret vote cannot be confirmed, so no ballot can be sealed. Please tell the organizers.";
    ApiError::conflict("vote_key_unconfirmed", text)
}

/// Casts a vote. The response comes after the vote is stored permanently. A repeat with the same answers returns the
/// first vote; in a question whose result does not show how each person voted, only in the session that cast it. In a secret
/// question, a repeat sends the same envelope; one with `answers`, which the server seals anew each time, gets `already_voted`. Errors are plain text unless `Accept` contains `application/json`.
#[utoipa::path(
    tag = "voting",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("questionId" = Uuid, Path)),
    request_body = CastVoteBody,
    responses(
        (status = 201, description = "The stored vote", body = VoteAnswer),
        (status = 404, description = "There is no such question, or it was never opened", body = ApiErrorBody),
        (status = 409, description = "The voter has already voted with other answers or in another session, voting is closed, a new round has opened, or the key of a secret vote cannot be confirmed (`vote_key_unconfirmed`)", body = ApiErrorBody,
         example = json!({ "code": "already_voted", "error": "You have already voted" })),
    ),
)]
#[post("/vote")]
pub(crate) async fn cast_vote(
    voter: Voter,
    PathId(meeting): PathId<MeetingId>,
    PathId(question): PathId<QuestionId>,
    Body(body): Body<CastVoteBody>,
    ballots: Data<BallotService>,
) -> Result<HttpResponse, ApiError> {
    let envelope = body.read_envelope()?;
    let content = match &envelope {
        Some(envelope) => BallotContent::Sealed(envelope),
        None => BallotContent::Answers(body.answers.as_deref().unwrap_or_default()),
    };
    let request = CastRequest {
        client: voter.client_id,
        voter: voter.id,
        cast_by: None,
        cast_on: None,
        session: voter.session,
        meeting,
        question,
        round: body.round_id.map(RoundId::from_uuid),
        content,
    };
    let (vote, answers) = ballots.cast(request).await?;
    let vote = VoteView::of(&vote, answers);
    Ok(created(format_args!("/voting/meetings/{meeting}"), VoteAnswer::of(vote)))
}
