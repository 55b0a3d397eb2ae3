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
    /// `None` where no key is known. Then no signature is checked.
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
        let mut checked = CheckedPurges::of(chain, &readable, |purge| self.is_signed(purge));
        checked.faults.extend(unreadable);
        checked
    }

    fn is_signed(&self, purge: &SealedPurge) -> bool {
        let Some(keys) = &self.keys else { return true };
        let signature = from_hexadecimal(&purge.signature).unwrap_or_default();
        keys.is_signed(&purge.key, &purge_message(&purge.hash), &signature)
    }
}
