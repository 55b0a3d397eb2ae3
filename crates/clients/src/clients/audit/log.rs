use std::borrow::Cow;
use std::sync::Arc;

use chrono::SecondsFormat;
use plenum_kernel::{Clock, PortFailure};

use crate::{
    AuditEntry, AuditFilter, AuditScope, AuditTrail, AuditedChange, ChainState, NotedAct, Sheet, SheetCell, SheetFile,
    SheetFormat, SheetSeal, SheetWriter,
};

/// The most entries of an exported table, the newest ones. Only the JSON export contains the whole log.
pub const MAX_AUDIT_ROWS: u32 = 50_000;

/// The columns of an exported table.
const COLUMNS: [&str; 11] =
    ["Time", "Number", "What", "By", "Role", "From", "On", "Name", "Meeting", "Changes", "Hash"];

/// Lists and exports audit logs, and records actions that change no row.
pub struct AuditLog {
    trail: Arc<dyn AuditTrail>,
    sheets: Arc<dyn SheetWriter>,
    clock: Arc<dyn Clock>,
}

impl AuditLog {
    /// The logs in this store.
    pub fn new(trail: Arc<dyn AuditTrail>, sheets: Arc<dyn SheetWriter>, clock: Arc<dyn Clock>) -> Self {
        Self { trail, sheets, clock }
    }

    /// Records an action. An export records itself before it sends data.
    ///
    /// # Errors
    /// Fails when the store does not answer. Then the caller MUST NOT send the data.
    pub async fn note(&self, act: NotedAct) -> Result<(), PortFailure> {
        self.trail.note(act).await
    }

    /// Lists the entries that match the filter, the newest first, at most `limit`.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn list(
        &self,
        scope: AuditScope,
        filter: &AuditFilter,
        limit: u32,
    ) -> Result<Vec<AuditEntry>, PortFailure> {
        self.trail.list(scope, filter, limit).await
    }

    /// Exports the newest entries that match the filter, at most [`MAX_AUDIT_ROWS`], as a signed table.
    ///
    /// # Errors
    /// Fails when the store or the writer does not answer.
    pub async fn export(
        &self,
        scope: AuditScope,
        filter: &AuditFilter,
        (format, seal): (SheetFormat, SheetSeal),
    ) -> Result<SheetFile, PortFailure> {
        let entries = self.trail.list(scope, filter, MAX_AUDIT_ROWS).await?;
        let rows = entries.iter().map(row_of).collect();
        let sheet = Sheet { title: "Audit log", columns: COLUMNS.map(Cow::Borrowed).to_vec(), rows };
        let content = self.sheets.write_signed(sheet, format, seal).await?;
        Ok(SheetFile { name: self.file_name(format.extension()), content })
    }

    /// The file name of an export of today.
    pub fn file_name(&self, extension: &str) -> String {
        format!("audit-log-{}.{extension}", self.clock.now().format("%Y-%m-%d"))
    }

    /// Finds the end of the chain.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn chain_state(&self, scope: AuditScope) -> Result<ChainState, PortFailure> {
        self.trail.chain_state(scope).await
    }

    /// Lists the links of the chain after this number, at most `limit`.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn chain_after(
        &self,
        scope: AuditScope,
        number: u64,
        limit: u32,
    ) -> Result<Vec<AuditEntry>, PortFailure> {
        self.trail.chain_after(scope, number, limit).await
    }
}

fn row_of(entry: &AuditEntry) -> Vec<SheetCell> {
    let text = |text: &str| SheetCell::Text(text.to_owned());
    let optional = |value: &Option<String>| SheetCell::Text(value.clone().unwrap_or_default());
    let (number, hash) = match &entry.link {
        Some(link) => {
            let hash: String = link.hash.iter().map(|byte| format!("{byte:02x}")).collect();
            (SheetCell::Number(link.number.into()), SheetCell::Text(hash))
        }
        None => (text(""), text("")),
    };
    vec![
        SheetCell::Text(entry.place.at.to_rfc3339_opts(SecondsFormat::Millis, true)),
        number,
        text(&entry.kind),
        optional(&entry.by_name),
        text(&entry.by_role),
        optional(&entry.from_address),
        text(&entry.subject_kind),
        optional(&entry.subject_name),
        optional(&entry.meeting_title),
        SheetCell::Text(entry.changes.iter().map(change_text).collect::<Vec<_>>().join("; ")),
        hash,
    ]
}

fn change_text(change: &AuditedChange) -> String {
    let AuditedChange { field, before, after } = change;
    match (before, after) {
        (None, None) => format!("{field} changed"),
        (None, Some(after)) => format!("{field}: {after}"),
        (Some(before), None) => format!("{field}: {before} → nothing"),
        (Some(before), Some(after)) => format!("{field}: {before} → {after}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_shows_both_values_and_a_confidential_change_none() {
        let text = |before: Option<&str>, after: Option<&str>| {
            change_text(&AuditedChange {
                field: "weight".to_owned(),
                before: before.map(str::to_owned),
                after: after.map(str::to_owned),
            })
        };
        assert_eq!(text(Some("1"), Some("2")), "weight: 1 → 2");
        assert_eq!(text(None, Some("2")), "weight: 2");
        assert_eq!(text(Some("1"), None), "weight: 1 → nothing");
        assert_eq!(text(None, None), "weight changed");
    }
}
