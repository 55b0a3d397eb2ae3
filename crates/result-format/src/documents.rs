use std::sync::Arc;

use async_trait::async_trait;
use plenum_kernel::EvidenceKeys;

use crate::{FileSignature, ResultsFile};

/// The reason why a document was not created.
#[derive(Debug, thiserror::Error)]
#[error("the document could not be created: {0}")]
pub struct DocumentFailure(pub String);

/// The signer of a document.
#[derive(Clone)]
pub struct DocumentSeal {
    /// Signs it.
    pub keys: Arc<dyn EvidenceKeys>,
    /// A signature without a value: the key that signs, and the published keys.
    pub unsigned: FileSignature,
    /// The public address of the page that checks files.
    pub verify_at: String,
}

/// The letterhead of minutes: the branding of their organization.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Letterhead {
    /// The color of the line below the head, as red, green and blue.
    pub accent: Option<[u8; 3]>,
    /// The logo.
    pub logo: Option<LetterheadLogo>,
}

/// The logo in a letterhead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetterheadLogo {
    /// `image/png`, `image/jpeg` or `image/webp`.
    pub media_type: &'static str,
    /// The file.
    pub content: Vec<u8>,
}

/// Creates documents of results, on threads that do not serve requests. Each of them is signed.
#[async_trait]
pub trait ResultDocuments: Send + Sync {
    /// One table with a row for every count, register entry and ballot, and the signature in its last rows. Cells never
    /// contain formulas.
    async fn csv(&self, results: ResultsFile, seal: DocumentSeal) -> Result<Vec<u8>, DocumentFailure>;

    /// A workbook with a sheet for the results, one for each round, and one for the signature.
    async fn xlsx(&self, results: ResultsFile, seal: DocumentSeal) -> Result<Vec<u8>, DocumentFailure>;

    /// The minutes: PDF in A4, with fonts embedded. Times are in `time_zone`, an IANA name. The signature covers the record
    /// hashes, which are in a QR code. A logo that cannot be read is left out.
    async fn minutes(
        &self,
        results: ResultsFile,
        seal: DocumentSeal,
        time_zone: chrono_tz::Tz,
        letterhead: Letterhead,
    ) -> Result<Vec<u8>, DocumentFailure>;
}
