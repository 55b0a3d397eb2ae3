use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use plenum_kernel::{Clock, PortFailure};
use plenum_records::{TimestampAuthority, TimestampQueue, TimestampTurn};
use plenum_timestamp_format::Authorities;
use plenum_voting::RecordTimestamps;

/// The settings of timestamps. The default turns them off.
#[derive(Default)]
pub struct TimestampSetup {
    /// Timestamps the hashes of records.
    pub authority: Option<Arc<dyn TimestampAuthority>>,
    /// The certificates by which checks of records and files know an authority.
    pub known: Option<Arc<Authorities>>,
}

/// The counters of timestamps.
#[derive(Debug, Default)]
pub(crate) struct TimestampCounts {
    waiting: AtomicU64,
    failures: AtomicU64,
}

impl TimestampCounts {
    /// The number of records without a timestamp, after the last turn.
    pub(crate) fn waiting(&self) -> u64 {
        self.waiting.load(Ordering::Relaxed)
    }

    /// The number of failed requests of this process.
    pub(crate) fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }
}

/// Gets timestamps for records, turn by turn. Declarations never wait for it. Several instances may do so at the same time.
pub struct TimestampWorker {
    queue: TimestampQueue,
    counts: Arc<TimestampCounts>,
}

impl TimestampWorker {
    pub(crate) fn new(
        store: Arc<dyn RecordTimestamps>,
        authority: Arc<dyn TimestampAuthority>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { queue: TimestampQueue::new(store, authority, clock), counts: Arc::default() }
    }

    pub(crate) fn counts(&self) -> Arc<TimestampCounts> {
        Arc::clone(&self.counts)
    }

    /// One turn of the queue.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn turn(&self) -> Result<TimestampTurn, PortFailure> {
        let turn = self.queue.turn().await?;
        self.counts.waiting.store(turn.waiting, Ordering::Relaxed);
        self.counts.failures.fetch_add(u64::from(turn.failure.is_some()), Ordering::Relaxed);
        Ok(turn)
    }

    /// Takes turns until it is dropped. A request that is dropped is repeated later.
    pub async fn run(self: Arc<Self>) {
        let mut outages = Outages::default();
        loop {
            let pause = match self.turn().await {
                Ok(TimestampTurn { failure: Some(reason), waiting, .. }) => {
                    if outages.begin() {
                        tracing::warn!(
                            waiting,
                            "the timestamp service fails: {reason}. Its records get their timestamps later"
                        );
                    }
                    outages.pause()
                }
                Ok(TimestampTurn { kept, waiting, .. }) => {
                    if outages.end() {
                        tracing::info!(waiting, "the timestamp service answers again");
                    }
                    if kept > 0 && waiting > 0 { Duration::ZERO } else { outages.pause() }
                }
                Err(failure) => {
                    if outages.begin() {
                        tracing::warn!(
                            error = &failure as &dyn Error,
                            "could not look for records without a timestamp"
                        );
                    }
                    outages.pause()
                }
            };
            tokio::time::sleep(pause).await;
        }
    }
}

/// Failures in a row. The log tells an outage and its end, and not each failure.
#[derive(Debug, Default)]
struct Outages {
    failures: u32,
}

impl Outages {
    /// The time between two looks for new records.
    const POLL: Duration = Duration::from_secs(10);
    /// The longest time between two tries.
    const LONGEST: Duration = Duration::from_secs(600);

    /// Counts a failure. Returns whether it is the first one of an outage.
    fn begin(&mut self) -> bool {
        self.failures = self.failures.saturating_add(1);
        self.failures == 1
    }

    /// Counts a success. Returns whether it ends an outage.
    fn end(&mut self) -> bool {
        std::mem::take(&mut self.failures) > 0
    }

    /// The time until the next turn, which doubles with each failure.
    fn pause(&self) -> Duration {
        let doublings = self.failures.saturating_sub(1).min(16);
        (Self::POLL * 2_u32.pow(doublings)).min(Self::LONGEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_is_told_once_and_its_pauses_grow_to_a_limit() {
        let mut outages = Outages::default();
        assert_eq!((outages.end(), outages.pause().as_secs()), (false, 10));
        let mut pauses = Vec::new();
        for failure in 1..=40 {
            assert_eq!(outages.begin(), failure == 1);
            pauses.push(outages.pause().as_secs());
        }
        assert_eq!(pauses[..8], [10, 20, 40, 80, 160, 320, 600, 600]);
        assert_eq!(pauses.last(), Some(&600));
        assert_eq!((outages.end(), outages.end(), outages.pause().as_secs()), (true, false, 10));
    }
}
