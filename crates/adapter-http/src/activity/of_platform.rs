use actix_web::get;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use plenum_clients::{Activity, ClientReference, ReportService};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::activity::views::{ActivityKindName, ActivityQuery, example_activity, sentence};
use crate::error::ApiError;
use crate::extract::Query;
use crate::extract::SuperAdmin;

/// The organization of an action.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActivityClientView {
    id: Uuid,
    #[schema(example = "Rowing Club")]
    name: String,
    /// The organization's short public name.
    #[schema(example = "rowing-club")]
    client_code: String,
}

impl From<&ClientReference> for ActivityClientView {
    fn from(client: &ClientReference) -> Self {
        Self { id: client.id.as_uuid(), name: client.name.to_string(), client_code: client.code.to_string() }
    }
}

/// An action in any organization.
#[derive(Serialize, ToSchema)]
#[schema(example = example_platform_activity)]
pub(crate) struct PlatformActivityView {
    at: DateTime<Utc>,
    kind: ActivityKindName,
    /// The action as a sentence.
    text: String,
    /// The organization. Null for a sign-in of a super administrator.
    #[schema(required)]
    client: Option<ActivityClientView>,
}

fn example_platform_activity() -> Value {
    let mut example = example_activity();
    example["client"] = json!({
        "id": "019a9d5e-0000-7000-8000-000000000001", "name": "Rowing Club", "clientCode": "rowing-club",
    });
    example
}

impl From<&Activity> for PlatformActivityView {
    fn from(activity: &Activity) -> Self {
        Self {
            at: activity.at,
            kind: ActivityKindName::from(&activity.kind),
            text: sentence(activity),
            client: activity.client.as_ref().map(ActivityClientView::from),
        }
    }
}

/// The recent actions in all organizations, newest first.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": [example_platform_activity()] }))]
pub(crate) struct PlatformActivityAnswer {
    success: bool,
    data: Vec<PlatformActivityView>,
}

/// Lists the recent actions in all organizations, newest first.
#[utoipa::path(
    tag = "activity",
    security(("bearer" = [])),
    params(ActivityQuery),
    responses(
        (status = 200, description = "The actions", body = PlatformActivityAnswer),
    ),
)]
#[get("/activity")]
pub(crate) async fn list_activity(
    _: SuperAdmin,
    query: Query<ActivityQuery>,
    reports: Data<ReportService>,
) -> Result<Json<PlatformActivityAnswer>, ApiError> {
    let activities = reports.activity_of_platform(query.read()?).await?;
    Ok(Json(PlatformActivityAnswer {
        success: true,
        data: activities.iter().map(PlatformActivityView::from).collect(),
    }))
}
