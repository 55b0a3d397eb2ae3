use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_clients::SessionService;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::extract::SuperAdmin;

/// The number of active sessions.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "total": 168, "accounts": 4, "endUsers": 164 }))]
pub(crate) struct SessionStatsView {
    total: u64,
    /// Sessions of super administrators and of administrators.
    accounts: u64,
    /// Sessions of voters.
    end_users: u64,
}

/// The numbers in their envelope.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": { "total": 168, "accounts": 4, "endUsers": 164 } }))]
pub(crate) struct SessionStatsAnswer {
    success: bool,
    data: SessionStatsView,
}

/// Returns the number of active sessions: neither ended nor expired, of active people and organizations.
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
