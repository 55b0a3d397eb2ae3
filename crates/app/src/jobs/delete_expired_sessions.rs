use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use plenum_clients::SessionService;
use tokio::time::interval;

const HOUR: Duration = Duration::from_secs(60 * 60);

/// Removes sessions that are long over, at once and then every hour, until it is dropped. Instances may do it at the
/// same time.
pub(crate) async fn sweep_hourly(sessions: Arc<SessionService>) {
    let mut hours = interval(HOUR);
    loop {
        hours.tick().await;
        match sessions.sweep().await {
            Ok(0) => {}
            Ok(gone) => tracing::info!(gone, "removed what was left of sessions that are over"),
            // Nobody waits for it, and the next hour comes.
            Err(failure) => tracing::warn!(error = &failure as &dyn Error, "could not remove sessions that are over"),
        }
    }
}
