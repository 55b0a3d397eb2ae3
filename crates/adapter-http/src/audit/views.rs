use chrono::{DateTime, Utc};
use plenum_clients::{AuditEntry, AuditedChange};
use plenum_result_format::{AuditChange, hexadecimal};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

/// Who did something.
#[derive(Serialize, ToSchema)]
pub(crate) struct AuditAuthorView {
    /// `SUPER_ADMIN`, `CLIENT`, `END_USER`, `NOBODY` who is not signed in, or `SYSTEM`, the program itself.
    role: String,
    #[schema(required)]
    id: Option<Uuid>,
    /// Their name at that time.
    #[schema(required)]
    name: Option<String>,
    /// Where they called from.
    #[schema(required)]
    address: Option<String>,
}

/// To what something was done.
#[derive(Serialize, ToSchema)]
pub(crate) struct AuditSubjectView {
    /// What kind of thing it is.
    kind: String,
    #[schema(required)]
    id: Option<Uuid>,
    /// What it was called at that time.
    #[schema(required)]
    name: Option<String>,
    /// In which meeting, by its title at that time.
    #[schema(required)]
    meeting: Option<String>,
}

/// The place of an entry in the chain.
#[derive(Serialize, ToSchema)]
pub(crate) struct AuditLinkView {
    /// From 1.
    number: u64,
    /// SHA-256 over the entry before and this one, in hexadecimal.
    hash: String,
}

/// Something that was done.
#[derive(Serialize, ToSchema)]
#[schema(example = example_entry)]
pub(crate) struct AuditEntryView {
    /// For programs that tell entries apart.
    id: i64,
    at: DateTime<Utc>,
    /// What was done.
    kind: String,
    by: AuditAuthorView,
    subject: AuditSubjectView,
    /// What changed. Both texts are missing where the content is nobody's business, as of a password.
    changes: Vec<AuditChange>,
    /// None for a moment after it was written.
    #[schema(required)]
    link: Option<AuditLinkView>,
}

/// An entry, for the document.
pub(super) fn example_entry() -> Value {
    json!({
        "id": 4711, "at": "2026-11-22T10:04:31.250017Z", "kind": "end_user_changed",
        "by": {
            "role": "CLIENT", "id": "019a9d5e-0000-7000-8000-000000000002", "name": "Anna Berg", "address": "192.0.2.7",
        },
        "subject": {
            "kind": "end_user", "id": "019a9d5e-0000-7000-8000-000000000003", "name": "Ben Otto (ben)", "meeting": null,
        },
        "changes": [{ "field": "weight", "before": "1.0000", "after": "2.5000" }],
        "link": { "number": 812, "hash": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b" },
    })
}

impl From<AuditEntry> for AuditEntryView {
    fn from(entry: AuditEntry) -> Self {
        let link = entry.link.as_ref();
        Self {
            id: entry.place.id,
            at: entry.place.at,
            link: link.map(|link| AuditLinkView { number: link.number, hash: hexadecimal(&link.hash) }),
            kind: entry.kind,
            by: AuditAuthorView {
                role: entry.by_role,
                id: entry.by_id,
                name: entry.by_name,
                address: entry.from_address,
            },
            subject: AuditSubjectView {
                kind: entry.subject_kind,
                id: entry.subject_id,
                name: entry.subject_name,
                meeting: entry.meeting_title,
            },
            changes: entry.changes.into_iter().map(change).collect(),
        }
    }
}

/// A change as files and answers have it.
pub(super) fn change(change: AuditedChange) -> AuditChange {
    AuditChange { field: change.field, before: change.before, after: change.after }
}
