use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bytes::Bytes;
use serde_json::json;

/// Whether the process is stopping, and the last event of its streams.
#[derive(Debug, Default)]
pub struct Stopping {
    has_begun: AtomicBool,
    sent: AtomicU64,
}

/// The first screens return after this time, when a restarted server listens again.
const FIRST_MS: u64 = 500;
/// The screens of an assembly return over this time, not all at once.
const SPREAD_MS: u64 = 2_500;
/// The distance between two screens, in milliseconds. It has no common divisor with the spread, so each millisecond is
/// used once before any is used twice.
const STRIDE_MS: u64 = 1_549;

impl Stopping {
    /// Begins the stop. The instance is no longer ready, so that load balancers choose others, and its streams end with
    /// an event.
    pub fn begin(&self) {
        self.has_begun.store(true, Ordering::Release);
    }

    /// Whether the stop has begun.
    pub fn has_begun(&self) -> bool {
        self.has_begun.load(Ordering::Acquire)
    }

    /// The last event of a stream, with the time of the screen's return, different for each screen. `None` if the
    /// process is not stopping.
    pub(crate) fn last_event(&self) -> Option<Bytes> {
        self.has_begun().then(|| {
            let number = self.sent.fetch_add(1, Ordering::Relaxed);
            let after = FIRST_MS + number.wrapping_mul(STRIDE_MS) % SPREAD_MS;
            let data = json!({ "type": "server_stopping", "data": { "retryAfterMs": after } });
            Bytes::from(format!("data: {data}\n\n"))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    fn retry_after_ms(stopping: &Stopping) -> u64 {
        let frame = String::from_utf8(stopping.last_event().unwrap().to_vec()).unwrap();
        let event: Value = serde_json::from_str(frame.trim().strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(event["type"], "server_stopping");
        event["data"]["retryAfterMs"].as_u64().unwrap()
    }

    #[test]
    fn screens_return_spread_over_some_seconds() {
        let stopping = Stopping::default();
        stopping.begin();
        let times: Vec<u64> = (0..1_000).map(|_| retry_after_ms(&stopping)).collect();
        assert!(times.iter().all(|after| (500..3_000).contains(after)));
        assert_eq!(times.iter().collect::<BTreeSet<_>>().len(), times.len(), "two return at once");
        for half_second in 1..6 {
            let within = times.iter().filter(|after| *after / 500 == half_second).count();
            assert!((150..250).contains(&within), "{within} of 1,000 return in half second {half_second}");
        }
    }

    #[test]
    fn a_stream_that_ends_for_another_reason_gets_no_last_event() {
        assert!(Stopping::default().last_event().is_none());
    }
}
