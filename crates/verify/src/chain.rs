//! The check of an audit log's chain. Each entry has the hash of the previous one, so a change, removal or insertion
//! changes all later entries.

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use plenum_result_format::{
    AuditFile, AuditFileEntry, AuditHead, SealedPurge, from_hexadecimal, purge_message, sha256,
};
use uuid::Uuid;

use crate::signatures::is_signed;
use crate::{CheckedPurges, PurgeFault};

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
    /// The chain does not begin behind the last entry that purge documents cover.
    Beginning {
        /// The number of the last purged entry; 0 without a purge.
        purged: u64,
        /// The number with which the chain begins.
        found: u64,
    },
    /// The first entry does not follow the last purged one.
    NotFollowingPurge(u64),
    /// Something is wrong with a purge document.
    Purge(PurgeFault),
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
            Self::Beginning { purged: 0, found } => {
                write!(f, "the log begins with entry {found}, and no purge document covers those before it")
            }
            Self::Beginning { purged, found } if found <= purged => {
                write!(
                    f,
                    "the log begins with entry {found}, and a purge document says that those up to {purged} were removed"
                )
            }
            Self::Beginning { purged, found } => {
                write!(f, "the log begins with entry {found}, and purge documents cover those up to {purged} only")
            }
            Self::NotFollowingPurge(number) => {
                write!(f, "entry {number} does not follow the last purged entry: the hash that it carries is another")
            }
            Self::Purge(fault) => fault.fmt(f),
        }
    }
}

/// The greatest number of reported faults in a chain.
const MOST: usize = 100;

/// The minutes by which an entry may be earlier than the one before it: clocks of servers differ, and an entry of a long
/// transaction is linked late.
const MOST_MINUTES_BACK: i64 = 10;

/// Checks a chain of any length, entry by entry.
#[derive(Clone, Debug)]
pub struct ChainCheck {
    chain: Uuid,
    /// The number of the last entry that was purged; 0 without a purge.
    purged: u64,
    number: u64,
    hash: String,
    at: Option<DateTime<Utc>>,
    set_back: Vec<u64>,
    faults: Vec<ChainFault>,
}

impl ChainCheck {
    /// A check before the first entry of the chain with this id, which begins behind its last purged entry.
    pub fn new(chain: Uuid, purges: &CheckedPurges) -> Self {
        let AuditHead { number, hash } = purges.purged_head();
        let faults = purges.faults.iter().copied().map(ChainFault::Purge).collect();
        Self { chain, purged: number, number, hash, at: None, set_back: Vec::new(), faults }
    }

    /// The entries whose time is more than ten minutes before that of the entry before them. No fault: the program links what
    /// stands in its table, and a clock that was wrong and was set leaves such a place, too.
    pub fn set_back(&self) -> &[u64] {
        &self.set_back
    }

