use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::lock::Mutex as AsyncMutex;
use plenum_kernel::{PortFailure, RoundId};

use crate::LoggedResult;

/// The maximum number of cached results.
const CAPACITY: usize = 64;

/// A cache of declared results, which never change. Thousands of screens request a result in the same second. The first
/// request computes it, and concurrent ones wait. The cache keeps the last requested results.
#[derive(Default)]
pub(crate) struct DeclaredResults(Mutex<Cache>);

type Slot = Arc<AsyncMutex<Option<Arc<LoggedResult>>>>;

#[derive(Default)]
struct Cache {
    /// The number of requests so far.
    clock: u64,
    /// Each result with the number of its last request.
    slots: HashMap<RoundId, (u64, Slot)>,
}

impl DeclaredResults {
    /// The cached result of the round, or the outcome of `compute`. `None` and failures are not cached.
    pub(crate) async fn get(
        &self,
        round: RoundId,
        compute: impl Future<Output = Result<Option<LoggedResult>, PortFailure>>,
    ) -> Result<Option<Arc<LoggedResult>>, PortFailure> {
        let slot = self.slot(round);
        let mut kept = slot.lock().await;
        if kept.is_none() {
            *kept = compute.await?.map(Arc::new);
        }
        Ok(kept.clone())
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

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use futures_util::FutureExt as _;
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{ClientId, MeetingId, QuestionId, QuestionType};
    use tokio::sync::oneshot;

    use super::*;
    use crate::{Count, Round, RoundResult, RoundStatus, Terms, Wording};

    fn result() -> LoggedResult {
        let ids = CountingIds::new();
        let wording = Wording {
            text: "?".to_owned(),
            question_type: QuestionType::Percentage,
            options: Vec::new(),
            rating_max: None,
            max_choices: None,
        };
        let round = Round {
            id: RoundId::new(&ids),
            client_id: ClientId::new(&ids),
            meeting_id: MeetingId::new(&ids),
            question_id: QuestionId::new(&ids),
            number: 1,
            status: RoundStatus::Declared,
            wording,
            opened_at: DateTime::UNIX_EPOCH,
            ended_at: None,
            closes_at: None,
            register: Count::default(),
            reason: None,
            is_named: false,
            counted_at: None,
            declared: None,
        };
        LoggedResult { result: RoundResult::of(round, Terms::default(), &[]), different_texts: None, log: Vec::new() }
    }

    #[tokio::test]
    async fn concurrent_callers_wait_for_one_computation() {
        let (results, round) = (DeclaredResults::default(), RoundId::new(&CountingIds::new()));
        let (finish, finished) = oneshot::channel();
        let mut first = Box::pin(results.get(round, finished.map(|result| Ok(result.ok()))));
        let mut second = Box::pin(results.get(round, async { panic!("it is being computed") }));
        assert!((&mut first).now_or_never().is_none() && (&mut second).now_or_never().is_none());
        finish.send(result()).unwrap();
        let (first, second) = (first.await.unwrap().unwrap(), second.await.unwrap().unwrap());
        assert!(Arc::ptr_eq(&first, &second));
    }
}
