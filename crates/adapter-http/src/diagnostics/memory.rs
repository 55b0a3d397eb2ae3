use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::PortFailure;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::extract::SuperAdmin;

/// The memory of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryFacts {
    /// The resident memory at this moment.
    pub resident_bytes: u64,
    /// The peak of the resident memory, if the system reports it.
    pub peak_bytes: Option<u64>,
}

/// Reads the memory of the process.
pub trait ProcessMemory: Send + Sync {
    /// The memory at this moment.
    ///
    /// # Errors
    /// The system does not report it.
    fn facts(&self) -> Result<MemoryFacts, PortFailure>;
}

/// The memory of the server.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "residentBytes": 73_400_320, "peakBytes": 96_468_992 }))]
pub(crate) struct MemoryDetails {
    /// The resident memory of the server's process at this moment.
    resident_bytes: u64,
    /// The peak of the resident memory since the start, if the system reports it.
    #[schema(required)]
    peak_bytes: Option<u64>,
}

/// The memory of the server.
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

/// Returns the memory of the server's process, for a comparison before and after a test.
#[utoipa::path(
    tag = "tests",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The memory of the process", body = MemoryTestView),
    ),
)]
#[get("/test/memory")]
pub(crate) async fn test_memory(
    _: SuperAdmin,
    memory: Data<dyn ProcessMemory>,
) -> Result<Json<MemoryTestView>, ApiError> {
    Ok(Json(memory.facts()?.into()))
}
