//! The check of an audit log's chain. Each entry has the hash of the previous one, so a change, removal or insertion
//! changes all later entries.

use std::fmt;

use plenum_result_format::{AuditFile, AuditFileEntry, AuditHead, CHAIN_START, from_hexadecimal, hexadecimal, sha256};
use uuid::Uuid;

/// A fault of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChainFault {
    /// The numbers are not consecutive.
    Gap {
        /// The last number before it.
        before: u64,
        /// The number that follows.
        found: u64,
    },
    /// An entry does not have the hash of the previous one.
    NotFollowing(u64),
    /// The content of an entry does not match its hash.
    Changed(u64),
    /// The chain ends before or after its head.
    Length {
        /// The number of the last entry.
        entries: u64,
        /// The end according to the head.
        head: u64,
    },
    /// The last entry is not the head.
    OtherEnd(u64),
    /// An entry of an earlier export is missing or different.
    NotExtending(u64),
}

impl fmt::Display for ChainFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gap { before, found } => {
                write!(f, "entry {before} is followed by entry {found}: entries were removed, put in or swapped there")
            }
            Self::NotFollowing(number) => {
                write!(f, "entry {number} does not follow the entry before it: the hash that it carries is another")
            }
            Self::Changed(number) => write!(f, "entry {number} was changed: it does not have its hash"),
            Self::Length { entries, head } => {
                write!(f, "the entries end with {entries}, and the chain was {head} long: its end was cut off or added")
            }
            Self::OtherEnd(number) => write!(f, "the last entry, {number}, is not the one that was linked last"),
            Self::NotExtending(number) => {
                write!(f, "entry {number} is not the one that the earlier file has: the log was written anew since")
            }
        }
    }
}

/// The greatest number of reported faults in a chain.
const MOST: usize = 100;

/// Checks a chain of any length, entry by entry.
#[derive(Clone, Debug)]
pub struct ChainCheck {
    chain: Uuid,
    number: u64,
    hash: String,
    faults: Vec<ChainFault>,
}

impl ChainCheck {
    /// A check before the first entry of the chain with this id.
    pub fn new(chain: Uuid) -> Self {
        Self { chain, number: 0, hash: hexadecimal(&CHAIN_START), faults: Vec::new() }
    }

    /// The number of the last checked entry.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Checks the next entry.
    pub fn take(&mut self, entry: &AuditFileEntry) {
        if Some(entry.number) != self.number.checked_add(1) {
            self.note(ChainFault::Gap { before: self.number, found: entry.number });
        } else if entry.previous_hash != self.hash {
            self.note(ChainFault::NotFollowing(entry.number));
        }
        if hash_of(entry, self.chain) != entry.hash {
            self.note(ChainFault::Changed(entry.number));
        }
        // Later entries are compared with this one as it is, so that one change is reported once.
        self.number = entry.number;
        self.hash.clone_from(&entry.hash);
    }

    /// The faults of the chain, which ends with this head.
    pub fn finish(mut self, head: Option<&AuditHead>) -> Vec<ChainFault> {
        let ends_at = head.map_or(0, |head| head.number);
        if ends_at != self.number {
            self.note(ChainFault::Length { entries: self.number, head: ends_at });
        } else if head.is_some_and(|head| head.hash != self.hash) {
            self.note(ChainFault::OtherEnd(self.number));
        }
        self.faults
    }

    fn note(&mut self, fault: ChainFault) {
        if self.faults.len() < MOST {
            self.faults.push(fault);
        }
    }
}

/// The hash of an entry of this chain.
pub(crate) fn hash_of(entry: &AuditFileEntry, chain: Uuid) -> String {
    let mut hashed = from_hexadecimal(&entry.previous_hash).unwrap_or_default();
    hashed.extend(entry.canonical(chain));
    sha256(&hashed)
}

/// Checks an exported log, and that it continues an earlier export.
pub fn verify_audit(file: &AuditFile, earlier: Option<&AuditFile>) -> Vec<ChainFault> {
    let mut check = ChainCheck::new(file.chain);
    file.entries.iter().for_each(|entry| check.take(entry));
    let mut faults = check.finish(file.head.as_ref());
    faults.extend(earlier.and_then(|earlier| not_extending(file, earlier)));
    faults
}

fn not_extending(file: &AuditFile, earlier: &AuditFile) -> Option<ChainFault> {
    let last = earlier.entries.last();
    let is_there = |last: &AuditFileEntry| {
        file.entries.iter().any(|entry| (entry.number, &entry.hash) == (last.number, &last.hash))
    };
    let goes_on = file.chain == earlier.chain && last.is_none_or(is_there);
    (!goes_on).then_some(ChainFault::NotExtending(last.map_or(0, |last| last.number)))
}

#[cfg(test)]
mod tests {
    use plenum_result_format::{AUDIT_FORMAT, AuditChange};

    use super::*;