    /// The number of the last checked entry.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Checks the next entry.
    pub fn take(&mut self, entry: &AuditFileEntry) {
        let (is_first, number) = (self.number == self.purged, entry.number);
        if Some(number) != self.number.checked_add(1) {
            self.note(match is_first {
                true => ChainFault::Beginning { purged: self.purged, found: number },
                false => ChainFault::Gap { before: self.number, found: number },
            });
        } else if entry.previous_hash != self.hash {
            self.note(match is_first && self.purged > 0 {
                true => ChainFault::NotFollowingPurge(number),
                false => ChainFault::NotFollowing(number),
            });
        }
        if hash_of(entry, self.chain) != entry.hash {
            self.note(ChainFault::Changed(entry.number));
        }
        if self.at.is_some_and(|before| is_set_back(before, entry)) && self.set_back.len() < MOST {
            self.set_back.push(entry.number);
        }
        self.at = Some(entry.at);
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

/// The sentence about an entry of [`ChainCheck::set_back`], without a full stop.
pub fn set_back_sentence(number: u64) -> String {
    format!(
        "entry {number} is of a time before that of the entry before it: a clock was set back, or it was put in later"
    )
}

/// Whether an entry is earlier than this time of the entry before it, by more than clocks differ.
fn is_set_back(before: DateTime<Utc>, entry: &AuditFileEntry) -> bool {
    before - entry.at > TimeDelta::minutes(MOST_MINUTES_BACK)
}

/// The entries of an exported log whose time is before that of the entry before them, as [`ChainCheck::set_back`].
pub fn entries_set_back(file: &AuditFile) -> Vec<u64> {
    let pairs = file.entries.iter().zip(file.entries.iter().skip(1));
    let set_back = pairs.filter(|(before, entry)| is_set_back(before.at, entry));
    set_back.map(|(_, entry)| entry.number).take(MOST).collect()
}

/// Checks an exported log, and that it continues an earlier export.
pub fn verify_audit(file: &AuditFile, earlier: Option<&AuditFile>) -> Vec<ChainFault> {
    let purges = purges_of(file);
    let mut check = ChainCheck::new(file.chain, &purges);
    file.entries.iter().for_each(|entry| check.take(entry));
    let mut faults = check.finish(file.head.as_ref());
    faults.extend(earlier.and_then(|earlier| not_extending(file, earlier, &purges)));
    faults
}

/// The purge documents of a file. Those of an unsigned file have the same unknown origin as the rest of it.
pub(crate) fn purges_of(file: &AuditFile) -> CheckedPurges {
    let is_by_its_key = |purge: &SealedPurge| {
        file.signature.as_ref().is_none_or(|signature| {
            let key = signature.keys.iter().find(|key| key.fingerprint == purge.key);
            key.is_some_and(|key| is_signed(key, &purge_message(&purge.hash), &purge.signature))
        })
    };
    CheckedPurges::of(file.chain, &file.purges, is_by_its_key)
}

fn not_extending(file: &AuditFile, earlier: &AuditFile, purges: &CheckedPurges) -> Option<ChainFault> {
    let purged = purges.purged_head();
    // What the earlier file ends with was purged since. The end of what was purged can still be compared.
    let is_purged = |last: &AuditFileEntry| {
        last.number < purged.number || (last.number, &last.hash) == (purged.number, &purged.hash)
    };
    let last = earlier.entries.last().filter(|last| !is_purged(last));
    let is_there = |last: &AuditFileEntry| {
        file.entries.iter().any(|entry| (entry.number, &entry.hash) == (last.number, &last.hash))
    };
    let goes_on = file.chain == earlier.chain && last.is_none_or(is_there);
    (!goes_on).then_some(ChainFault::NotExtending(last.map_or(0, |last| last.number)))
}

#[cfg(test)]
mod tests {
    use plenum_result_format::{AUDIT_FORMAT, AuditChange, CHAIN_START, hexadecimal};

    use super::*;
    use crate::purges::tests::{purge, sealed};

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
        AuditFile {
            format: AUDIT_FORMAT.to_owned(),
            chain,
            exported_at,
            waiting: 0,
            head,
            purges: Vec::new(),
            entries,
            signature: None,
        }
    }

    #[test]
    fn a_complete_chain_has_no_fault() {
        assert_eq!(verify_audit(&file(0), None), []);
        assert_eq!(verify_audit(&file(5), Some(&file(3))), []);
    }

    #[test]
    fn an_entry_that_is_earlier_than_the_one_before_it_is_noted_and_no_fault() {
        let at = |minutes: &[i64]| {
            let chain = Uuid::from_u128(7);
            let mut check = ChainCheck::new(chain, &CheckedPurges::of(chain, &[], |_| true));
            let mut previous = hexadecimal(&CHAIN_START);
            for (number, minute) in (1..).zip(minutes) {
                let mut entry = entry(number, previous, chain);
                entry.at += TimeDelta::minutes(*minute);
                entry.hash = hash_of(&entry, chain);
                previous = entry.hash.clone();
                check.take(&entry);
            }
            let set_back = check.set_back().to_vec();
            let head = AuditHead { number: minutes.len() as u64, hash: previous };
            assert_eq!(check.finish(Some(&head)), []);
            set_back
        };
        assert_eq!(at(&[0, 5, -5, 60, 50]), Vec::<u64>::new());
        assert_eq!(at(&[0, 60, -1_000_000, 61, 49]), [3, 5]);
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

    /// A chain whose entries up to this number were purged under a document.
    fn purged(length: u64, last: u64) -> AuditFile {
        let mut file = file(length);
        let gone: Vec<AuditFileEntry> = file.entries.drain(..usize::try_from(last).unwrap()).collect();
        let head = gone.last().map(|entry| AuditHead { number: entry.number, hash: entry.hash.clone() });
        file.purges = vec![purge(None, head.unwrap(), "one")];
        file
    }

    #[test]
    fn a_chain_begins_behind_what_was_purged() {
        assert_eq!(verify_audit(&purged(5, 2), None), []);
        assert_eq!(verify_audit(&purged(5, 5), None), [], "everything was purged");
        let earlier = |length| verify_audit(&purged(5, 2), Some(&file(length)));
        assert_eq!((earlier(1), earlier(2), earlier(4)), (Vec::new(), Vec::new(), Vec::new()));
        let mut other = file(2);
        other.entries[1].hash = "0".repeat(64);
        assert_eq!(verify_audit(&purged(5, 2), Some(&other)), [ChainFault::NotExtending(2)]);
    }

    #[test]
    fn a_beginning_that_no_purge_document_covers_is_found() {
        let mut cut = file(5);
        cut.entries.drain(..2);
        assert_eq!(verify_audit(&cut, None), [ChainFault::Beginning { purged: 0, found: 3 }]);
        let mut further = purged(5, 2);
        further.entries.remove(0);
        assert_eq!(verify_audit(&further, None), [ChainFault::Beginning { purged: 2, found: 4 }]);
        let mut returned = purged(5, 2);
        returned.entries.insert(0, file(5).entries[1].clone());
        assert_eq!(verify_audit(&returned, None)[0], ChainFault::Beginning { purged: 2, found: 2 });
        let mut all = purged(5, 2);
        all.entries.clear();
        assert_eq!(verify_audit(&all, None), [ChainFault::Length { entries: 2, head: 5 }]);
    }

    #[test]
    fn a_chain_that_does_not_follow_the_purged_entry_is_found() {
        let mut anew = purged(5, 2);
        let mut document = anew.purges[0].document.clone();
        document.audit.as_mut().unwrap().last.hash = "0".repeat(64);
        anew.purges = vec![sealed(document)];
        assert_eq!(verify_audit(&anew, None), [ChainFault::NotFollowingPurge(3)]);
        anew.purges[0].hash = "0".repeat(64);
        assert_eq!(
            verify_audit(&anew, None),
            [ChainFault::Purge(PurgeFault::Changed(1)), ChainFault::Beginning { purged: 0, found: 3 }]
        );
    }
}
