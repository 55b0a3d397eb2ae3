use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::MeetingId;
use plenum_voting::{NamedVoter, RoundService, Weightless};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::secrecy_forecast::ForecastQuery;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::Query;

/// A person who may vote and has no value of the kind of weight.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WeightlessVoter)]
pub(crate) struct WeightlessVoterView {
    end_user_id: Uuid,
    name: String,
    username: String,
}

impl From<NamedVoter> for WeightlessVoterView {
    fn from(voter: NamedVoter) -> Self {
        Self { end_user_id: voter.id.as_uuid(), name: voter.name, username: voter.username }
    }
}

/// The people who may vote and have no value of the kind of weight.
#[derive(Serialize, ToSchema)]
#[schema(as = MissingWeights, example = json!({
    "people": 1, "first": [
        { "endUserId": "019a9d5e-0000-7000-8000-000000000003", "name": "Ada Brandt", "username": "ada" },
    ],
}))]
pub(crate) struct MissingWeightsView {
    /// Their number.
    people: u64,
    /// The first of them by name, at most 20.
    first: Vec<WeightlessVoterView>,
}

impl From<Weightless> for MissingWeightsView {
    fn from(found: Weightless) -> Self {
        Self { people: found.people, first: found.first.into_iter().map(Into::into).collect() }
    }
}

/// Returns the people who may vote and have no value of the kind of weight that is counted. Their votes would
/// count zero, and a value of zero is none. Nobody lacks the ordinary weight. Exclusions from single questions are not considered.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ForecastQuery),
    responses(
        (status = 200, description = "The people", body = MissingWeightsView),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/missing-weights")]
pub(crate) async fn missing_weights(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    query: Query<ForecastQuery>,
    rounds: Data<RoundService>,
) -> Result<Json<MissingWeightsView>, ApiError> {
    let found = rounds.weightless(admin.client_id, meeting, &query.read()?).await?.ok_or_else(MeetingId::missing)?;
    Ok(Json(found.into()))
}
