use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use plenum_kernel::{MeetingId, QuestionId, RoundId, Seats};
use plenum_meetings::{AgendaService, NextBallot};
use plenum_records::RecordedResults;
use plenum_result_format::{ElectionOutcome, PossibleBallotFormat, ResultStatus, RoundResult};

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::middleware::created;
use crate::questions::views::QuestionView;

/// Adds the next ballot of an election after its question: the same terms, with the candidates who are left or tied, and the
/// seats that are left. People who were excluded stay excluded. A share of votes that is needed in the first ballot of a
/// plurality election is not needed in the next one.
#[utoipa::path(
    tag = "rounds",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path)),
    responses(
        (status = 201, description = "The question of the next ballot", body = QuestionView),
        (status = 404, description = "There is no such meeting, or no such round in it", body = ApiErrorBody),
        (status = 409, description = "No seat is left, or nobody for it; the result is not declared, or has a next ballot; the agenda is full", body = ApiErrorBody,
         example = json!({ "code": "next_ballot_exists", "error": "The next ballot of this election is on the agenda already" })),
    ),
)]
#[post("/client/meetings/{meetingId}/rounds/{roundId}/next-ballot")]
pub(crate) async fn add_next_ballot(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    recorded: Data<RecordedResults>,
    agenda: Data<AgendaService>,
) -> Result<HttpResponse, ApiError> {
    let owner = admin.client_id;
    let result = recorded.result(owner, meeting, round).await?;
    if result.status != ResultStatus::Declared {
        return Err(ApiError::conflict("round_not_declared", "The result of this vote is not declared yet"));
    }
    let elections = recorded.elections(owner, meeting).await?;
    let next = possible_ballot(&elections, &result)?;
    let question = QuestionId::from_uuid(result.question_id);
    let question = agenda.add_next_ballot(owner, question, next).await?;
    Ok(created(format_args!("/client/questions/{}", question.id), QuestionView::from(&question)))
}

/// The ballot that can follow this round.
fn possible_ballot(elections: &[ElectionOutcome], result: &RoundResult) -> Result<NextBallot, ApiError> {
    let round = RoundId::from_uuid(result.round_id);
    let of_round = |outcome: &&ElectionOutcome| outcome.rounds.contains(&round.as_uuid());
    let outcome = elections.iter().find(of_round);
    if outcome.is_some_and(|outcome| outcome.rounds.last() != Some(&round.as_uuid())) {
        return Err(ApiError::conflict("next_ballot_exists", "A later ballot of this election is declared already"));
    }
    let possible = outcome.and_then(|outcome| outcome.next.clone());
    let next = possible.and_then(|PossibleBallotFormat { candidates, seats, .. }| {
        let named = |number: u32| Some((number, result.options.get((number as usize).checked_sub(1)?)?.text.clone()));
        let candidates = candidates.into_iter().map(named).collect::<Option<Vec<_>>>()?;
        Some(NextBallot { round, candidates, seats: Seats::new(seats).ok()? })
    });
    let message = "No seat is vacant, or no candidate is left";
    next.ok_or_else(|| ApiError::conflict("no_next_ballot", message))
}
