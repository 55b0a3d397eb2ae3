//! The documents of purges: what they cover, and what is wrong with them.

use std::fmt;

use plenum_result_format::{
    AuditHead, CHAIN_START, PURGE_FORMAT, PurgeDocument, PurgedMeeting, SealedPurge, hexadecimal, sha256,
};
use uuid::Uuid;

/// The defect of a purge document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PurgeFault {
    /// Documents before this number are missing.
    Missing(u32),
    /// Its content does not have its hash, or it is of another version.
    Changed(u32),
    /// No key of the installation signed it.
    NotSigned(u32),
    /// It is about another organization.
    Foreign(u32),
    /// It does not have the hash of the document before it.
    NotFollowing(u32),
}

impl fmt::Display for PurgeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(number) => write!(f, "a purge document before number {number} is missing"),
            Self::Changed(number) => write!(f, "purge document {number} was changed: it does not have its hash"),
            Self::NotSigned(number) => {
                write!(f, "purge document {number} is not signed by a key of the installation, and covers nothing")
            }
            Self::Foreign(number) => write!(f, "purge document {number} is about another organization"),
            Self::NotFollowing(number) => {
                write!(
                    f,
                    "purge document {number} does not follow the one before it: the hash that it carries is another"
                )
            }
        }
    }
}

/// The purge documents of one organization that were checked. Only those without a fault of their own cover something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedPurges {
    /// The documents that cover something.
    pub valid: Vec<PurgeDocument>,
    /// The defect.
    pub faults: Vec<PurgeFault>,
}

impl CheckedPurges {
    /// Checks the documents of a chain, the first one first. `is_signed` says whether a known key signed a document.
    pub fn of(chain: Uuid, purges: &[SealedPurge], is_signed: impl Fn(&SealedPurge) -> bool) -> Self {
        let mut checked = Self { valid: Vec::new(), faults: Vec::new() };
        let mut before: Option<&SealedPurge> = None;
        for purge in purges {
            let number = purge.document.number;
            let is_next = before.map_or(1, |before| before.document.number.saturating_add(1)) == number;
            if !is_next {
                checked.faults.push(PurgeFault::Missing(number));
            } else if purge.document.previous_hash.as_ref() != before.map(|before| &before.hash) {
                checked.faults.push(PurgeFault::NotFollowing(number));
            }
            before = Some(purge);
            let own = if sha256(&purge.document.document()) != purge.hash || purge.document.format != PURGE_FORMAT {
                Some(PurgeFault::Changed(number))
            } else if !is_signed(purge) {
                Some(PurgeFault::NotSigned(number))
            } else {
                (purge.document.organization_id != chain).then_some(PurgeFault::Foreign(number))
            };
            match own {
                Some(fault) => checked.faults.push(fault),
                None => checked.valid.push(purge.document.clone()),
            }
        }
        checked
    }

    /// The last purged entry of the audit log, after which the chain begins. Number 0 without a purge.
    pub fn purged_head(&self) -> AuditHead {
        let purged = self.valid.iter().filter_map(|document| document.audit.as_ref());
        let last = purged.map(|entries| &entries.last).max_by_key(|last| last.number);
        last.cloned().unwrap_or_else(|| AuditHead { number: 0, hash: hexadecimal(&CHAIN_START) })
    }

    /// Whether a document covers this meeting.
    pub fn covers_meeting(&self, meeting: Uuid) -> bool {
        self.valid.iter().any(|document| document.meetings.iter().any(|purged| purged.meeting_id == meeting))
    }

    /// Whether a document covers the record of a result or of the end of a meeting with this hash.
    pub fn covers_record(&self, hash: &str) -> bool {
        let is_closing = |purged: &PurgedMeeting| purged.closings.iter().any(|closing| closing.hash == hash);
        self.valid.iter().any(|document| {
            document.record_hashes().any(|purged| purged == hash) || document.meetings.iter().any(is_closing)
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use plenum_result_format::{ClosedResult, PurgedEntries};

    use super::*;

    const CHAIN: Uuid = Uuid::from_u128(7);

    /// A purge of the entries up to `last`, and of a record with this hash.
    pub(crate) fn purge(before: Option<&SealedPurge>, last: AuditHead, record: &str) -> SealedPurge {
        let document = PurgeDocument {
            format: PURGE_FORMAT.to_owned(),
            organization_id: CHAIN,
            number: before.map_or(1, |before| before.document.number + 1),
            previous_hash: before.map(|before| before.hash.clone()),
            purged_at: "2036-11-25T03:00:00Z".parse().unwrap(),
            before: "2026-11-25T03:00:00Z".parse().unwrap(),
            by: "rule".to_owned(),
            operator: None,
            meetings: vec![PurgedMeeting {
                meeting_id: Uuid::max(),
                records: vec![ClosedResult { round_id: Uuid::max(), number: 1, hash: record.to_owned() }],
                closings: Vec::new(),
                amendments: 0,
            }],
            audit: Some(PurgedEntries { first: 1, last }),
        };
        sealed(document)
    }

    pub(crate) fn sealed(document: PurgeDocument) -> SealedPurge {
        let hash = sha256(&document.document());
        SealedPurge { document, hash, key: "key".to_owned(), signature: "00".to_owned() }
    }

    fn head(number: u64) -> AuditHead {
        AuditHead { number, hash: format!("{number:064x}") }
    }

    fn two() -> Vec<SealedPurge> {
        let first = purge(None, head(3), "one");
        let second = purge(Some(&first), head(5), "two");
        vec![first, second]
    }

    #[test]
    fn signed_documents_cover_what_they_name_and_nothing_else() {
        let checked = CheckedPurges::of(CHAIN, &two(), |_| true);
        assert_eq!(checked.faults, []);
        assert_eq!(checked.purged_head(), head(5));
        assert!(checked.covers_record("one") && checked.covers_record("two") && !checked.covers_record("three"));
        assert_eq!(CheckedPurges::of(CHAIN, &[], |_| true).purged_head().number, 0);
    }

    #[test]
    fn a_document_that_is_not_signed_or_was_changed_covers_nothing() {
        let faults = |purges: &[SealedPurge], is_signed: &dyn Fn(&SealedPurge) -> bool| {
            let checked = CheckedPurges::of(CHAIN, purges, is_signed);
            (checked.faults.clone(), checked.covers_record("two"), checked.purged_head().number)
        };
        let first_only = |purge: &SealedPurge| purge.document.number == 1;
        assert_eq!(faults(&two(), &first_only), (vec![PurgeFault::NotSigned(2)], false, 3));
        let mut changed = two();
        changed[1].document.audit = Some(PurgedEntries { first: 4, last: head(9) });
        assert_eq!(faults(&changed, &|_| true), (vec![PurgeFault::Changed(2)], false, 3));
        let foreign = CheckedPurges::of(Uuid::nil(), &two()[..1], |_| true);
        assert_eq!((foreign.faults, foreign.valid.len()), (vec![PurgeFault::Foreign(1)], 0));
    }

    #[test]
    fn a_missing_and_an_exchanged_document_are_found() {
        let faults = |purges: &[SealedPurge]| CheckedPurges::of(CHAIN, purges, |_| true).faults;
        assert_eq!(faults(&two()[1..]), [PurgeFault::Missing(2)]);
        let other = purge(None, head(2), "other");
        assert_eq!(faults(&[other, two().remove(1)]), [PurgeFault::NotFollowing(2)]);
    }
}
