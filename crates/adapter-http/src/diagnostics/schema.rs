use actix_web::get;
use actix_web::web::{Data, Json};
use serde::Serialize;
use utoipa::ToSchema;

use crate::diagnostics::Diagnostics;
use crate::diagnostics::counted;
use crate::error::ApiError;
use crate::extract::AccountHolder;

/// What is other than expected.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "differences": [] }))]
pub(crate) struct SchemaDetails {
    /// Each as a sentence: tables, columns, constraints, indexes and triggers that are missing or defined otherwise, and
    /// what our tables have beyond that. Tables of others and plain indexes may be there.
    differences: Vec<String>,
}

/// Whether the tables are those of this version.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "success": true,
    "isValid": false,
    "message": "The database differs from the expected schema in 1 place.",
    "details": { "differences": ["The column last_login_at of accounts is missing."] },
}))]
pub(crate) struct SchemaTestView {
    /// The test was carried out; what it found stands in the other fields.
    success: bool,
    is_valid: bool,
    message: String,
    details: SchemaDetails,
}

/// Compares the tables with those that the migrations of this version make.
#[utoipa::path(
    tag = "tests",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "What was found", body = SchemaTestView),
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
