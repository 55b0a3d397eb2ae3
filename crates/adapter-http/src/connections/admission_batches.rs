use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix_web::rt::spawn;
use tokio::sync::Semaphore;
use tokio::task::yield_now;

/// Admits connections in batches on each thread. Between two batches the thread does its other work. Otherwise
/// thousands of simultaneous connections would delay the requests of others.
///
/// It uses no timer, so connections wait only while the thread is busy. The order of arrival is kept.
#[derive(Clone, Debug)]
pub(crate) struct AdmissionBatches {
    free: Arc<Semaphore>,
    is_refilling: Arc<AtomicBool>,
}

impl AdmissionBatches {
    /// The size of a batch. Setting up a connection takes about ten microseconds, so a batch takes less time than a
    /// vote.
    pub(crate) const BATCH_SIZE: usize = 16;

    /// Batches of one thread.
    pub(crate) fn new() -> Self {
        Self { free: Arc::new(Semaphore::new(Self::BATCH_SIZE)), is_refilling: Arc::default() }
    }

    /// Waits for admission to a batch.
    pub(crate) async fn next(&self) {
        // The semaphore is never closed, so this always gets a permit.
        if let Ok(permit) = self.free.acquire().await {
            permit.forget();
        }
        if !self.is_refilling.swap(true, Ordering::Relaxed) {
            spawn(self.clone().refill());
        }
    }

    /// Starts the next batch after all other work on the thread, until a whole batch stays unused.
    async fn refill(self) {
        loop {
            yield_now().await;
            let taken = Self::BATCH_SIZE.saturating_sub(self.free.available_permits());
            if taken == 0 {
                break;
            }
            self.free.add_permits(taken);
        }
        self.is_refilling.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;

    #[actix_web::test]
    async fn other_work_runs_between_two_batches() {
        let (batches, admitted) = (AdmissionBatches::new(), Rc::new(Cell::new(0)));
        let arriving: Vec<_> = (0..1_000)
            .map(|_| {
                let (batches, admitted) = (batches.clone(), Rc::clone(&admitted));
                spawn(async move {
                    batches.next().await;
                    admitted.set(admitted.get() + 1);
                })
            })
            .collect();
        // Other work on this thread, which is always ready.
        let mut before = 0;
        while admitted.get() < 1_000 {
            yield_now().await;
            let at_once = admitted.get() - before;
            // One batch may end and the next begin in between.
            assert!(at_once <= 2 * AdmissionBatches::BATCH_SIZE, "{at_once} were admitted at once");
            before = admitted.get();
        }
        for one in arriving {
            one.await.unwrap();
        }
    }

    #[actix_web::test]
    async fn a_single_connection_does_not_wait_and_batches_end_by_themselves() {
        let batches = AdmissionBatches::new();
        for _ in 0..3 {
            for _ in 0..AdmissionBatches::BATCH_SIZE {
                batches.next().await;
            }
            while batches.is_refilling.load(Ordering::Relaxed) {
                yield_now().await;
            }
            assert_eq!(batches.free.available_permits(), AdmissionBatches::BATCH_SIZE);
        }
    }
}
