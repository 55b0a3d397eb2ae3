use actix_web::get;
use actix_web::web::{Data, Json};
use serde::Serialize;
use utoipa::ToSchema;

use crate::diagnostics::DatabaseFacts;
use crate::diagnostics::Diagnostics;
use crate::error::ApiError;
use crate::extract::AccountHolder;

/// How the database answers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "serverVersion": "18.4", "latencyMs": 0.214, "connections": 2, "maxConnections": 8 }))]
pub(crate) struct DatabaseDetails {
    /// The server's version, in its own words.
    server_version: String,
    /// How long one statement took, there and back.
    latency_ms: f64,
    /// How many connections the pool of this instance has.
    connections: u32,
    /// How many it may have.
    max_connections: u32,
}

/// A database that answers.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "success": true,
    "message": "The database answers.",
    "details": { "serverVersion": "18.4", "latencyMs": 0.214, "connections": 2, "maxConnections": 8 },
}))]
pub(crate) struct DatabaseTestView {
    success: bool,
    message: &'static str,
    details: DatabaseDetails,
}

impl From<DatabaseFacts> for DatabaseDetails {
    fn from(facts: DatabaseFacts) -> Self {
        Self {
            server_version: facts.server_version,
            // To a thousandth; what is beyond that is noise.
            latency_ms: (facts.latency.as_secs_f64() * 1_000_000.0).round() / 1_000.0,
            connections: facts.connections,
            max_connections: facts.max_connections,
        }
    }
}

/// Says how the database answers. One that is down is a 503, as everywhere.
#[utoipa::path(
    tag = "tests",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "It answers", body = DatabaseTestView),
    ),
)]
#[get("/test/database")]
pub(crate) async fn test_database(
    _: AccountHolder,
    diagnostics: Data<dyn Diagnostics>,
) -> Result<Json<DatabaseTestView>, ApiError> {
    let details = diagnostics.database().await?.into();
    Ok(Json(DatabaseTestView { success: true, message: "The database answers.", details }))
}
