use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use plenum_voting::UrnKeyService;
use tokio::time::interval;

const PAUSE: Duration = Duration::from_secs(60);

/// Destroys keys of secret rounds that are not needed any more, at once and then every minute, until it is dropped: after a crash
/// between a count and the destruction, and of rounds that another instance has counted.
pub(crate) async fn sweep_urn_keys(urns: Arc<UrnKeyService>) {
    let mut turns = interval(PAUSE);
    loop {
        turns.tick().await;
        match urns.sweep().await {
            Ok(0) => {}
            Ok(destroyed) => tracing::info!(destroyed, "destroyed keys of secret votes that are not needed any more"),
            // The next turn retries.
            Err(failure) => {
                tracing::warn!(error = &failure as &dyn Error, "could not destroy keys of secret votes");
            }
        }
    }
}
