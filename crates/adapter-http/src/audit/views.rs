use chrono::{DateTime, Utc};
use plenum_clients::{AuditEntry, AuditedChange};
use plenum_result_format::{AuditChange, hexadecimal};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

/// The actor of an entry.
#[derive(Serialize, ToSchema)]
pub(crate) struct AuditAuthorView {
    /// `SUPER_ADMIN`, `CLIENT`, `END_USER`, `NOBODY` for a caller without a session, or `SYSTEM` for the program
    /// itself.
    role: String,
    #[schema(required)]
    id: Option<Uuid>,
    /// The actor's name at that time.
    #[schema(required)]
    name: Option<String>,
    /// The IP address of the caller.
    #[schema(required)]
    address: Option<String>,
}

/// The object of an action.
#[derive(Serialize, ToSchema)]
pub(crate) struct AuditSubjectView {
    /// The kind of object.
    kind: String,
    #[schema(required)]
    id: Option<Uuid>,
    /// The name of the object at that time.
    #[schema(required)]
    name: Option<String>,
    /// The title of the meeting at that time.
    #[schema(required)]
    meeting: Option<String>,
}

/// The position of an entry in the chain.
#[derive(Serialize, ToSchema)]
pub(crate) struct AuditLinkView {
    /// The number of the entry, from 1.
    number: u64,
    /// SHA-256 of the previous hash and this entry, in hexadecimal.
    hash: String,
}

/// An entry of an audit log.
#[derive(Serialize, ToSchema)]
#[schema(example = example_entry)]
pub(crate) struct AuditEntryView {
    /// A stable id for programs.
    id: i64,
    at: DateTime<Utc>,
    /// The kind of action.
    kind: String,
    by: AuditAuthorView,
    subject: AuditSubjectView,
    /// The changed fields. Both texts are missing for confidential content such as a password.
    changes: Vec<AuditChange>,
    /// Null for a moment after the entry was written.
    #[schema(required)]
    link: Option<AuditLinkView>,
}

/// An example for the OpenAPI document.
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

/// A change in the form of responses and files.
pub(super) fn change(change: AuditedChange) -> AuditChange {
    AuditChange { field: change.field, before: change.before, after: change.after }
}
