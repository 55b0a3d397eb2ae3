//! The coverage of signed purge documents, for the check of records and of the audit log.

use std::collections::HashMap;
use std::sync::Arc;

use plenum_kernel::{EvidenceKeys, PortFailure};
use plenum_records::read_purge;
use plenum_result_format::{SealedPurge, from_hexadecimal, purge_message};
use plenum_verify::{CheckedPurges, PurgeFault};
use plenum_voting::{PurgeDocuments, StoredPurge};
use uuid::Uuid;

/// Checks purge documents.
pub(crate) struct PurgeCheck {
    purges: Arc<dyn PurgeDocuments>,
    /// `None` where no key is known. Then no signature can be checked, and no document covers anything.
    keys: Option<Arc<dyn EvidenceKeys>>,
}

impl PurgeCheck {
    pub(crate) fn new(purges: Arc<dyn PurgeDocuments>, keys: Option<Arc<dyn EvidenceKeys>>) -> Self {
        Self { purges, keys }
    }

    /// The documents of one chain of the audit log.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub(crate) async fn of(&self, chain: Uuid) -> Result<CheckedPurges, PortFailure> {
        Ok(self.check(chain, &self.purges.documents(Some(chain)).await?))
    }

    /// The documents of all organizations, or of one.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub(crate) async fn all(&self, chain: Option<Uuid>) -> Result<HashMap<Uuid, CheckedPurges>, PortFailure> {
        let stored = self.purges.documents(chain).await?;
        let of_chain = stored.chunk_by(|one, next| one.chain == next.chain);
        Ok(of_chain.filter_map(|part| Some((part.first()?.chain, self.check(part.first()?.chain, part)))).collect())
    }

    fn check(&self, chain: Uuid, stored: &[StoredPurge]) -> CheckedPurges {
        let read: Vec<_> = stored.iter().map(read_purge).collect();
        let unreadable = read.iter().filter_map(|read| Some(PurgeFault::Changed(read.as_ref().err()?.0)));
        let unreadable: Vec<_> = unreadable.collect();
        let readable: Vec<SealedPurge> = read.into_iter().filter_map(Result::ok).collect();
        // A signature that cannot be checked is not a fault of its document.
        let is_acceptable = |purge: &SealedPurge| self.keys.as_deref().is_none_or(|keys| is_signed(purge, keys));
        let mut checked = CheckedPurges::of(chain, &readable, is_acceptable);
        checked.faults.extend(unreadable);
        if self.keys.is_none() {
            checked.valid.clear();
        }
        checked
    }
}

fn is_signed(purge: &SealedPurge, keys: &dyn EvidenceKeys) -> bool {
    let signature = from_hexadecimal(&purge.signature).unwrap_or_default();
    keys.is_signed(&purge.key, &purge_message(&purge.hash), &signature)
}

#[cfg(test)]
mod tests {
    use plenum_adapter_security::{EvidenceKeyRing, SystemClock};
    use plenum_kernel::Clock as _;
    use plenum_result_format::{AuditHead, PURGE_FORMAT, PurgeDocument, PurgedEntries, sha256};
    use plenum_voting::SealedRecord;
    use plenum_voting::testkit::MockPurgeDocuments;

    use super::*;

    const CHAIN: Uuid = Uuid::from_u128(7);

    /// A purge of the first three entries of the log, with this signature of its message.
    fn stored(sign: impl Fn(&[u8]) -> Vec<u8>, key: &str) -> StoredPurge {
        let document = PurgeDocument {
            format: PURGE_FORMAT.to_owned(),
            organization_id: CHAIN,
            number: 1,
            previous_hash: None,
            purged_at: "2036-11-25T03:00:00Z".parse().unwrap(),
            before: "2026-11-25T03:00:00Z".parse().unwrap(),
            by: "rule".to_owned(),
            operator: None,
            meetings: Vec::new(),
            audit: Some(PurgedEntries { first: 1, last: AuditHead { number: 3, hash: "0".repeat(64) } }),
        };
        let hash = sha256(&document.document());
        let signature = sign(&purge_message(&hash));
        let document = String::from_utf8(document.document()).unwrap();
        StoredPurge { chain: CHAIN, number: 1, sealed: SealedRecord { document, hash, key: key.to_owned(), signature } }
    }

    /// The last entry that the document covers, and the number of faults.
    async fn covered(stored: StoredPurge, keys: Option<Arc<dyn EvidenceKeys>>) -> (u64, usize) {
        let mut purges = MockPurgeDocuments::new();
        purges.expect_documents().returning(move |_| Ok(vec![stored.clone()]));
        let checked = PurgeCheck::new(Arc::new(purges), keys).of(CHAIN).await.unwrap();
        (checked.purged_head().number, checked.faults.len())
    }

    #[tokio::test]
    async fn only_a_document_whose_signature_was_checked_covers_entries() {
        let ring = EvidenceKeyRing::generate(SystemClock.now());
        let key = ring.fingerprint().to_owned();
        let keys: Arc<dyn EvidenceKeys> = Arc::new(ring);
        let signed = stored(|message| keys.sign(message), &key);
        let unsigned = stored(|_| Vec::new(), &key);
        assert_eq!(covered(signed.clone(), Some(Arc::clone(&keys))).await, (3, 0));
        assert_eq!(covered(unsigned.clone(), Some(keys)).await, (0, 1));
        for document in [signed, unsigned] {
            assert_eq!(covered(document, None).await, (0, 0), "nothing can check its signature here");
        }
    }
}
