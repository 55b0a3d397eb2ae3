use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The form of exported audit logs.
pub const AUDIT_FORMAT: &str = "plenum-audit/1";

/// What stands before the first entry of a chain: the hash of nothing.
pub const CHAIN_START: [u8; 32] = [0; 32];

/// A field that changed. Both texts are missing where its content is nobody's business, as of a password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditChange {
    /// Its name.
    #[schema(example = "weight")]
    pub field: String,
    /// What it was.
    #[schema(required, example = "1.0000")]
    pub before: Option<String>,
    /// What it became.
    #[schema(required, example = "2.5000")]
    pub after: Option<String>,
}

/// One entry of an audit log, with its place in the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditFileEntry {
    /// Its place in the chain, from 1.
    pub number: u64,
    /// When it was written, to the microsecond.
    pub at: DateTime<Utc>,
    /// What was done.
    #[schema(example = "end_user_changed")]
    pub kind: String,
    /// In which role: `SUPER_ADMIN`, `CLIENT`, `END_USER`, `NOBODY` who is not signed in, or `SYSTEM`, the program itself.
    #[schema(example = "CLIENT")]
    pub by_role: String,
    /// The actor.
    #[schema(required)]
    pub by_id: Option<Uuid>,
    /// Their name at that time.
    #[schema(required)]
    pub by_name: Option<String>,
    /// Where they called from.
    #[schema(required, example = "192.0.2.7")]
    pub from_address: Option<String>,
    /// What kind of thing it was done to.
    #[schema(example = "end_user")]
    pub subject_kind: String,
    /// To which one.
    #[schema(required)]
    pub subject_id: Option<Uuid>,
    /// What it was called at that time.
    #[schema(required)]
    pub subject_name: Option<String>,
    /// In which meeting, by its title at that time.
    #[schema(required)]
    pub meeting_title: Option<String>,
    /// What changed.
    pub changes: Vec<AuditChange>,
    /// The hash of the entry before, in hexadecimal.
    pub previous_hash: String,
    /// The SHA-256 of the hash before and this entry, in hexadecimal.
    pub hash: String,
}

impl AuditFileEntry {
    /// What is hashed after the previous hash: a JSON array of all fields but the hashes, without spaces, in UTF-8.
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
        // Texts, numbers and ids always can be written.
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

/// A whole audit log, as it is exported for `plenum verify`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditFile {
    /// [`AUDIT_FORMAT`].
    #[schema(example = "plenum-audit/1")]
    pub format: String,
    /// The organization's id; of the platform's log zeros only.
    pub chain: Uuid,
    /// When it was exported.
    pub exported_at: DateTime<Utc>,
    /// How many entries are not in the chain yet: they are a moment old, and not in this file.
    pub waiting: u64,
    /// Where the chain ends by what is kept beside it; none of an empty one.
    #[schema(required)]
    pub head: Option<AuditHead>,
    /// The entries, from the first to the last.
    pub entries: Vec<AuditFileEntry>,
}

/// Bytes in hexadecimal.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_canonical_form_is_fixed_to_the_letter() {
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
