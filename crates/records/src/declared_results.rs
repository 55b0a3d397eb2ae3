use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::lock::Mutex as AsyncMutex;
use plenum_kernel::{ClientId, MeetingId, RoundId};
use plenum_result_format::RoundResult;

/// The maximum number of cached results.
const CAPACITY: usize = 64;

/// A declared result, read from its record.
#[derive(Debug)]
pub(crate) struct DeclaredResult {
    pub(crate) client: ClientId,
    pub(crate) meeting: MeetingId,
    pub(crate) result: RoundResult,
}

/// A cache of declared results, which never change. Thousands of screens request a result in the same second. The first
/// request reads its record, and concurrent ones wait. The cache keeps the last requested results.
#[derive(Default)]
pub(crate) struct DeclaredResults(Mutex<Cache>);

type Slot = Arc<AsyncMutex<Option<Arc<DeclaredResult>>>>;

#[derive(Default)]
struct Cache {
    /// The number of requests so far.
    clock: u64,
    /// Each result with the number of its last request.
    slots: HashMap<RoundId, (u64, Slot)>,
}

impl DeclaredResults {
    /// The cached result of the round, or the outcome of `read`. `None` and failures are not cached.
    pub(crate) async fn get<E>(
        &self,
        round: RoundId,
        read: impl Future<Output = Result<Option<DeclaredResult>, E>>,
    ) -> Result<Option<Arc<DeclaredResult>>, E> {
        let slot = self.slot(round);
        let mut kept = slot.lock().await;
        if kept.is_none() {
            *kept = read.await?.map(Arc::new);
        }
        Ok(kept.clone())
    }

    /// The result of the round, if it is in the cache.
    pub(crate) fn cached(&self, round: RoundId) -> Option<Arc<DeclaredResult>> {
        let slot = self.cache().slots.get(&round).map(|(_, slot)| Arc::clone(slot))?;
        let kept = slot.try_lock()?;
        kept.clone()
    }

    /// Keeps a result that was read with others.
    pub(crate) fn keep(&self, round: RoundId, result: Arc<DeclaredResult>) {
        if let Some(mut kept) = self.slot(round).try_lock() {
            *kept = Some(result);
        }
    }

    fn slot(&self, round: RoundId) -> Slot {
        let mut cache = self.cache();
        cache.clock += 1;
        let now = cache.clock;
        let (asked, slot) = cache.slots.entry(round).or_default();
        *asked = now;
        let slot = Arc::clone(slot);
        if cache.slots.len() > CAPACITY {
            let oldest = cache.slots.iter().min_by_key(|(_, (asked, _))| *asked).map(|(round, _)| *round);
            oldest.and_then(|round| cache.slots.remove(&round));
        }
        slot
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
