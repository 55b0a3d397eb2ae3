//! The closing record of a meeting, and its amendments.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{AttendanceEntry, AttendanceLogEntry, AuditHead, MeetingHead, Remark, TimestampMark, canonical, sha256};

/// The name and version of the format of closing records.
pub const CLOSING_FORMAT: &str = "plenum-closing/1";

/// A question of a closed meeting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClosedQuestion {
    /// The question.
    pub id: Uuid,
    /// Its text.
    pub text: String,
}

/// The record of a declared result in a closing record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClosedResult {
    /// The round.
    pub round_id: Uuid,
    /// The position among the records of the meeting, from 1.
    pub number: u32,
    /// The record hash.
    pub hash: String,
}

/// The attendance log of a meeting with check-in, as its closing record seals it: without names, which the log keeps only as long
/// as the meeting exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "entries": 212, "hash": "5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",
}))]
pub struct SealedLog {
    /// The number of entries.
    pub entries: u32,
    /// The SHA-256 of the canonical form of these entries in their order, in hexadecimal.
    pub hash: String,
}

impl SealedLog {
    /// Seals a log. `None` without entries.
    pub fn of(log: &[AttendanceLogEntry]) -> Option<Self> {
        let entries = u32::try_from(log.len()).ok().filter(|entries| *entries > 0)?;
        Some(Self { entries, hash: sha256(&canonical(&log)) })
    }
}

/// The closing record of a meeting: its state when it ended. Its canonical form is stored, hashed and signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClosingRecord {
    /// [`CLOSING_FORMAT`].
    pub format: String,
    /// The organization's id.
    pub organization_id: Uuid,
    /// The meeting at its end.
    pub meeting: MeetingHead,
    /// The first start. Null if it was never started.
    #[schema(required)]
    pub started_at: Option<DateTime<Utc>>,
    /// The end. Null if the meeting was completed without running.
    #[schema(required)]
    pub ended_at: Option<DateTime<Utc>>,
    /// The position among the closing records of the meeting, from 1.
    pub number: u32,
    /// The hash of the meeting's previous closing record. Null for the first.
    #[schema(required)]
    pub previous_hash: Option<String>,
    /// The hash of the last record of a declared result, in which their chain ends. Null without declared results.
    #[schema(required)]
    pub last_record_hash: Option<String>,
    /// The end of the organization's audit log at that time. Null if it was empty.
    #[schema(required)]
    pub audit_head: Option<AuditHead>,
    /// The time of the record.
    pub recorded_at: DateTime<Utc>,
    /// Whether the meeting ended before there were closing records, and was recorded later.
    pub is_recorded_later: bool,
    /// The questions, in the order of the agenda.
    pub agenda: Vec<ClosedQuestion>,
    /// The attendance notes, in order of time.
    pub attendance: Vec<AttendanceEntry>,
    /// The log of who came and went. Left out if it is empty, and in records of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub check_ins: Option<SealedLog>,
    /// The remarks, the earliest first, including those that are struck through.
    pub remarks: Vec<Remark>,
    /// The records of declared results, in the order of their numbers.
    pub records: Vec<ClosedResult>,
}

impl ClosingRecord {
    /// The canonical document.
    pub fn document(&self) -> Vec<u8> {
        canonical(self)
    }
}

/// A closing record with its hash and signature, as files and screens show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "record": {
        "format": "plenum-closing/1", "organizationId": "019a9d5e-0000-7000-8000-000000000001",
        "meeting": {
            "id": "019a9d5e-0000-7000-8000-000000000004", "title": "Annual meeting", "organization": "Rowing Club",
            "status": "COMPLETED", "scheduledStart": "2026-11-21T18:00:00Z", "scheduledEnd": "2026-11-21T20:00:00Z",
            "quorum": null,
        },
        "startedAt": "2026-11-21T18:00:12Z", "endedAt": "2026-11-21T19:55:00Z", "number": 1, "previousHash": null,
        "lastRecordHash": null, "auditHead": null, "recordedAt": "2026-11-21T19:55:00Z", "isRecordedLater": false,
        "agenda": [], "attendance": [], "remarks": [], "records": [],
    },
    "hash": "5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",
    "key": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae", "signature": "8a2f…",
}))]
pub struct SealedClosing {
    /// The record.
    pub record: ClosingRecord,
    /// The SHA-256 of its canonical document, in hexadecimal.
    pub hash: String,
    /// The fingerprint of the key that signed it.
    pub key: String,
    /// The Ed25519 signature, in hexadecimal.
    pub signature: String,
    /// The timestamp of the hash. Left out if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<TimestampMark>,
    /// The token of that timestamp by RFC 3161, in base64. Left out if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp_token: Option<String>,
}

/// The subject of an amendment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AmendmentSubject {
    /// The meeting: `title`, `scheduledStart`, `scheduledEnd`, `quorum` or `status`.
    Meeting,
    /// A question: its `text`.
    Question,
    /// A remark: its `text` if it was added, or `struck`, with the time at which it was struck through.
    Remark,
    /// A result that was declared: its `recordHash`.
    Result,
}

/// A change after the end of a meeting. It is stored next to the closing record, which never changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "number": 1, "closing": 1, "at": "2026-11-22T09:00:00Z", "by": "Maria Keller", "subject": "MEETING",
    "subjectId": "019a9d5e-0000-7000-8000-000000000004", "field": "title", "was": "Assembly", "became": "Annual meeting",
}))]
pub struct Amendment {
    /// The position among the amendments of the meeting, from 1.
    pub number: u32,
    /// The number of the closing record that it amends.
    pub closing: u32,
    /// The time.
    pub at: DateTime<Utc>,
    /// The name of the organizer. Null for a change without a signed-in person.
    #[schema(required)]
    pub by: Option<String>,
    /// The kind of the changed object.
    pub subject: AmendmentSubject,
    /// The id of the changed object.
    pub subject_id: Uuid,
    /// The changed field.
    pub field: String,
    /// The text before. Null if there was none.
    #[schema(required)]
    pub was: Option<String>,
    /// The text after. Null if there is none.
    #[schema(required)]
    pub became: Option<String>,
}

/// The signed message for a closing record with this hash.
pub fn closing_message(hash: &str) -> Vec<u8> {
    format!("{CLOSING_FORMAT}\n{hash}\n").into_bytes()
}
