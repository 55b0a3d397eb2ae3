use actix_web::web::{Data, Json};
use actix_web::{get, post};
use plenum_kernel::{MeetingId, RoundId};
use plenum_meetings::MeetingService;
use plenum_records::RecordedResults;
use plenum_result_format::{ElectionOutcome, SeatAnswerName};
use plenum_voting::{ResultService, SeatAnswer, SeatAnswerError, SeatAnswerRequest};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;

/// The answer of a person who has a seat.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "candidate": 2, "answer": "declined" }))]
pub(crate) struct SeatAnswerBody {
    /// The number of the candidate.
    candidate: u32,
    /// The answer.
    answer: SeatAnswerName,
}

impl From<SeatAnswerError> for ApiError {
    fn from(error: SeatAnswerError) -> Self {
        match error {
            SeatAnswerError::RoundNotFound => RoundId::missing(),
            SeatAnswerError::NotDeclared => Self::conflict("round_not_declared", error),
            SeatAnswerError::NoElection => Self::conflict("no_election", error),
            SeatAnswerError::QuorumMissed => Self::conflict("quorum_missed", error),
            SeatAnswerError::NoSeat => Self::conflict("no_seat", error),
            SeatAnswerError::IsContinued => Self::conflict("next_ballot_exists", error),
            SeatAnswerError::Superseded => Self::conflict("revote_declared", error),
            SeatAnswerError::Full => Self::conflict("too_many_seat_answers", error),
            SeatAnswerError::Port(failure) => failure.into(),
        }
    }
}

/// Returns the declared elections of a meeting and who has their seats, in the order of the agenda. The ballots of a run-off
/// are one election.
#[utoipa::path(
    tag = "results",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The elections", body = Vec<ElectionOutcome>),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/elections")]
pub(crate) async fn meeting_elections(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    meetings: Data<MeetingService>,
    recorded: Data<RecordedResults>,
) -> Result<Json<Vec<ElectionOutcome>>, ApiError> {
    meetings.find(admin.client_id, meeting).await?.ok_or_else(MeetingId::missing)?;
    Ok(Json(recorded.elections(admin.client_id, meeting).await?))
}

/// Notes whether an elected person accepts. If not, the next one moves up, unless the terms of the election leave the seat to
/// another ballot. The declared result stays. A repeat changes nothing, and a mistake is corrected by another answer.
#[utoipa::path(
    tag = "rounds",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path)),
    request_body = SeatAnswerBody,
    responses(
        (status = 200, description = "The elections of the meeting", body = Vec<ElectionOutcome>),
        (status = 404, description = "There is no such meeting, or no such round in it", body = ApiErrorBody),
        (status = 409, description = "The candidate has no seat; the round is not an election, or not declared, or its quorum was missed; a refusal is taken back while a next ballot is on the agenda; a re-vote is declared; there are 1,000 answers", body = ApiErrorBody,
         example = json!({ "code": "no_seat", "error": "This candidate has no seat" })),
    ),
)]
#[post("/client/meetings/{meetingId}/rounds/{roundId}/seat-answers")]
pub(crate) async fn note_seat_answer(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    Body(body): Body<SeatAnswerBody>,
    results: Data<ResultService>,
    recorded: Data<RecordedResults>,
) -> Result<Json<Vec<ElectionOutcome>>, ApiError> {
    let answer = match body.answer {
        SeatAnswerName::Accepted => SeatAnswer::Accepted,
        SeatAnswerName::Declined => SeatAnswer::Declined,
        SeatAnswerName::TakenBack => SeatAnswer::TakenBack,
    };
    let (owner, by, candidate) = (admin.client_id, admin.account_id, body.candidate);
    results.note_seat_answer(SeatAnswerRequest { owner, meeting, round, by, candidate, answer }).await?;
    Ok(Json(recorded.elections(owner, meeting).await?))
}
