//! The check of an archive: its parts belong together, and none has changed since it was signed.

use std::collections::HashMap;

use plenum_result_format::{ArchiveFile, ArchivedAudit, sha256};
use uuid::Uuid;

use crate::Difference;
use crate::chain::hash_of;
use crate::report::Differences;

/// Checks the parts that an archive adds to its results: the minutes, the entries of the audit log, and that all parts
/// are of one meeting. [`crate::verify`] recounts the results, and [`crate::check_archive_origin`] checks the
/// signatures.
pub fn check_archive(file: &ArchiveFile) -> Vec<Difference> {
    let mut found = Differences::default();
    match file.minutes.content() {
        None => found.wants("minutes.pdf", "another text", "base64"),
        Some(pdf) => {
            let hash = sha256(&pdf);
            if hash != file.minutes.sha256 {
                found.differs("minutes.sha256", &file.minutes.sha256, hash);
            }
        }
    }
    for (index, round) in file.results.rounds.iter().enumerate() {
        let Some(seal) = &round.seal else { continue };
        let at = |field: &str| format!("results.rounds.{index}.seal.{field}");
        if seal.organization_id != file.organization_id {
            found.differs(at("organizationId"), seal.organization_id, file.organization_id);
        }
        if seal.meeting.id != file.results.meeting.id {
            found.differs(at("meeting.id"), seal.meeting.id, file.results.meeting.id);
        }
    }
    check_entries(&mut found, &file.audit, file.organization_id);
    check_audit_heads(&mut found, file);
    found.all
}

/// Checks that each entry has its hash, and follows the previous one if that is in the file.
fn check_entries(found: &mut Differences, audit: &ArchivedAudit, chain: Uuid) {
    let mut before: Option<(u64, &str)> = None;
    for entry in &audit.entries {
        let at = |field: &str| format!("audit.entries.{}.{field}", entry.number);
        let hash = hash_of(entry, chain);
        if hash != entry.hash {
            found.differs(at("hash"), &entry.hash, hash);
        }
        if let Some((number, hash)) = before {
            if entry.number <= number {
                found.wants(at("number"), entry.number, format!("more than {number}"));
            } else if entry.number - number == 1 && entry.previous_hash != hash {
                found.wants(at("previousHash"), &entry.previous_hash, hash);
            }
        }
        before = Some((entry.number, &entry.hash));
    }
    let Some((number, hash)) = before else { return };
    match &audit.head {
        Some(head) if head.number > number || (head.number == number && head.hash == hash) => {}
        head => {
            let head =
                head.as_ref().map_or_else(|| "nothing".to_owned(), |head| format!("{} {}", head.number, head.hash));
            found.wants("audit.head", head, format!("entry {number} or a later one"));
        }
    }
}

/// A record names the end of the audit log at its time. The entries must agree with it.
fn check_audit_heads(found: &mut Differences, file: &ArchiveFile) {
    let mut hashes: HashMap<u64, &str> = HashMap::new();
    for entry in &file.audit.entries {
        hashes.insert(entry.number.saturating_sub(1), &entry.previous_hash);
        hashes.insert(entry.number, &entry.hash);
    }
    for (index, round) in file.results.rounds.iter().enumerate() {
        let Some(head) = round.seal.as_ref().and_then(|seal| seal.audit_head.as_ref()) else { continue };
        let at = format!("results.rounds.{index}.seal.auditHead");
        if hashes.get(&head.number).is_some_and(|hash| *hash != head.hash) {
            found.wants(at, &head.hash, format!("the hash of entry {} of the audit log", head.number));
        } else if file.audit.head.as_ref().is_none_or(|end| end.number < head.number) {
            found.wants(at, head.number, "no later than the end of the audit log");
        }
    }
}
