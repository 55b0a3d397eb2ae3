use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

/// The times of heartbeats. Each stream beats once in a period, and the streams are spread over it, so that thousands of
/// heartbeats do not hold up an event.
#[derive(Debug)]
pub(super) struct HeartbeatSchedule {
    period: Duration,
    /// The time of the first stream.
    begin: OnceLock<Instant>,
    /// The number of streams so far.
    streams: AtomicU64,
}

impl HeartbeatSchedule {
    /// The fractional part of the golden ratio, scaled to 64 bits. Its multiples modulo one are spread evenly for any count:
    /// each falls into one of the widest gaps between the earlier ones.
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

    pub(super) const fn new(period: Duration) -> Self {
        Self { period, begin: OnceLock::new(), streams: AtomicU64::new(0) }
    }

    /// The first heartbeat of one more stream: within a period, and for the very first stream at its end.
    pub(super) fn first(&self) -> Instant {
        // Counts from the first stream, not from this one: streams that arrive in step with the phases would coincide.
        let begin = *self.begin.get_or_init(Instant::now);
        let number = self.streams.fetch_add(1, Ordering::Relaxed);
        self.next(begin + self.phase(number))
    }

    /// The next heartbeat of a stream whose last one was due at `due`. Missed heartbeats are left out.
    pub(super) fn next(&self, due: Instant) -> Instant {
        let now = Instant::now();
        if due > now {
            return due;
        }
        let late = (now - due).as_nanos() % self.period.as_nanos();
        now + self.period - Duration::from_nanos(late as u64)
    }

    fn phase(&self, number: u64) -> Duration {
        let share = number.wrapping_mul(Self::GOLDEN) as f64 / 2_f64.powi(64);
        self.period.mul_f64(share)
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    const PERIOD: Duration = Duration::from_secs(15);

    #[tokio::test(start_paused = true)]
    async fn the_first_stream_beats_a_whole_period_after_its_start() {
        let schedule = HeartbeatSchedule::new(PERIOD);
        advance(Duration::from_secs(100)).await;
        assert_eq!(schedule.first() - Instant::now(), PERIOD);
    }

    #[tokio::test(start_paused = true)]
    async fn every_stream_beats_within_a_period_of_its_start() {
        let schedule = HeartbeatSchedule::new(PERIOD);
        for _ in 0..1_000 {
            let wait = schedule.first() - Instant::now();
            assert!(wait > Duration::ZERO && wait <= PERIOD, "{wait:?}");
            advance(Duration::from_millis(777)).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn streams_are_spread_evenly_for_any_number_and_any_arrival() {
        // At the last of these intervals, phases that counted from each stream's own start would all be the same.
        for interval in [Duration::ZERO, Duration::from_millis(1), PERIOD, PERIOD.mul_f64(0.381_966_011_25)] {
            let schedule = HeartbeatSchedule::new(PERIOD);
            let begin = Instant::now();
            let mut phases = Vec::new();
            for count in 1..=300 {
                phases.push((schedule.first() - begin).as_secs_f64() % PERIOD.as_secs_f64());
                phases.sort_by(f64::total_cmp);
                let widest = widest_gap(&phases);
                assert!(widest * f64::from(count) < 2.0 * PERIOD.as_secs_f64(), "{count} at {interval:?}: {widest}");
                advance(interval).await;
            }
        }
    }

    fn widest_gap(sorted: &[f64]) -> f64 {
        let around = sorted[0] + PERIOD.as_secs_f64() - sorted[sorted.len() - 1];
        sorted.windows(2).map(|pair| pair[1] - pair[0]).fold(around, f64::max)
    }

    #[tokio::test(start_paused = true)]
    async fn a_late_heartbeat_does_not_delay_the_next() {
        let schedule = HeartbeatSchedule::new(PERIOD);
        let due = schedule.first();
        advance(PERIOD + Duration::from_secs(2)).await;
        assert_eq!(schedule.next(due), due + PERIOD);
        advance(10 * PERIOD).await;
        assert_eq!(schedule.next(due), due + 11 * PERIOD);
    }
}
