use std::time::Duration;

/// The wait before the next retry. It doubles from 100 ms to 3 s.
#[derive(Debug)]
pub(super) struct Backoff(Duration);

impl Backoff {
    const FIRST: Duration = Duration::from_millis(100);
    const LONGEST: Duration = Duration::from_secs(3);

    pub(super) const fn new() -> Self {
        Self(Self::FIRST)
    }

    pub(super) fn next(&mut self) -> Duration {
        let wait = self.0;
        self.0 = (wait * 2).min(Self::LONGEST);
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_doubles_up_to_three_seconds() {
        let mut backoff = Backoff::new();
        let waits: Vec<u128> = (0..7).map(|_| backoff.next().as_millis()).collect();
        assert_eq!(waits, [100, 200, 400, 800, 1_600, 3_000, 3_000]);
    }
}
