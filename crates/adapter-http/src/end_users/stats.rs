use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_clients::EndUserService;
use rust_decimal::Decimal;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::extract::ClientAdmin;
use crate::extract::exact;

/// The number of voters in the organization.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "total": 180, "active": 176, "inactive": 4, "totalWeight": 201.5 }))]
pub(crate) struct EndUserStatsView {
    total: u64,
    active: u64,
    inactive: u64,
    /// The exact total weight of active voters.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    total_weight: Decimal,
}

/// The numbers in their envelope.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "success": true, "data": { "total": 180, "active": 176, "inactive": 4, "totalWeight": 201.5 },
}))]
pub(crate) struct EndUserStatsAnswer {
    success: bool,
    data: EndUserStatsView,
}

/// Returns the number of voters in the organization and their total weight.
#[utoipa::path(
    tag = "end users",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The numbers", body = EndUserStatsAnswer),
    ),
)]
#[get("/client/end-users/stats")]
pub(crate) async fn end_user_stats(
    admin: ClientAdmin,
    end_users: Data<EndUserService>,
) -> Result<Json<EndUserStatsAnswer>, ApiError> {
    let stats = end_users.stats(admin.client_id).await?;
    let data = EndUserStatsView {
        total: stats.total,
        active: stats.active,
        inactive: stats.inactive,
        total_weight: stats.total_weight.normalize(),
    };
    Ok(Json(EndUserStatsAnswer { success: true, data }))
}
