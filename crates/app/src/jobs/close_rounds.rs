use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use plenum_voting::RoundService;
use tokio::time::sleep;

/// The time between two checks for rounds that are about to end. Every countdown is longer, including those that another
/// instance has started.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The time until a retry, when another step of the same meeting is in progress.
const RETRY_AFTER: Duration = Duration::from_millis(100);

/// Ends rounds when their countdown is over, until it is dropped. First ends the rounds that became due while no instance
/// ran. Several instances may do so at the same time.
pub async fn close_rounds_in_time(rounds: Arc<RoundService>) {
    let mut is_failing = false;
    loop {
        let wait = match rounds.close_due(TimeDelta::seconds(1)).await {
            Ok(wait) => {
                is_failing = false;
                wait.map_or(POLL_INTERVAL, pause)
            }
            Err(failure) => {
                // Logged once for each outage of the database, not once a second.
                if !is_failing {
                    tracing::warn!(error = &failure as &dyn Error, "could not end rounds whose countdown is over");
                }
                is_failing = true;
                POLL_INTERVAL
            }
        };
        sleep(wait).await;
    }
}

/// The time until the next round is due, within limits.
fn pause(wait: TimeDelta) -> Duration {
    match wait.to_std() {
        Ok(wait) if !wait.is_zero() => wait.min(POLL_INTERVAL),
        _ => RETRY_AFTER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_lasts_until_the_next_round_is_due_and_is_never_zero() {
        for (wait, pause_ms) in [(300, 300), (1_000, 1_000), (0, 100), (-5, 100)] {
            assert_eq!(pause(TimeDelta::milliseconds(wait)), Duration::from_millis(pause_ms), "{wait}");
        }
    }
}
