use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use plenum_kernel::{EndUserId, MeetingId, PaperBatchId, RoundId};
use plenum_voting::{EnterRequest, EnteredVotes, MAX_PAPER_BALLOTS, PaperVoteService};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::errors::of_entering;
use super::views::PaperBatchView;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::Body;
use crate::extract::PathId;
use crate::extract::TellerCaller;
use crate::middleware::created;

/// The vote of a person on paper.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "endUserId": "019a9d5e-0000-7000-8000-000000000003", "answers": ["Yes"] }))]
pub(super) struct PaperVoteBody {
    end_user_id: Uuid,
    /// As in the vote of a voter.
    #[schema(min_items = 1, max_items = 203)]
    answers: Vec<String>,
}

/// How many papers have the same answers.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "answers": ["Yes"], "count": 12 }))]
pub(super) struct PaperNumberBody {
    /// As in the vote of a voter.
    #[schema(min_items = 1, max_items = 203)]
    answers: Vec<String>,
    #[schema(maximum = 100)]
    count: u32,
}

/// The votes of a batch. A named question needs `ballots`, an unshown one `people` and `counts`.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000040",
    "people": ["019a9d5e-0000-7000-8000-000000000003"], "counts": [{ "answers": ["Yes"], "count": 1 }],
}))]
pub(super) struct EnterBatchBody {
    /// A UUID made on the device. A repeat with the same id is the same batch.
    id: Uuid,
    /// In a named question: the votes of 1 to 100 people.
    #[schema(min_items = 1, max_items = 100)]
    ballots: Option<Vec<PaperVoteBody>>,
    /// In an unshown question: 1 to 100 people of the same voting weight and groups of the rule.
    #[schema(min_items = 1, max_items = 100)]
    people: Option<Vec<Uuid>>,
    /// In an unshown question: how many of these people gave which answers. The numbers add up to the number of people.
    #[schema(min_items = 1, max_items = 100)]
    counts: Option<Vec<PaperNumberBody>>,
}

impl EnterBatchBody {
    /// The votes, and whether they are those of a named question.
    fn votes(self) -> Result<(EnteredVotes, bool), ApiError> {
        let Self { ballots, people, counts, .. } = self;
        match (ballots, people, counts) {
            (Some(ballots), None, None) => {
                let vote = |ballot: PaperVoteBody| (EndUserId::from_uuid(ballot.end_user_id), ballot.answers);
                Ok((EnteredVotes::Named(ballots.into_iter().map(vote).collect()), true))
            }
            (None, Some(people), Some(counts)) => {
                if counts.len() > MAX_PAPER_BALLOTS {
                    return Err(ApiError::invalid_field("counts", "Must have at most 100 entries."));
                }
                let people = people.into_iter().map(EndUserId::from_uuid).collect();
                let counts = counts.into_iter().map(|number| (number.answers, number.count.into())).collect();
                Ok((EnteredVotes::Numbers { people, counts }, false))
            }
            (None, Some(_), None) => Err(ApiError::invalid_field("counts", "Must be given together with people.")),
            (None, None, Some(_)) => Err(ApiError::invalid_field("people", "Must be given together with counts.")),
            (None, None, None) => Err(ApiError::invalid_field("ballots", "Must be given, or else people and counts.")),
            (Some(_), _, _) => {
                Err(ApiError::invalid_field("ballots", "Must be left out if there are people or counts."))
            }
        }
    }
}

/// Enters votes on paper. They count once another teller confirms them.
#[utoipa::path(
    tag = "paper votes",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path)),
    request_body = EnterBatchBody,
    responses(
        (status = 201, description = "The batch", body = PaperBatchView),
        (status = 404, description = "There is no such meeting, or no such round in it", body = ApiErrorBody),
        (status = 409, description = "Voting is closed (`round_not_open`), the question is secret (`no_paper_in_secret`), the round has 500 batches (`too_many_batches`), another batch has the id (`batch_id_taken`), or a person has voted (`already_voted`), is in another batch (`in_other_batch`), is not in the register (`not_in_register`), or has another weight or other groups of the rule than the others (`different_weights`)", body = ApiErrorBody,
         example = json!({
             "code": "already_voted", "error": "This person has already voted",
             "fields": { "ballots.0.endUserId": ["This person has already voted"] },
         })),
        (status = 413, description = "The body is larger than 1 MB", body = ApiErrorBody,
         example = json!({ "code": "body_too_large", "error": "The body is larger than 1024 KiB." })),
    ),
)]
#[post("/client/meetings/{meetingId}/rounds/{roundId}/paper-batches")]
pub(crate) async fn enter_paper_batch(
    caller: TellerCaller,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    Body(body): Body<EnterBatchBody>,
    paper: Data<PaperVoteService>,
) -> Result<HttpResponse, ApiError> {
    caller.in_meeting(meeting)?;
    let id = PaperBatchId::from_uuid(body.id);
    let (votes, is_named) = body.votes()?;
    let request = EnterRequest { id, client: caller.client, meeting, round, votes, by: caller.teller };
    let batch = paper.enter(request).await.map_err(|error| of_entering(error, is_named))?;
    let address = format!("/client/meetings/{meeting}/rounds/{round}/paper-batches/{id}");
    Ok(created(address, PaperBatchView::from(batch)))
}
