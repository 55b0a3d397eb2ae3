use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_clients::ReportService;
use serde::Serialize;
use utoipa::ToSchema;

use crate::activity::views::{ActivityQuery, ActivityView, example_activity};
use crate::error::ApiError;
use crate::extract::ClientAdmin;
use crate::extract::Query;

/// The recent actions in the caller's organization, newest first.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": [example_activity()] }))]
pub(crate) struct ActivityAnswer {
    success: bool,
    data: Vec<ActivityView>,
}

/// Lists the recent actions in the organization, newest first.
#[utoipa::path(
    tag = "activity",
    security(("bearer" = [])),
    params(ActivityQuery),
    responses(
        (status = 200, description = "The actions", body = ActivityAnswer),
    ),
)]
#[get("/client/activity")]
pub(crate) async fn list_client_activity(
    admin: ClientAdmin,
    query: Query<ActivityQuery>,
    reports: Data<ReportService>,
) -> Result<Json<ActivityAnswer>, ApiError> {
    let activities = reports.activity_of_client(admin.client_id, query.read()?).await?;
    Ok(Json(ActivityAnswer { success: true, data: activities.iter().map(ActivityView::from).collect() }))
}
