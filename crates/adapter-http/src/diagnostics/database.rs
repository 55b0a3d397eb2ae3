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
    /// The number of connections in this instance's pool. Null for administrators of a client.
    #[schema(required)]
    connections: Option<u32>,
    /// The size of the pool. Null for administrators of a client.
    #[schema(required)]
    max_connections: Option<u32>,
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

impl DatabaseDetails {
    /// What the caller may see: only super administrators learn about the machine itself.
    fn of(facts: DatabaseFacts, caller: &AccountHolder) -> Self {
        let sees_machine = caller.client_id.is_none();
        Self {
            server_version: facts.server_version,
            // Rounded to a thousandth.
            latency_ms: (facts.latency.as_secs_f64() * 1_000_000.0).round() / 1_000.0,
            connections: sees_machine.then_some(facts.connections),
            max_connections: sees_machine.then_some(facts.max_connections),
        }
    }
}

/// Returns the state of the database. If the database is down, the response is 503 as for every call.
#[utoipa::path(
    tag = "tests",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The database responds", body = DatabaseTestView),
    ),
)]
#[get("/test/database")]
pub(crate) async fn test_database(
    caller: AccountHolder,
    diagnostics: Data<dyn Diagnostics>,
) -> Result<Json<DatabaseTestView>, ApiError> {
    let details = DatabaseDetails::of(diagnostics.database().await?, &caller);
    Ok(Json(DatabaseTestView { success: true, message: "The database answers.", details }))
}
