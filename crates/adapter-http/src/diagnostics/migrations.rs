use actix_web::get;
use actix_web::web::{Data, Json};
use serde::Serialize;
use utoipa::ToSchema;

use crate::diagnostics::Diagnostics;
use crate::diagnostics::counted;
use crate::error::ApiError;
use crate::extract::AccountHolder;

/// How many migrations the database has taken.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "applied": 4 }))]
pub(crate) struct MigrationsDetails {
    applied: u64,
}

/// How far the database is migrated.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "success": true,
    "message": "The database has all migrations.",
    "pending": [],
    "details": { "applied": 4 },
}))]
pub(crate) struct MigrationsTestView {
    /// The test was carried out; what it found stands in the other fields.
    success: bool,
    message: String,
    /// The names of the migrations that the database lacks, in order.
    pending: Vec<String>,
    details: MigrationsDetails,
}

/// Says which migrations of this version the database lacks.
#[utoipa::path(
    tag = "tests",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "What was found", body = MigrationsTestView),
    ),
)]
#[get("/test/migrations")]
pub(crate) async fn test_migrations(
    _: AccountHolder,
    diagnostics: Data<dyn Diagnostics>,
) -> Result<Json<MigrationsTestView>, ApiError> {
    let facts = diagnostics.migrations().await?;
    let message = match facts.pending.len() as u64 {
        0 => "The database has all migrations.".to_owned(),
        number => format!("The database lacks {}.", counted(number, "migration")),
    };
    let details = MigrationsDetails { applied: facts.applied };
    Ok(Json(MigrationsTestView { success: true, message, pending: facts.pending, details }))
}
