use actix_web::get;
use actix_web::web::{Data, Json};
use serde::Serialize;
use utoipa::ToSchema;

use crate::diagnostics::Diagnostics;
use crate::diagnostics::counted;
use crate::error::ApiError;
use crate::extract::AccountHolder;

/// The differences from the expected schema.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "differences": [] }))]
pub(crate) struct SchemaDetails {
    /// Each difference as a sentence: missing or different tables, columns, constraints, indexes and triggers, and
    /// unexpected additions to the product's tables. Foreign tables and plain indexes are allowed.
    differences: Vec<String>,
}

/// Whether the tables match this version.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "success": true,
    "isValid": false,
    "message": "The database differs from the expected schema in 1 place.",
    "details": { "differences": ["The column last_login_at of accounts is missing."] },
}))]
pub(crate) struct SchemaTestView {
    /// True if the test ran. The other fields contain the findings.
    success: bool,
    is_valid: bool,
    message: String,
    details: SchemaDetails,
}

/// Compares the tables with those that the migrations of this version create.
#[utoipa::path(
    tag = "tests",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The findings", body = SchemaTestView),
    ),
)]
#[get("/test/schema")]
pub(crate) async fn test_schema(
    _: AccountHolder,
    diagnostics: Data<dyn Diagnostics>,
) -> Result<Json<SchemaTestView>, ApiError> {
    let differences = diagnostics.schema_differences().await?;
    let message = match differences.len() as u64 {
        0 => "The database has the expected schema.".to_owned(),
        number => format!("The database differs from the expected schema in {}.", counted(number, "place")),
    };
    let is_valid = differences.is_empty();
    Ok(Json(SchemaTestView { success: true, is_valid, message, details: SchemaDetails { differences } }))
}