    fn entry(number: u64, previous_hash: String, chain: Uuid) -> AuditFileEntry {
        let mut entry = AuditFileEntry {
            number,
            at: "2026-11-22T10:00:00.000120Z".parse().unwrap(),
            kind: "end_user_changed".to_owned(),
            by_role: "CLIENT".to_owned(),
            by_id: Some(Uuid::max()),
            by_name: Some("Anna Berg".to_owned()),
            from_address: Some("192.0.2.7".to_owned()),
            subject_kind: "end_user".to_owned(),
            subject_id: None,
            subject_name: Some(format!("Voter {number}")),
            meeting_title: None,
            changes: vec![AuditChange { field: "weight".to_owned(), before: None, after: Some(number.to_string()) }],
            previous_hash,
            hash: String::new(),
        };
        entry.hash = hash_of(&entry, chain);
        entry
    }

    fn file(length: u64) -> AuditFile {
        let chain = Uuid::from_u128(7);
        let mut entries: Vec<AuditFileEntry> = Vec::new();
        for number in 1..=length {
            let previous = entries.last().map_or(hexadecimal(&CHAIN_START), |entry| entry.hash.clone());
            entries.push(entry(number, previous, chain));
        }
        let head = entries.last().map(|entry| AuditHead { number: entry.number, hash: entry.hash.clone() });
        let exported_at = "2026-11-22T11:00:00Z".parse().unwrap();
        AuditFile { format: AUDIT_FORMAT.to_owned(), chain, exported_at, waiting: 0, head, entries, signature: None }
    }

    #[test]
    fn a_complete_chain_has_no_fault() {
        assert_eq!(verify_audit(&file(0), None), []);
        assert_eq!(verify_audit(&file(5), Some(&file(3))), []);
    }

    #[test]
    fn every_field_of_an_entry_is_hashed() {
        let changes: [fn(&mut AuditFileEntry); 12] = [
            |entry| entry.at += chrono::TimeDelta::microseconds(1),
            |entry| entry.kind.push('x'),
            |entry| entry.by_role.push('x'),
            |entry| entry.by_id = None,
            |entry| entry.by_name = None,
            |entry| entry.from_address = Some("192.0.2.8".to_owned()),
            |entry| entry.subject_kind.push('x'),
            |entry| entry.subject_id = Some(Uuid::nil()),
            |entry| entry.subject_name = None,
            |entry| entry.meeting_title = Some(String::new()),
            |entry| entry.changes[0].after = Some("100".to_owned()),
            |entry| entry.changes.clear(),
        ];
        for change in changes {
            let mut file = file(3);
            change(&mut file.entries[1]);
            assert_eq!(verify_audit(&file, None), [ChainFault::Changed(2)]);
        }
    }

    #[test]
    fn removed_swapped_and_truncated_entries_are_found() {
        let mut removed = file(4);
        removed.entries.remove(1);
        assert_eq!(verify_audit(&removed, None), [ChainFault::Gap { before: 1, found: 3 }]);

        let mut swapped = file(4);
        swapped.entries.swap(1, 2);
        assert!(verify_audit(&swapped, None).contains(&ChainFault::Gap { before: 1, found: 3 }));

        let mut cut = file(4);
        cut.entries.pop();
        assert_eq!(verify_audit(&cut, None), [ChainFault::Length { entries: 3, head: 4 }]);

        // Hashed again, as if the entry had never existed.
        let mut replaced = file(4);
        let previous = replaced.entries[1].previous_hash.clone();
        let mut other = entry(2, previous, replaced.chain);
        other.kind = "end_user_deleted".to_owned();
        other.hash = hash_of(&other, replaced.chain);
        replaced.entries[1] = other;
        assert_eq!(verify_audit(&replaced, None), [ChainFault::NotFollowing(3)]);

        // The last entry, which has no successor.
        let mut ended = file(4);
        let previous = ended.entries[3].previous_hash.clone();
        let mut other = entry(4, previous, ended.chain);
        other.by_name = Some("Eve".to_owned());
        other.hash = hash_of(&other, ended.chain);
        ended.entries[3] = other;
        assert_eq!(verify_audit(&ended, None), [ChainFault::OtherEnd(4)]);
    }

    #[test]
    fn a_rewritten_chain_does_not_continue_an_earlier_file() {
        let mut anew = file(2);
        let other = AuditFileEntry { kind: "signed_in".to_owned(), ..entry(1, hexadecimal(&CHAIN_START), anew.chain) };
        anew.entries[0] = AuditFileEntry { hash: hash_of(&other, anew.chain), ..other };
        anew.entries[1] = entry(2, anew.entries[0].hash.clone(), anew.chain);
        anew.head = anew.entries.last().map(|entry| AuditHead { number: 2, hash: entry.hash.clone() });
        assert_eq!(verify_audit(&anew, None), []);
        assert_eq!(verify_audit(&anew, Some(&file(2))), [ChainFault::NotExtending(2)]);
        assert_eq!(verify_audit(&file(2), Some(&file(3))), [ChainFault::NotExtending(3)]);
    }
}
