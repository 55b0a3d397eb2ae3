use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::PortFailure;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::extract::AccountHolder;

/// How much memory the process has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryFacts {
    /// What it has in the machine's memory at this moment.
    pub resident_bytes: u64,
    /// The most that it has had, where the system keeps that.
    pub peak_bytes: Option<u64>,
}

/// Knows how much memory the process has.
pub trait ProcessMemory: Send + Sync {
    /// As of this moment.
    ///
    /// # Errors
    /// Fails when the system does not tell.
    fn facts(&self) -> Result<MemoryFacts, PortFailure>;
}

/// How much memory the server has.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "residentBytes": 73_400_320, "peakBytes": 96_468_992 }))]
pub(crate) struct MemoryDetails {
    /// What the server's process has in the machine's memory at this moment.
    resident_bytes: u64,
    /// The most that it has had since it was started, where the system keeps that.
    #[schema(required)]
    peak_bytes: Option<u64>,
}

/// The server's memory.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "success": true,
    "message": "The server uses 70.0 MB of memory.",
    "details": { "residentBytes": 73_400_320, "peakBytes": 96_468_992 },
}))]
pub(crate) struct MemoryTestView {
    success: bool,
    message: String,
    details: MemoryDetails,
}

impl From<MemoryFacts> for MemoryTestView {
    fn from(facts: MemoryFacts) -> Self {
        let tenths = facts.resident_bytes * 10 / (1024 * 1024);
        let message = format!("The server uses {}.{} MB of memory.", tenths / 10, tenths % 10);
        let details = MemoryDetails { resident_bytes: facts.resident_bytes, peak_bytes: facts.peak_bytes };
        Self { success: true, message, details }
    }
}

/// Says how much memory the server's process has, so that it can be compared before and after something.
#[utoipa::path(
    tag = "tests",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "Its memory", body = MemoryTestView),
    ),
)]
#[get("/test/memory")]
pub(crate) async fn test_memory(
    _: AccountHolder,
    memory: Data<dyn ProcessMemory>,
) -> Result<Json<MemoryTestView>, ApiError> {
    Ok(Json(memory.facts()?.into()))
}
