use actix_web::get;
use actix_web::web::{Data, Json};
use serde::Serialize;
use utoipa::ToSchema;

use crate::diagnostics::DatabaseFacts;
use crate::diagnostics::Diagnostics;
use crate::error::ApiError;
use crate::extract::AccountHolder;

/// The state of the database.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "serverVersion": "18.4", "latencyMs": 0.214, "connections": 2, "maxConnections": 8 }))]
pub(crate) struct DatabaseDetails {
    /// The server's version, as it reports it.
    server_version: String,
    /// The round-trip time of one statement.
    latency_ms: f64,
    /// The number of connections in this instance's pool.
    connections: u32,
    /// The size of the pool.
    max_connections: u32,
}

/// A reachable database.
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
            // Rounded to a thousandth.
            latency_ms: (facts.latency.as_secs_f64() * 1_000_000.0).round() / 1_000.0,
            connections: facts.connections,
            max_connections: facts.max_connections,
        }
    }
}

/// Returns the state of the database. If the database is down, the response is 503 as everywhere.
#[utoipa::path(
    tag = "tests",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The database responds", body = DatabaseTestView),
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
