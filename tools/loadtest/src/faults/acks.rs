use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

/// Times at which the votes of one round were acknowledged, in that order.
#[derive(Debug, Default)]
pub(super) struct Acks {
    times: Mutex<Vec<Instant>>,
    more: Notify,
}

impl Acks {
    pub(super) fn record(&self, at: Instant) {
        self.times().push(at);
        self.more.notify_waiters();
    }

    pub(super) fn count(&self) -> usize {
        self.times().len()
    }

    /// Number of acknowledgements in this interval.
    pub(super) fn between(&self, from: Instant, to: Instant) -> usize {
        self.times().iter().filter(|at| (from..to).contains(*at)).count()
    }

    /// Time from then until the next acknowledgement.
    pub(super) fn first_after(&self, from: Instant) -> Option<Duration> {
        self.times().iter().filter(|at| **at >= from).min().map(|at| *at - from)
    }

    /// Waits until this many votes are acknowledged, or until the deadline.
    pub(super) async fn wait_for(&self, count: usize, deadline: Instant) {
        loop {
            let more = self.more.notified();
            if self.count() >= count || timeout_at(deadline, more).await.is_err() {
                return;
            }
        }
    }

    fn times(&self) -> MutexGuard<'_, Vec<Instant>> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn acknowledgements_are_counted_by_their_times() {
        let (acks, begun) = (Acks::default(), Instant::now());
        let at = |seconds| begun + Duration::from_secs(seconds);
        for seconds in [1, 2, 5] {
            acks.record(at(seconds));
        }
        assert_eq!((acks.count(), acks.between(at(1), at(5))), (3, 2));
        assert_eq!(acks.first_after(at(3)), Some(Duration::from_secs(2)));
        assert_eq!(acks.first_after(at(6)), None);
    }

    #[tokio::test]
    async fn waiting_ends_when_enough_votes_are_acknowledged_or_at_the_deadline() {
        let acks = Arc::new(Acks::default());
        let noted = Arc::clone(&acks);
        let noting = tokio::spawn(async move {
            for _ in 0..3 {
                tokio::task::yield_now().await;
                noted.record(Instant::now());
            }
        });
        acks.wait_for(3, Instant::now() + Duration::from_secs(30)).await;
        assert_eq!(acks.count(), 3);
        noting.await.unwrap();
        acks.wait_for(4, Instant::now()).await;
    }
}
