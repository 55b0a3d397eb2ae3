use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

/// When the streams of a hub beat: each once in a period, all of them spread over it, so that no heartbeat of thousands
/// holds up an event.
#[derive(Debug)]
pub(crate) struct HeartbeatSchedule {
    period: Duration,
    /// When the first stream came.
    begin: OnceLock<Instant>,
    /// How many have come.
    streams: AtomicU64,
}

impl HeartbeatSchedule {
    /// The golden ratio's fraction of the numbers there are. Its multiples, taken modulo one, lie evenly however many there
    /// are: each falls into one of the widest gaps between those before.
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

    pub(crate) const fn new(period: Duration) -> Self {
        Self { period, begin: OnceLock::new(), streams: AtomicU64::new(0) }
    }

    /// When one more stream beats first: within a period, the very first one at its end.
    pub(crate) fn join(&self) -> Instant {
        // Of all streams alike, and not of each one's coming: those who come one by one could be out of step with it.
        let begin = *self.begin.get_or_init(Instant::now);
        let number = self.streams.fetch_add(1, Ordering::Relaxed);
        self.after(begin + self.phase(number))
    }

    /// When a stream beats next that beats at `due`. Beats that it had no time for are left out.
    pub(crate) fn after(&self, due: Instant) -> Instant {
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
    async fn the_first_stream_beats_a_whole_period_after_it_came() {
        let rhythm = HeartbeatSchedule::new(PERIOD);
        advance(Duration::from_secs(100)).await;
        assert_eq!(rhythm.join() - Instant::now(), PERIOD);
    }

    #[tokio::test(start_paused = true)]
    async fn all_beat_within_a_period_whenever_they_come() {
        let rhythm = HeartbeatSchedule::new(PERIOD);
        for _ in 0..1_000 {
            let wait = rhythm.join() - Instant::now();
            assert!(wait > Duration::ZERO && wait <= PERIOD, "{wait:?}");
            advance(Duration::from_millis(777)).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn they_are_spread_evenly_however_many_there_are_and_however_they_come() {
        // The last of these paces is the one at which phases that began with each stream's coming would be the same.
        for pace in [Duration::ZERO, Duration::from_millis(1), PERIOD, PERIOD.mul_f64(0.381_966_011_25)] {
            let rhythm = HeartbeatSchedule::new(PERIOD);
            let begin = Instant::now();
            let mut phases = Vec::new();
            for count in 1..=300 {
                phases.push((rhythm.join() - begin).as_secs_f64() % PERIOD.as_secs_f64());
                phases.sort_by(f64::total_cmp);
                let widest = widest_gap(&phases);
                assert!(widest * f64::from(count) < 2.0 * PERIOD.as_secs_f64(), "{count} at {pace:?}: {widest}");
                advance(pace).await;
            }
        }
    }

    fn widest_gap(sorted: &[f64]) -> f64 {
        let around = sorted[0] + PERIOD.as_secs_f64() - sorted[sorted.len() - 1];
        sorted.windows(2).map(|pair| pair[1] - pair[0]).fold(around, f64::max)
    }

    #[tokio::test(start_paused = true)]
    async fn a_beat_that_came_late_is_followed_in_time() {
        let rhythm = HeartbeatSchedule::new(PERIOD);
        let due = rhythm.join();
        advance(PERIOD + Duration::from_secs(2)).await;
        assert_eq!(rhythm.after(due), due + PERIOD);
        advance(10 * PERIOD).await;
        assert_eq!(rhythm.after(due), due + 11 * PERIOD);
    }
}
