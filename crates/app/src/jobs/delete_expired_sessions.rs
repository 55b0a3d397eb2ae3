use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use plenum_clients::SessionService;
use tokio::time::interval;

const HOUR: Duration = Duration::from_secs(60 * 60);

/// Deletes sessions that expired long ago, at once and then every hour, until it is dropped. Several instances may do so at
/// the same time.
pub(crate) async fn delete_expired_sessions(sessions: Arc<SessionService>) {
    let mut hours = interval(HOUR);
    loop {
        hours.tick().await;
        match sessions.sweep().await {
            Ok(0) => {}
            Ok(gone) => tracing::info!(gone, "deleted expired sessions"),
            // The next run retries.
            Err(failure) => tracing::warn!(error = &failure as &dyn Error, "could not delete expired sessions"),
        }
    }
}
