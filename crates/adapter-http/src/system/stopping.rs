use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bytes::Bytes;
use serde_json::json;

/// Whether the process is about to stop, and what is said then to those who watch.
#[derive(Debug, Default)]
pub struct Stopping {
    has_begun: AtomicBool,
    told: AtomicU64,
}

/// A server that is started again has listened for a moment when the first ones come back …
const FIRST_MS: u64 = 500;
/// … and a hall comes over this time, not in one moment.
const SPREAD_MS: u64 = 2_500;
/// One after the other, this many milliseconds further round. It shares no divisor with the spread, so each millisecond is hit
/// once before one is hit twice.
const STRIDE_MS: u64 = 1_549;

impl Stopping {
    /// From now on the instance is not ready, so that load balancers send people to others, and streams end with a word.
    pub fn begin(&self) {
        self.has_begun.store(true, Ordering::Release);
    }

    /// Whether it has begun.
    pub fn has_begun(&self) -> bool {
        self.has_begun.load(Ordering::Acquire)
    }

    /// What is said to a screen whose stream ends, and when it comes back: each at another time. `None` where the stream ends
    /// for another reason.
    pub(crate) fn last_word(&self) -> Option<Bytes> {
        self.has_begun().then(|| {
            let place = self.told.fetch_add(1, Ordering::Relaxed);
            let after = FIRST_MS + place.wrapping_mul(STRIDE_MS) % SPREAD_MS;
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

    fn told_ms(stopping: &Stopping) -> u64 {
        let frame = String::from_utf8(stopping.last_word().unwrap().to_vec()).unwrap();
        let event: Value = serde_json::from_str(frame.trim().strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(event["type"], "server_stopping");
        event["data"]["retryAfterMs"].as_u64().unwrap()
    }

    #[test]
    fn a_hall_comes_back_spread_over_some_seconds() {
        let stopping = Stopping::default();
        stopping.begin();
        let times: Vec<u64> = (0..1_000).map(|_| told_ms(&stopping)).collect();
        assert!(times.iter().all(|after| (500..3_000).contains(after)));
        assert_eq!(times.iter().collect::<BTreeSet<_>>().len(), times.len(), "two come at once");
        for half_second in 1..6 {
            let within = times.iter().filter(|after| *after / 500 == half_second).count();
            assert!((150..250).contains(&within), "{within} of 1,000 come in half second {half_second}");
        }
    }

    #[test]
    fn a_stream_that_ends_for_another_reason_is_told_nothing() {
        assert!(Stopping::default().last_word().is_none());
    }
}
