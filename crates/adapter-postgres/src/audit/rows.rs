//! Stored entries of the audit log.

use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use plenum_clients::{AuditEntry, AuditPlace, AuditedChange, ChainLink};
use plenum_result_format::{AuditChange, AuditFileEntry, hexadecimal};
use serde_json::Value;
use uuid::Uuid;

use crate::pool::failure::damaged;
use crate::schema::audit_entries;

#[derive(Queryable, Selectable)]
#[diesel(table_name = audit_entries, check_for_backend(Pg))]
pub(crate) struct AuditRow {
    pub(crate) id: i64,
    pub(crate) chain: Uuid,
    noted_at: DateTime<Utc>,
    kind: String,
    by_role: String,
    by_id: Option<Uuid>,
    by_name: Option<String>,
    from_address: Option<String>,
    subject_kind: String,
    subject_id: Option<Uuid>,
    subject_name: Option<String>,
    meeting_title: Option<String>,
    changes: Value,
    number: Option<i64>,
    previous_hash: Option<Vec<u8>>,
    hash: Option<Vec<u8>>,
}

impl AuditRow {
    /// The entry in the form of an export, at this position in its chain. The hashes are those of the row.
    pub(crate) fn into_file_entry(self, number: u64) -> QueryResult<AuditFileEntry> {
        let changes = changes_of(&self.changes)?;
        let changes =
            changes.into_iter().map(|AuditedChange { field, before, after }| AuditChange { field, before, after });
        Ok(AuditFileEntry {
            number,
            at: self.noted_at,
            kind: self.kind,
            by_role: self.by_role,
            by_id: self.by_id,
            by_name: self.by_name,
            from_address: self.from_address,
            subject_kind: self.subject_kind,
            subject_id: self.subject_id,
            subject_name: self.subject_name,
            meeting_title: self.meeting_title,
            changes: changes.collect(),
            previous_hash: hexadecimal(&self.previous_hash.unwrap_or_default()),
            hash: hexadecimal(&self.hash.unwrap_or_default()),
        })
    }

    /// The position of the row in its chain, if it has one.
    pub(crate) fn linked_number(&self) -> QueryResult<Option<u64>> {
        self.number.map(natural).transpose()
    }
}

impl TryFrom<AuditRow> for AuditEntry {
    type Error = diesel::result::Error;

    fn try_from(row: AuditRow) -> Result<Self, Self::Error> {
        let link = match (row.number, row.previous_hash, row.hash) {
            (Some(number), Some(previous_hash), Some(hash)) => {
                Some(ChainLink { number: natural(number)?, previous_hash, hash })
            }
            _ => None,
        };
        Ok(Self {
            place: AuditPlace { at: row.noted_at, id: row.id },
            kind: row.kind,
            by_role: row.by_role,
            by_id: row.by_id,
            by_name: row.by_name,
            from_address: row.from_address,
            subject_kind: row.subject_kind,
            subject_id: row.subject_id,
            subject_name: row.subject_name,
            meeting_title: row.meeting_title,
            changes: changes_of(&row.changes)?,
            link,
        })
    }
}

/// A count.
pub(crate) fn natural(number: i64) -> QueryResult<u64> {
    u64::try_from(number).map_err(damaged)
}

/// Triples of texts. The last two are optional.
fn changes_of(changes: &Value) -> QueryResult<Vec<AuditedChange>> {
    let unreadable = || damaged(format!("audit_entries.changes is {changes}"));
    changes.as_array().ok_or_else(unreadable)?.iter().map(|change| change_of(change).ok_or_else(unreadable)).collect()
}

fn change_of(change: &Value) -> Option<AuditedChange> {
    let text = |value: &Value| match value {
        Value::Null => Some(None),
        Value::String(text) => Some(Some(text.clone())),
        _ => None,
    };
    match change.as_array()?.as_slice() {
        [Value::String(field), before, after] => {
            Some(AuditedChange { field: field.clone(), before: text(before)?, after: text(after)? })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_that_is_no_list_of_changes_is_damaged() {
        assert_eq!(changes_of(&json!([["weight", null, "2"], ["password_hash", null, null]])).unwrap().len(), 2);
        for broken in [json!({}), json!([["weight", "1"]]), json!([["weight", 1, "2"]]), json!([[null, null, null]])] {
            assert!(changes_of(&broken).is_err(), "{broken}");
        }
    }
}
