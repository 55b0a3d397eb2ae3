//! The document of a purge, which names what was removed.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{AuditHead, ClosedResult, canonical};

/// The name and version of the format of purge documents.
pub const PURGE_FORMAT: &str = "plenum-purge/1";

/// A closing record that was purged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PurgedClosing {
    /// The place among the closing records of the meeting, from 1.
    pub number: u32,
    /// The hash.
    pub hash: String,
}

/// A meeting that was purged, with everything of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PurgedMeeting {
    /// The meeting.
    pub meeting_id: Uuid,
    /// The records of its declared results, in the order of their numbers.
    pub records: Vec<ClosedResult>,
    /// Its closing records, in the order of their numbers.
    pub closings: Vec<PurgedClosing>,
    /// The number of its amendments.
    pub amendments: u32,
}

/// The entries of an audit log that were purged: always from the beginning of what was left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PurgedEntries {
    /// The number of the first one.
    pub first: u64,
    /// The last one. The next entry of the log follows it.
    pub last: AuditHead,
}

/// The document of a purge. Its canonical form is stored, hashed and signed, and is kept for ever. It names nobody whose data
/// was removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PurgeDocument {
    /// [`PURGE_FORMAT`].
    pub format: String,
    /// The organization's id. Zeros for the platform.
    pub organization_id: Uuid,
    /// The place among the purges of the organization, from 1.
    pub number: u32,
    /// The hash of the organization's previous purge document. Null for the first.
    #[schema(required)]
    pub previous_hash: Option<String>,
    /// The time of the purge.
    pub purged_at: DateTime<Utc>,
    /// Only what was older than this was removed.
    pub before: DateTime<Utc>,
    /// The initiator: `rule` or `command`.
    pub by: String,
    /// The name that was given to the command. Null without one.
    #[schema(required)]
    pub operator: Option<String>,
    /// The meetings that were removed.
    pub meetings: Vec<PurgedMeeting>,
    /// The entries of the audit log that were removed. Null without any.
    #[schema(required)]
    pub audit: Option<PurgedEntries>,
}

impl PurgeDocument {
    /// The canonical document.
    pub fn document(&self) -> Vec<u8> {
        canonical(self)
    }

    /// The hashes of the removed records of results.
    pub fn record_hashes(&self) -> impl Iterator<Item = &str> {
        self.meetings.iter().flat_map(|meeting| meeting.records.iter().map(|record| record.hash.as_str()))
    }
}

/// The document of a purge with its hash and signature, as an exported audit log contains it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "document": {
        "format": "plenum-purge/1", "organizationId": "019a9d5e-0000-7000-8000-000000000001", "number": 1,
        "previousHash": null, "purgedAt": "2036-11-25T03:00:00Z", "before": "2026-11-25T03:00:00Z", "by": "rule",
        "operator": null, "meetings": [],
        "audit": {
            "first": 1,
            "last": { "number": 412, "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" },
        },
    },
    "hash": "5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",
    "key": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae", "signature": "8a2f…",
}))]
pub struct SealedPurge {
    /// The document.
    pub document: PurgeDocument,
    /// The SHA-256 of its canonical form, in hexadecimal.
    pub hash: String,
    /// The fingerprint of the key that signed it.
    pub key: String,
    /// The Ed25519 signature, in hexadecimal.
    pub signature: String,
}

/// The signed message for a purge document with this hash.
pub fn purge_message(hash: &str) -> Vec<u8> {
    format!("{PURGE_FORMAT}\n{hash}\n").into_bytes()
}
