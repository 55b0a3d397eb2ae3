use std::sync::Arc;

use chrono::{DateTime, Utc};
use plenum_kernel::EvidenceKeys;
use plenum_result_format::{
    AuditHead, CLOSING_FORMAT, ClosedQuestion, ClosedResult, ClosingRecord, RECORD_FORMAT, RoundRecord, SealedLog,
    closing_message, purge_message, record_message, sha256,
};
use plenum_voting::{
    AgendaText, Closable, ClosedTimes, Purgeable, RecordHead, RecordLink, RecordWriter, Recordable, SealedRecord,
    StoredClosing, StoredRecord,
};

use crate::file_format::{Listing, attendance, check_ins, meeting_head, remark, round_file};
use crate::purges::purge_document;
use crate::read_record::{read_closing, read_record};

/// Writes records as canonical JSON, signs them with the installation's key, and checks them when it reads them.
pub struct CanonicalRecords {
    keys: Arc<dyn EvidenceKeys>,
}

impl CanonicalRecords {
    /// A writer that signs with these keys.
    pub fn new(keys: Arc<dyn EvidenceKeys>) -> Self {
        Self { keys }
    }

    /// Hashes a document, and signs the message about its hash.
    fn signed(&self, document: Vec<u8>, message: fn(&str) -> Vec<u8>) -> SealedRecord {
        let hash = sha256(&document);
        SealedRecord {
            key: self.keys.fingerprint().to_owned(),
            signature: self.keys.sign(&message(&hash)),
            // JSON is UTF-8.
            document: String::from_utf8(document).unwrap_or_default(),
            hash,
        }
    }
}

impl RecordWriter for CanonicalRecords {
    fn seal(&self, round: Recordable) -> SealedRecord {
        self.signed(record_of(round).document(), record_message)
    }

    fn close(&self, meeting: Closable) -> SealedRecord {
        self.signed(closing_of(meeting).document(), closing_message)
    }

    fn purge(&self, purge: Purgeable) -> SealedRecord {
        self.signed(purge_document(purge).document(), purge_message)
    }

    fn recorded_at(&self, record: &StoredRecord) -> Result<DateTime<Utc>, String> {
        read_record(record, &*self.keys).map(|read| read.recorded_at).map_err(|damage| damage.to_string())
    }

    fn closed_at(&self, closing: &StoredClosing) -> Result<ClosedTimes, String> {
        let read = read_closing(closing, &*self.keys).map_err(|damage| damage.to_string())?;
        let ClosingRecord { recorded_at, started_at, ended_at, .. } = read.record;
        Ok(ClosedTimes { recorded_at, started_at, ended_at })
    }
}

/// The closing record of a meeting, before it is hashed and signed.
fn closing_of(closable: Closable) -> ClosingRecord {
    let Closable { client, meeting, records, link, at, is_later } = closable;
    let RecordLink { number, previous_hash, audit_head } = link;
    let question = |question: &AgendaText| ClosedQuestion { id: question.id.as_uuid(), text: question.text.clone() };
    let result =
        |head: RecordHead| ClosedResult { round_id: head.round.as_uuid(), number: head.number, hash: head.hash };
    ClosingRecord {
        format: CLOSING_FORMAT.to_owned(),
        organization_id: client.as_uuid(),
        started_at: meeting.started_at,
        ended_at: meeting.ended_at,
        number,
        previous_hash,
        last_record_hash: records.last().map(|last| last.hash.clone()),
        audit_head: audit_head.map(|(number, hash)| AuditHead { number, hash }),
        recorded_at: at,
        is_recorded_later: is_later,
        agenda: meeting.agenda.iter().map(question).collect(),
        attendance: attendance(&meeting),
        check_ins: SealedLog::of(&check_ins(&meeting)),
        meeting: meeting_head(&meeting),
        remarks: meeting.remarks.into_iter().map(remark).collect(),
        records: records.into_iter().map(result).collect(),
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
        round: round_file(papers, Listing::WithoutRareWeights),
    }
}
