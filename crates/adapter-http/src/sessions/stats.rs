use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_clients::SessionService;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::extract::SuperAdmin;

/// How many sessions go on.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "total": 168, "accounts": 4, "endUsers": 164 }))]
pub(crate) struct SessionStatsView {
    total: u64,
    /// Of super administrators and of administrators.
    accounts: u64,
    /// Of voters.
    end_users: u64,
}

/// The numbers, in their envelope.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": { "total": 168, "accounts": 4, "endUsers": 164 } }))]
pub(crate) struct SessionStatsAnswer {
    success: bool,
    data: SessionStatsView,
}

/// Says how many sessions go on: neither ended nor expired, of people and organizations that are active.
#[utoipa::path(
    tag = "sessions",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The numbers", body = SessionStatsAnswer),
    ),
)]
#[get("/sessions/stats")]
pub(crate) async fn session_stats(
    _: SuperAdmin,
    sessions: Data<SessionService>,
) -> Result<Json<SessionStatsAnswer>, ApiError> {
    let stats = sessions.stats().await?;
    let data = SessionStatsView { total: stats.total(), accounts: stats.accounts, end_users: stats.end_users };
    Ok(Json(SessionStatsAnswer { success: true, data }))
}
