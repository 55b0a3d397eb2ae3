use async_trait::async_trait;

use crate::ResultsFile;

/// The reason why a document was not created.
#[derive(Debug, thiserror::Error)]
#[error("the document could not be created: {0}")]
pub struct DocumentFailure(pub String);

/// Creates documents of results, on threads that do not serve requests.
#[async_trait]
pub trait ResultDocuments: Send + Sync {
    /// One table with a row for every count, register entry and ballot. Cells never contain formulas.
    async fn csv(&self, results: ResultsFile) -> Result<Vec<u8>, DocumentFailure>;

    /// A workbook with a sheet for the results and one for each round.
    async fn xlsx(&self, results: ResultsFile) -> Result<Vec<u8>, DocumentFailure>;

    /// The minutes: PDF in A4, with fonts embedded. Times are in `time_zone`, an IANA name.
    async fn minutes(&self, results: ResultsFile, time_zone: chrono_tz::Tz) -> Result<Vec<u8>, DocumentFailure>;
}
