use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_clients::ClientService;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::extract::SuperAdmin;

/// The number of organizations.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "total": 12, "active": 10, "inactive": 2 }))]
pub(crate) struct ClientStatsView {
    total: u64,
    /// With status ACTIVE.
    active: u64,
    /// INACTIVE or SUSPENDED.
    inactive: u64,
}

/// The numbers in their envelope.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": { "total": 12, "active": 10, "inactive": 2 } }))]
pub(crate) struct ClientStatsAnswer {
    success: bool,
    data: ClientStatsView,
}

/// Returns the number of organizations.
#[utoipa::path(
    tag = "clients",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The numbers", body = ClientStatsAnswer),
    ),
)]
#[get("/clients/stats")]
pub(crate) async fn client_stats(
    _: SuperAdmin,
    clients: Data<ClientService>,
) -> Result<Json<ClientStatsAnswer>, ApiError> {
    let stats = clients.stats().await?;
    let data = ClientStatsView { total: stats.total, active: stats.active, inactive: stats.inactive };
    Ok(Json(ClientStatsAnswer { success: true, data }))
}
