use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(10);

/// Repeats `check` until it returns a value, or until `patience` has passed.
#[expect(clippy::disallowed_methods, reason = "this is the polling with a deadline that the ban asks for")]
pub(crate) fn poll_until<T>(patience: Duration, mut check: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + patience;
    loop {
        if let Some(answer) = check() {
            return Some(answer);
        }
        if Instant::now() >= deadline {
            return None;
        }
        std::thread::sleep(INTERVAL);
    }
}

/// Waits until `holds` returns true. Returns whether that happened within `patience`.
pub(crate) fn holds_within(patience: Duration, mut holds: impl FnMut() -> bool) -> bool {
    poll_until(patience, || holds().then_some(())).is_some()
}
