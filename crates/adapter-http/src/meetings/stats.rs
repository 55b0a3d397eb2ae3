use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_meetings::MeetingService;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::extract::ClientAdmin;

/// The number of the organization's meetings in each status.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "total": 12, "draft": 2, "scheduled": 3, "active": 1, "completed": 5, "cancelled": 1,
}))]
pub(crate) struct MeetingStatsView {
    total: u64,
    draft: u64,
    scheduled: u64,
    active: u64,
    completed: u64,
    cancelled: u64,
}

/// Returns the number of the organization's meetings in each status.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    responses((status = 200, description = "The numbers", body = MeetingStatsView)),
)]
#[get("/client/meetings/stats")]
pub(crate) async fn meeting_stats(
    admin: ClientAdmin,
    meetings: Data<MeetingService>,
) -> Result<Json<MeetingStatsView>, ApiError> {
    let stats = meetings.stats(admin.client_id).await?;
    Ok(Json(MeetingStatsView {
        total: stats.total,
        draft: stats.draft,
        scheduled: stats.scheduled,
        active: stats.active,
        completed: stats.completed,
        cancelled: stats.cancelled,
    }))
}
