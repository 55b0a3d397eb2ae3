use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::counted::Counted;

/// The queue of a network beyond its limit.
#[derive(Clone)]
pub(super) struct Queue {
    /// The number of callers that may wait for the turn.
    pub(super) waiting: Arc<Semaphore>,
    pub(super) turn: Arc<Semaphore>,
}

impl Queue {
    /// The number of waiting callers. A turn takes a few milliseconds, so the wait is short.
    const MAX_WAITING: usize = 200;

    fn new() -> Self {
        Self { waiting: Arc::new(Semaphore::new(Self::MAX_WAITING)), turn: Arc::new(Semaphore::new(1)) }
    }
}

struct Entry {
    /// The time at which all failures have expired.
    expires_at: Instant,
    queue: Option<Queue>,
}

/// The failures that have not expired.
pub(super) struct Failures {
    capacity: usize,
    entries: HashMap<Counted, Entry>,
}

impl Failures {
    /// No failures.
    pub(super) fn new(capacity: usize) -> Self {
        Self { capacity, entries: HashMap::new() }
    }

    /// Counts one failure up to the limit, so that the limit recovers with the next interval, however many there are at
    /// once.
    ///
    /// # Errors
    /// Counts nothing and returns the time to wait if the limit is reached.
    pub(super) fn take(&mut self, counted: Counted) -> Result<(), Duration> {
        if let Some(wait) = self.wait(counted) {
            return Err(wait);
        }
        self.record(counted);
        Ok(())
    }

    /// Counts one failure, up to another burst beyond the limit. So a flood goes on in turn until it has paused for that
    /// time: within one interval hundreds could start at once.
    pub(super) fn record(&mut self, counted: Counted) {
        let (now, (burst, interval)) = (Instant::now(), counted.limit());
        if let Some(entry) = self.entries.get_mut(&counted) {
            entry.expires_at = (now.max(entry.expires_at) + interval).min(now + interval * burst * 2);
            return;
        }
        if self.entries.len() >= self.capacity {
            self.entries.retain(|_, entry| entry.expires_at > now);
        }
        // An attacker with a hundred thousand addresses is not stopped by this limit.
        if self.entries.len() < self.capacity {
            self.entries.insert(counted, Entry { expires_at: now + interval, queue: None });
        }
    }

    /// Takes one counted failure back.
    pub(super) fn give_back(&mut self, counted: Counted) {
        let Some(entry) = self.entries.get_mut(&counted) else { return };
        let (_, interval) = counted.limit();
        let earlier = entry.expires_at.checked_sub(interval).filter(|expires_at| *expires_at > Instant::now());
        match earlier {
            Some(expires_at) => entry.expires_at = expires_at,
            None => drop(self.entries.remove(&counted)),
        }
    }

    /// The time until another failure is allowed. `None` if it is allowed now.
    pub(super) fn wait(&self, counted: Counted) -> Option<Duration> {
        let expires_at = self.entries.get(&counted)?.expires_at;
        let (burst, interval) = counted.limit();
        let remaining = expires_at.saturating_duration_since(Instant::now());
        let wait = (remaining + interval).saturating_sub(interval * burst);
        (!wait.is_zero()).then_some(wait)
    }

    /// The queue beyond the limit, and the time until another failure is allowed. `None` below the limit.
    pub(super) fn queue(&mut self, counted: Counted) -> Option<(Queue, Duration)> {
        let wait = self.wait(counted)?;
        let entry = self.entries.get_mut(&counted)?;
        Some((entry.queue.get_or_insert_with(Queue::new).clone(), wait))
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use plenum_kernel::EndUserId;
    use plenum_kernel::testkit::CountingIds;
    use tokio::time::advance;

    use super::*;
    use crate::middleware::LookupKind;

    fn links_from(number: u8) -> Counted {
        Counted::Network(LookupKind::Invitation, IpAddr::from([192, 0, 2, number]))
    }

    #[tokio::test(start_paused = true)]
    async fn thousands_of_simultaneous_guesses_count_as_one_burst() {
        let mut failures = Failures::new(10);
        let counted = (0..10_000).filter(|_| failures.take(links_from(1)).is_ok()).count();
        assert_eq!(counted, 120);
        assert_eq!(failures.take(links_from(1)), Err(Duration::from_millis(250)));
        advance(Duration::from_millis(250)).await;
        assert_eq!(failures.take(links_from(1)), Ok(()));
        assert_eq!(failures.wait(links_from(1)), Some(Duration::from_millis(250)), "only one more is allowed");
        assert_eq!(failures.wait(links_from(2)), None, "other networks are not affected");
    }

    #[tokio::test(start_paused = true)]
    async fn a_flood_keeps_the_limit_reached_for_half_a_minute_at_most() {
        let mut failures = Failures::new(10);
        (0..10_000).for_each(|_| failures.record(links_from(1)));
        advance(Duration::from_secs(30)).await;
        assert!(failures.wait(links_from(1)).is_some());
        advance(Duration::from_millis(250)).await;
        assert_eq!(failures.wait(links_from(1)), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_failure_that_is_given_back_does_not_count() {
        let mut failures = Failures::new(10);
        let codes = Counted::CheckInCodes(EndUserId::new(&CountingIds::default()));
        for _ in 0..10_000 {
            failures.take(codes).unwrap();
            failures.give_back(codes);
        }
        assert!(failures.entries.is_empty());
        (0..10).for_each(|_| failures.take(codes).unwrap());
        assert_eq!(failures.take(codes), Err(Duration::from_secs(10)));
        failures.give_back(codes);
        assert_eq!(failures.take(codes), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn expired_failures_are_removed_and_the_capacity_is_kept() {
        let mut failures = Failures::new(2);
        (1..=3).for_each(|number| failures.take(links_from(number)).unwrap());
        assert_eq!(failures.entries.len(), 2);
        advance(Duration::from_secs(1)).await;
        failures.take(links_from(4)).unwrap();
        assert_eq!(failures.entries.len(), 1);
    }
}
