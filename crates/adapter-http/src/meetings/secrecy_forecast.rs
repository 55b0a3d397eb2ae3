use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::MeetingId;
use plenum_voting::{ForecastScope, RoundService, SecrecyForecast, SecrecyRisk};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::Query;
use crate::views::{read_audience, read_weight_kind};

/// Whether the totals of a secret vote would show how people voted, with the people who may vote now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SecrecyForecast, example = json!({
    "people": 180, "byWeight": "The votes of 3 people could be inferred from the totals (weights 37.5; 50)", "byHeads": null,
}))]
pub(crate) struct SecrecyForecastView {
    /// The number of people who would be in the register.
    people: u64,
    /// The risk of a question that counts weights, as a sentence without a full stop. Null without one.
    #[schema(required)]
    by_weight: Option<String>,
    /// The risk of a question that counts heads. Null without one.
    #[schema(required)]
    by_heads: Option<String>,
}

impl From<SecrecyForecast> for SecrecyForecastView {
    fn from(forecast: SecrecyForecast) -> Self {
        let sentence = |risk: Option<SecrecyRisk>| risk.map(|risk| risk.sentence());
        Self { people: forecast.people, by_weight: sentence(forecast.by_weight), by_heads: sentence(forecast.by_heads) }
    }
}

/// The groups that a question would be for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct ForecastQuery {
    /// Ids of groups, separated by commas, at most 50: the forecast is for a question for these groups. Empty means missing.
    group_ids: Option<String>,
    /// The id of a kind of weight: the forecast is for a question that counts it. As the meeting if missing or empty.
    weight_kind_id: Option<String>,
}

impl ForecastQuery {
    pub(super) fn read(&self) -> Result<ForecastScope, ApiError> {
        let mut check = FieldCheck::default();
        let ids = self.group_ids.as_deref().unwrap_or_default().split(',').map(str::trim);
        let ids: Vec<String> = ids.filter(|id| !id.is_empty()).map(str::to_owned).collect();
        let groups = read_audience(&mut check, &ids);
        let kind = self.weight_kind_id.as_deref().map(str::trim).filter(|id| !id.is_empty());
        let weight_kind = read_weight_kind(&mut check, "weightKindId", kind);
        check.finish(groups.map(|groups| ForecastScope { groups, weight_kind }))
    }
}

/// Returns whether votes could be inferred from the totals of secret questions, with the people who may vote now. Exclusions
/// from single questions are not considered: the opening checks each question again.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ForecastQuery),
    responses(
        (status = 200, description = "The forecast", body = SecrecyForecastView),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/secrecy-forecast")]
pub(crate) async fn secrecy_forecast(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    query: Query<ForecastQuery>,
    rounds: Data<RoundService>,
) -> Result<Json<SecrecyForecastView>, ApiError> {
    let forecast =
        rounds.secrecy_forecast(admin.client_id, meeting, &query.read()?).await?.ok_or_else(MeetingId::missing)?;
    Ok(Json(forecast.into()))
}
