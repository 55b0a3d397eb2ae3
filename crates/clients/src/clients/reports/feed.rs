use std::sync::Arc;

use plenum_kernel::{ClientId, PortFailure};

use crate::{Activity, ActivitySource};

/// Tells what happened lately. It is read from what is stored, so that no log can contradict it; what is deleted is told
/// no more.
pub struct ActivityFeed {
    source: Arc<dyn ActivitySource>,
}

impl ActivityFeed {
    /// A feed from this source.
    pub fn new(source: Arc<dyn ActivitySource>) -> Self {
        Self { source }
    }

    /// What happened last in one client, the newest first, at most `limit`.
    ///
    /// # Errors
    /// Fails when the source does not answer.
    pub async fn of_client(&self, owner: ClientId, limit: u32) -> Result<Vec<Activity>, PortFailure> {
        self.source.of_client(owner, limit).await
    }

    /// What happened last anywhere, the newest first, at most `limit`.
    ///
    /// # Errors
    /// Fails when the source does not answer.
    pub async fn of_platform(&self, limit: u32) -> Result<Vec<Activity>, PortFailure> {
        self.source.of_platform(limit).await
    }
}
