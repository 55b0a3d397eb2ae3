//! The record of a declared result, and signatures of records and files.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{AuditHead, MeetingHead, RoundFile, canonical, hexadecimal};

/// The name and version of the record's format.
pub const RECORD_FORMAT: &str = "plenum-record/1";

/// The record of a declared result: a whole round, written once at its declaration. Its canonical form is stored, hashed
/// and signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RoundRecord {
    /// [`RECORD_FORMAT`].
    pub format: String,
    /// The organization's id.
    pub organization_id: Uuid,
    /// The meeting at that time.
    pub meeting: MeetingHead,
    /// The position among the records of the meeting, from 1.
    pub number: u32,
    /// The hash of the meeting's previous record, in hexadecimal. `None` for the first.
    pub previous_hash: Option<String>,
    /// The end of the organization's audit log at that time. `None` if it was empty.
    pub audit_head: Option<AuditHead>,
    /// The time of the record.
    pub recorded_at: DateTime<Utc>,
    /// Whether the result was declared before there were records, and recorded later.
    pub is_recorded_later: bool,
    /// The round with its result, register and ballots. It contains no mark or seal of its own record.
    pub round: RoundFile,
}

impl RoundRecord {
    /// The record of this round in an exported file. `None` if the file has no seal for it.
    pub fn of_file(file: &RoundFile) -> Option<Self> {
        let (mark, seal) = (file.result.record.clone()?, file.seal.clone()?);
        let mut round = file.clone();
        (round.result.record, round.seal) = (None, None);
        Some(Self {
            format: RECORD_FORMAT.to_owned(),
            organization_id: seal.organization_id,
            meeting: seal.meeting,
            number: seal.number,
            previous_hash: seal.previous_hash,
            audit_head: seal.audit_head,
            recorded_at: mark.recorded_at,
            is_recorded_later: mark.is_recorded_later,
            round,
        })
    }

    /// The canonical document.
    pub fn document(&self) -> Vec<u8> {
        canonical(self)
    }
}

/// The mark of a recorded result, for every screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "hash": "5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",
    "key": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
    "recordedAt": "2026-11-21T18:10:02Z", "isRecordedLater": false,
}))]
pub struct RecordMark {
    /// The record hash: the SHA-256 of the record's canonical document, in hexadecimal.
    pub hash: String,
    /// The fingerprint of the key that signed it.
    pub key: String,
    /// The time of the record.
    pub recorded_at: DateTime<Utc>,
    /// Whether the result was declared before there were records, and recorded later.
    pub is_recorded_later: bool,
    /// The timestamp of the record hash. Left out if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<TimestampMark>,
}

/// The statement of a timestamp authority that it has seen a record hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "authority": "Example Timestamps", "at": "2026-11-21T18:10:04Z" }))]
pub struct TimestampMark {
    /// The name of the authority, by its certificate.
    pub authority: String,
    /// The time at which the authority saw the hash.
    pub at: DateTime<Utc>,
}

/// The data that a file adds to a recorded round, so that its record can be written and hashed again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordSeal {
    /// The organization's id.
    pub organization_id: Uuid,
    /// The meeting at the time of the record.
    pub meeting: MeetingHead,
    /// The position among the records of the meeting, from 1.
    pub number: u32,
    /// The hash of the meeting's previous record. Null for the first.
    #[schema(required)]
    pub previous_hash: Option<String>,
    /// The end of the organization's audit log at that time. Null if it was empty.
    #[schema(required)]
    pub audit_head: Option<AuditHead>,
    /// The Ed25519 signature of the record, in hexadecimal.
    pub signature: String,
    /// The timestamp token of the record hash by RFC 3161, in base64. Left out if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp_token: Option<String>,
}

/// A result that is not shown, because its record is missing or was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "roundId": "019a9d5e-0000-7000-8000-000000000007", "position": 1, "number": 1, "damage": "its hash does not match",
}))]
pub struct DamagedRecord {
    /// The round.
    pub round_id: Uuid,
    /// The question's position on the agenda, from 1; 0 if it is unknown.
    pub position: u32,
    /// The number of the round; 0 if it is unknown.
    pub number: u32,
    /// The damage, as a clause: "its hash does not match".
    pub damage: String,
}

/// A public key of an installation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "fingerprint": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
    "publicKey": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    "createdAt": "2026-11-01T08:00:00Z", "retiredAt": null, "endorsedBy": null, "endorsement": null,
    "isLost": false,
}))]
pub struct PublicKey {
    /// The SHA-256 of the public key, in hexadecimal.
    pub fingerprint: String,
    /// The public key of Ed25519, in hexadecimal.
    pub public_key: String,
    /// The time of its creation.
    pub created_at: DateTime<Utc>,
    /// The time at which the next key replaced it. Null for the signing key.
    #[schema(required)]
    pub retired_at: Option<DateTime<Utc>>,
    /// The fingerprint of the key before it. Null for the first key, and for one that replaces a lost key.
    #[schema(required)]
    pub endorsed_by: Option<String>,
    /// The signature of the key before it, in hexadecimal. Null for the first key, and for one that replaces a lost key.
    #[schema(required)]
    pub endorsement: Option<String>,
    /// Whether the secret key was lost, so that it could not sign the next key.
    #[serde(default)]
    pub is_lost: bool,
}

/// The signature of a whole file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileSignature {
    /// The fingerprint of the key that signed.
    pub key: String,
    /// The keys of the installation, the first one first.
    pub keys: Vec<PublicKey>,
    /// The Ed25519 signature of the canonical form of the file without this member `value`, in hexadecimal.
    pub value: String,
}

/// The SHA-256 of bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The fingerprint of a public key.
pub fn fingerprint_of(public_key: &[u8]) -> String {
    sha256(public_key)
}

/// The signed message for a record with this hash.
pub fn record_message(hash: &str) -> Vec<u8> {
    format!("{RECORD_FORMAT}\n{hash}\n").into_bytes()
}

/// The signed message for a file whose canonical form, without the value of its signature, has this hash.
pub fn file_message(hash: &str) -> Vec<u8> {
    format!("plenum-file/1\n{hash}\n").into_bytes()
}

/// The signed message of minutes: the hashes of the records in them, in their order.
pub fn minutes_message(hashes: &[String]) -> Vec<u8> {
    format!("plenum-minutes/1\n{}\n", hashes.join("\n")).into_bytes()
}

/// The message with which a key signs its successor.
pub fn succession_message(public_key: &[u8]) -> Vec<u8> {
    format!("plenum-evidence-key/1\n{}\n", hexadecimal(public_key)).into_bytes()
}

/// The bytes of a hexadecimal text in lower case. `None` if the text is invalid.
pub fn from_hexadecimal(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) || !text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}
