use std::sync::Arc;

use chrono::{DateTime, Utc};
use plenum_kernel::{EvidenceKeys, PortFailure};
use plenum_result_format::{from_hexadecimal, minutes_message, record_message};
use plenum_voting::ResultRecords;

/// A record of this installation, for anybody who has its hash. It contains neither the meeting nor the organization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownRecord {
    /// The record hash.
    pub hash: String,
    /// The position among the records of its meeting, from 1.
    pub number: u32,
    /// The time of the record.
    pub recorded_at: DateTime<Utc>,
    /// The fingerprint of the key that signed it.
    pub key: String,
}

/// Finds records of all organizations by their hashes.
pub struct KnownRecords {
    records: Arc<dyn ResultRecords>,
    keys: Arc<dyn EvidenceKeys>,
}

impl KnownRecords {
    /// The most hashes of a request.
    pub const MOST: usize = 1_000;

    /// The records in this store that these keys have signed.
    pub fn new(records: Arc<dyn ResultRecords>, keys: Arc<dyn EvidenceKeys>) -> Self {
        Self { records, keys }
    }

    /// The records with these hashes, in any order. A row without a signature of this installation's keys does not
    /// count as a record.
    ///
    /// # Errors
    /// Fails if the store does not respond.
    pub async fn find(&self, hashes: Vec<String>) -> Result<Vec<KnownRecord>, PortFailure> {
        if hashes.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.records.by_hashes(hashes).await?;
        let signed = found
            .into_iter()
            .filter(|record| self.keys.is_signed(&record.key, &record_message(&record.hash), &record.signature));
        let known = |record: plenum_voting::RecordStub| KnownRecord {
            hash: record.hash,
            number: record.number,
            recorded_at: record.recorded_at,
            key: record.key,
        };
        Ok(signed.map(known).collect())
    }

    /// The key of this installation that signed these hashes for minutes. `None` if none did.
    pub fn signer_of_minutes(&self, hashes: &[String], signature: &str) -> Option<String> {
        let (message, signature) = (minutes_message(hashes), from_hexadecimal(signature)?);
        let mut keys = self.keys.published().iter().map(|key| &key.fingerprint);
        keys.find(|key| self.keys.is_signed(key, &message, &signature)).cloned()
    }
}
