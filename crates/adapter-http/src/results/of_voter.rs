use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::MeetingId;
use plenum_meetings::MeetingService;
use plenum_records::{RecordedResults, VoterResult};
use plenum_result_format::{DamagedRecord, RoundResult};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::PathId;
use crate::extract::Voter;

/// A declared result and the voter's own answers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VoterResultView {
    /// The result, with an empty log. Null if its record is damaged.
    #[schema(required)]
    result: Option<RoundResult>,
    /// The damaged record, whose result is not shown. Null unless the database was manipulated.
    #[schema(required, example = json!(null))]
    damaged: Option<DamagedRecord>,
    /// Whether the voter has voted in that round.
    has_voted: bool,
    /// The voter's answers in that round. Null without a vote. Null also after a vote in another session, unless the round
    /// was named.
    #[schema(required, example = json!(["Yes"]))]
    own_vote: Option<Vec<String>>,
}

impl From<VoterResult> for VoterResultView {
    fn from(of_voter: VoterResult) -> Self {
        let VoterResult { result, has_voted, own_vote } = of_voter;
        let (result, damaged) = match result {
            Ok(result) => (Some(result), None),
            Err(damaged) => (None, Some(damaged)),
        };
        Self { result, damaged, has_voted, own_vote }
    }
}

/// Lists the declared results of a meeting in the order of the agenda, with the voter's own answers.
#[utoipa::path(
    tag = "voting",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The results", body = Vec<VoterResultView>),
        (status = 404, description = "The voter's organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/voting/meetings/{meetingId}/results")]
pub(crate) async fn voter_results(
    voter: Voter,
    PathId(meeting): PathId<MeetingId>,
    meetings: Data<MeetingService>,
    results: Data<RecordedResults>,
) -> Result<Json<Vec<VoterResultView>>, ApiError> {
    meetings.find_for_voter(voter.client_id, voter.id, meeting).await?;
    let results = results.of_voter(voter.client_id, meeting, voter.id, voter.session).await?;
    Ok(Json(results.into_iter().map(VoterResultView::from).collect()))
}
