use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use plenum_voting::RoundService;
use tokio::time::sleep;

/// How often it is asked whether a round is about to end. Every countdown takes longer, also one that another instance
/// was told of.
const LOOK: Duration = Duration::from_secs(1);

/// How soon it is tried again to end a round in whose meeting somebody makes a step at this moment.
const AGAIN: Duration = Duration::from_millis(100);

/// Ends rounds when their countdown is over, until it is dropped; at once those that became due while nobody was here.
/// Instances may do it at the same time.
pub async fn close_rounds_in_time(closing: Arc<RoundService>) {
    let mut is_failing = false;
    loop {
        let wait = match closing.close_due(TimeDelta::seconds(1)).await {
            Ok(wait) => {
                is_failing = false;
                wait.map_or(LOOK, pause)
            }
            Err(failure) => {
                // Once, not once a second while the database is away.
                if !is_failing {
                    tracing::warn!(error = &failure as &dyn Error, "could not end rounds whose countdown is over");
                }
                is_failing = true;
                LOOK
            }
        };
        sleep(wait).await;
    }
}

/// Exactly until the next one is due.
fn pause(wait: TimeDelta) -> Duration {
    match wait.to_std() {
        Ok(wait) if !wait.is_zero() => wait.min(LOOK),
        _ => AGAIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_slept_exactly_until_the_next_one_is_due_and_never_for_nothing() {
        for (wait, pause_ms) in [(300, 300), (1_000, 1_000), (0, 100), (-5, 100)] {
            assert_eq!(pause(TimeDelta::milliseconds(wait)), Duration::from_millis(pause_ms), "{wait}");
        }
    }
}
