use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{FileSignature, SealedPurge};

/// The format of exported audit logs.
pub const AUDIT_FORMAT: &str = "plenum-audit/1";

/// The previous hash of the first entry: the hash of no data.
pub const CHAIN_START: [u8; 32] = [0; 32];

/// A changed field. Secret fields, such as a password, have no texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditChange {
    /// Its name.
    #[schema(example = "weight")]
    pub field: String,
    /// The previous value.
    #[schema(required, example = "1.0000")]
    pub before: Option<String>,
    /// The new value.
    #[schema(required, example = "2.5000")]
    pub after: Option<String>,
}

/// An entry of an audit log, with its link in the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditFileEntry {
    /// The position in the chain, from 1.
    pub number: u64,
    /// The time of the entry, in microseconds.
    pub at: DateTime<Utc>,
    /// The kind of action.
    #[schema(example = "end_user_changed")]
    pub kind: String,
    /// The actor's role: `SUPER_ADMIN`, `CLIENT`, `END_USER`, `NOBODY` (not signed in) or `SYSTEM` (the program).
    #[schema(example = "CLIENT")]
    pub by_role: String,
    /// The actor.
    #[schema(required)]
    pub by_id: Option<Uuid>,
    /// The actor's name at that time.
    #[schema(required)]
    pub by_name: Option<String>,
    /// The actor's address.
    #[schema(required, example = "192.0.2.7")]
    pub from_address: Option<String>,
    /// The kind of the affected object.
    #[schema(example = "end_user")]
    pub subject_kind: String,
    /// The id of the affected object.
    #[schema(required)]
    pub subject_id: Option<Uuid>,
    /// The name of the affected object at that time.
    #[schema(required)]
    pub subject_name: Option<String>,
    /// The title of the meeting at that time.
    #[schema(required)]
    pub meeting_title: Option<String>,
    /// The changed fields.
    pub changes: Vec<AuditChange>,
    /// The hash of the previous entry, in hexadecimal.
    pub previous_hash: String,
    /// The SHA-256 of the previous hash and this entry, in hexadecimal.
    pub hash: String,
}

impl AuditFileEntry {
    /// The hashed content after the previous hash: a JSON array of all fields except the hashes, without spaces, in UTF-8.
    pub fn canonical(&self, chain: Uuid) -> Vec<u8> {
        let changes: Vec<_> =
            self.changes.iter().map(|change| (&change.field, &change.before, &change.after)).collect();
        let fields = (
            chain,
            self.number,
            self.at.to_rfc3339_opts(SecondsFormat::Micros, true),
            &self.kind,
            &self.by_role,
            self.by_id,
            &self.by_name,
            &self.from_address,
            &self.subject_kind,
            self.subject_id,
            &self.subject_name,
            &self.meeting_title,
            changes,
        );
        // Texts, numbers and ids can always be serialized.
        serde_json::to_vec(&fields).unwrap_or_default()
    }
}

/// The last link of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditHead {
    /// Its number.
    pub number: u64,
    /// Its hash, in hexadecimal.
    pub hash: String,
}

/// A whole audit log, exported for `plenum verify`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditFile {
    /// [`AUDIT_FORMAT`].
    #[schema(example = "plenum-audit/1")]
    pub format: String,
    /// The organization's id. Zeros for the platform's log.
    pub chain: Uuid,
    /// The time of the export.
    pub exported_at: DateTime<Utc>,
    /// The number of new entries that are not in the chain yet, and so not in this file.
    pub waiting: u64,
    /// The end of the chain, which is stored separately. Missing for an empty chain.
    #[schema(required)]
    pub head: Option<AuditHead>,
    /// The documents of purges, the first one first. The last one with entries says where the chain begins. Missing without
    /// purges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub purges: Vec<SealedPurge>,
    /// The entries, from the first that was not purged to the last.
    pub entries: Vec<AuditFileEntry>,
    /// The signature of all other members except the entries, which the chain joins to the head. Missing in files of earlier
    /// versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<FileSignature>,
}

/// Bytes in hexadecimal.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_canonical_form_is_fixed() {
        let entry = AuditFileEntry {
            number: 7,
            at: "2026-11-22T10:00:00.000120Z".parse().unwrap(),
            kind: "end_user_changed".to_owned(),
            by_role: "CLIENT".to_owned(),
            by_id: Some(Uuid::nil()),
            by_name: Some("Anna \"A\" Berg\n".to_owned()),
            from_address: None,
            subject_kind: "end_user".to_owned(),
            subject_id: None,
            subject_name: Some("Bén".to_owned()),
            meeting_title: None,
            changes: vec![AuditChange { field: "weight".to_owned(), before: None, after: Some("2.0000".to_owned()) }],
            previous_hash: String::new(),
            hash: String::new(),
        };
        let text = String::from_utf8(entry.canonical(Uuid::max())).unwrap();
        assert_eq!(
            text,
            "[\"ffffffff-ffff-ffff-ffff-ffffffffffff\",7,\"2026-11-22T10:00:00.000120Z\",\"end_user_changed\",\"CLIENT\",\
             \"00000000-0000-0000-0000-000000000000\",\"Anna \\\"A\\\" Berg\\n\",null,\"end_user\",null,\"Bén\",null,\
             [[\"weight\",null,\"2.0000\"]]]"
        );
    }
}
