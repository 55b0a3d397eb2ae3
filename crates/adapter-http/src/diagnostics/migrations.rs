use actix_web::get;
use actix_web::web::{Data, Json};
use serde::Serialize;
use utoipa::ToSchema;

use crate::diagnostics::Diagnostics;
use crate::diagnostics::counted;
use crate::error::ApiError;
use crate::extract::AccountHolder;

/// The number of applied migrations.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "applied": 4 }))]
pub(crate) struct MigrationsDetails {
    applied: u64,
}

/// The state of the migrations.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "success": true,
    "message": "The database has all migrations.",
    "pending": [],
    "details": { "applied": 4 },
}))]
pub(crate) struct MigrationsTestView {
    /// True if the test ran. The other fields contain the findings.
    success: bool,
    message: String,
    /// The names of missing migrations, in order.
    pending: Vec<String>,
    details: MigrationsDetails,
}

/// Lists the migrations of this version that the database lacks.
#[utoipa::path(
    tag = "tests",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The findings", body = MigrationsTestView),
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
