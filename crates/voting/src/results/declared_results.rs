use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::lock::Mutex as AsyncMutex;
use plenum_kernel::{PortFailure, RoundId};

use crate::LoggedResult;

/// How many results are kept.
const MOST: usize = 64;

/// Results that were declared, and so never change. Thousands of screens ask for one in the same second: it is computed
/// once, and whoever comes meanwhile waits for it. Those that were asked for last are kept.
#[derive(Default)]
pub(crate) struct DeclaredResults(Mutex<Shelf>);

type Slot = Arc<AsyncMutex<Option<Arc<LoggedResult>>>>;

#[derive(Default)]
struct Shelf {
    /// How often anything was asked for.
    clock: u64,
    /// With when each was asked for last.
    slots: HashMap<RoundId, (u64, Slot)>,
}

impl DeclaredResults {
    /// The result of the round, or what `compute` gives. What is none, or a failure, is not kept.
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
        let mut shelf = self.shelf();
        shelf.clock += 1;
        let now = shelf.clock;
        let (asked, slot) = shelf.slots.entry(round).or_default();
        *asked = now;
        let slot = Arc::clone(slot);
        if shelf.slots.len() > MOST {
            let oldest = shelf.slots.iter().min_by_key(|(_, (asked, _))| *asked).map(|(round, _)| *round);
            oldest.and_then(|round| shelf.slots.remove(&round));
        }
        slot
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
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
