use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_kernel::{Invalid, MeetingId, RoundId, check_line};
use plenum_records::RecordedResults;
use plenum_result_format::{RoundResult, TieDeciderName};
use plenum_voting::{DecideTieError, ResultService, TieLot, TieRequest};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;

/// The decision of the tie at which the count of an election waits.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "stage": 1, "numbers": [2, 4], "by": "lot" }))]
pub(crate) struct TieDecisionBody {
    /// The stage of the tie, as in the result.
    stage: u32,
    /// The tied numbers, as in the result.
    numbers: Vec<u32>,
    /// Whether Plenum draws, or people have drawn.
    by: TieDeciderName,
    /// The numbers in the order in which people drew them. Needed for a lot by hand.
    order: Option<Vec<u32>>,
    /// Who drew by hand.
    #[schema(max_length = 200)]
    drawn_by: Option<String>,
    /// Who saw it.
    #[schema(max_length = 200)]
    witnessed_by: Option<String>,
}

/// The longest name of somebody who drew a lot or saw it.
const MAX_NAME: usize = 200;

impl TieDecisionBody {
    fn read_lot(&self) -> Result<TieLot, ApiError> {
        match self.by {
            TieDeciderName::Lot => {
                let foreign = [
                    ("order", self.order.is_some()),
                    ("drawnBy", self.drawn_by.is_some()),
                    ("witnessedBy", self.witnessed_by.is_some()),
                ];
                match foreign.iter().find(|(_, is_present)| *is_present) {
                    Some((field, _)) => Err(ApiError::invalid_field(field, "Must be left out: Plenum draws the lot.")),
                    None => Ok(TieLot::Drawn),
                }
            }
            TieDeciderName::LotByHand => {
                let order = self.order.clone().ok_or_else(|| ApiError::invalid_field("order", "Is required."))?;
                let drawn_by = read_name("drawnBy", self.drawn_by.as_deref())?;
                let witnessed_by = read_name("witnessedBy", self.witnessed_by.as_deref())?;
                Ok(TieLot::ByHand { order, drawn_by, witnessed_by })
            }
        }
    }
}

fn read_name(field: &'static str, name: Option<&str>) -> Result<String, ApiError> {
    let name = name.ok_or_else(|| Invalid::new("Is required.")).and_then(|name| check_line(name, MAX_NAME));
    name.map_err(|requirement| ApiError::invalid_field(field, requirement))
}

impl From<DecideTieError> for ApiError {
    fn from(error: DecideTieError) -> Self {
        match error {
            DecideTieError::Count(error) => error.into(),
            DecideTieError::OtherTie => Self::conflict("no_such_tie", error),
            DecideTieError::OtherLot { .. } => Self::conflict("other_lot", error),
            DecideTieError::QuorumMissed => Self::conflict("quorum_missed", error),
            DecideTieError::LeftToBallot => Self::conflict("tie_left_to_ballot", error),
            DecideTieError::WrongOrder { wanted, ref numbers } => {
                let tied: Vec<String> = numbers.iter().map(u32::to_string).collect();
                let requirement = format!("Must name at least {wanted} of the numbers {}, each once.", tied.join(", "));
                Self::invalid_field("order", requirement)
            }
            DecideTieError::Port(failure) => failure.into(),
        }
    }
}

/// Decides the tie at which the count of an election waits, by lot. The seed of a lot that Plenum draws is the id of the
/// round, so that anybody can repeat it. A decision is on record, and is never changed.
#[utoipa::path(
    tag = "rounds",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path)),
    request_body = TieDecisionBody,
    responses(
        (status = 200, description = "The result with the decision", body = RoundResult),
        (status = 404, description = "There is no such meeting, or no such round in it", body = ApiErrorBody),
        (status = 409, description = "The count waits at another tie or at none, the quorum was missed, or its terms leave the tie to another ballot or ask for the other kind of lot; the round is open, not counted or declared", body = ApiErrorBody,
         example = json!({ "code": "no_such_tie", "error": "The count does not wait at this tie: load the result again" })),
    ),
)]
#[post("/client/meetings/{meetingId}/rounds/{roundId}/tie-decisions")]
pub(crate) async fn decide_tie(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    Body(body): Body<TieDecisionBody>,
    results: Data<ResultService>,
    recorded: Data<RecordedResults>,
) -> Result<Json<RoundResult>, ApiError> {
    let lot = body.read_lot()?;
    let TieDecisionBody { stage, numbers, .. } = body;
    let request = TieRequest { owner: admin.client_id, meeting, round, by: admin.account_id, stage, numbers, lot };
    results.decide_tie(request).await?;
    Ok(Json(recorded.result(admin.client_id, meeting, round).await?))
}
