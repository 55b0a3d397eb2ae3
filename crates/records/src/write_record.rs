use std::sync::Arc;

use plenum_kernel::EvidenceKeys;
use plenum_result_format::{AuditHead, RECORD_FORMAT, RoundRecord, record_message, sha256};
use plenum_voting::{RecordLink, RecordWriter, Recordable, SealedRecord};

use crate::file_format::{meeting_head, round_file};

/// Writes records as canonical JSON, and signs them with the installation's key.
pub struct CanonicalRecords {
    keys: Arc<dyn EvidenceKeys>,
}

impl CanonicalRecords {
    /// A writer that signs with these keys.
    pub fn new(keys: Arc<dyn EvidenceKeys>) -> Self {
        Self { keys }
    }
}

impl RecordWriter for CanonicalRecords {
    fn seal(&self, round: Recordable) -> SealedRecord {
        let document = record_of(round).document();
        let hash = sha256(&document);
        SealedRecord {
            key: self.keys.fingerprint().to_owned(),
            signature: self.keys.sign(&record_message(&hash)),
            // JSON is UTF-8.
            document: String::from_utf8(document).unwrap_or_default(),
            hash,
        }
    }
}

/// The record of a round, before it is hashed and signed.
pub(crate) fn record_of(round: Recordable) -> RoundRecord {
    let Recordable { client, meeting, papers, link, at, is_later } = round;
    let RecordLink { number, previous_hash, audit_head } = link;
    RoundRecord {
        format: RECORD_FORMAT.to_owned(),
        organization_id: client.as_uuid(),
        meeting: meeting_head(&meeting),
        number,
        previous_hash,
        audit_head: audit_head.map(|(number, hash)| AuditHead { number, hash }),
        recorded_at: at,
        is_recorded_later: is_later,
        round: round_file(papers),
    }
}
