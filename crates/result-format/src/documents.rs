use async_trait::async_trait;

use crate::ResultsFile;

/// The reason why a document was not made.
#[derive(Debug, thiserror::Error)]
#[error("the document could not be created: {0}")]
pub struct DocumentFailure(pub String);

/// Makes documents of results. Each is made aside from the threads that serve.
#[async_trait]
pub trait ResultDocuments: Send + Sync {
    /// One table with a row for every count, register entry and ballot; safe against formulas in cells.
    async fn csv(&self, results: ResultsFile) -> Result<Vec<u8>, DocumentFailure>;

    /// A workbook with a sheet for the results and one for each round.
    async fn xlsx(&self, results: ResultsFile) -> Result<Vec<u8>, DocumentFailure>;

    /// The minutes: A4, as PDF, with fonts embedded. Times are told in `time_zone`, an IANA name.
    async fn minutes(&self, results: ResultsFile, time_zone: chrono_tz::Tz) -> Result<Vec<u8>, DocumentFailure>;
}
