use std::sync::Arc;

use plenum_kernel::{Clock, PortFailure};

use crate::{SessionStats, SessionStore};

/// Counts who is signed in.
pub struct SessionCounting {
    sessions: Arc<dyn SessionStore>,
    clock: Arc<dyn Clock>,
}

impl SessionCounting {
    /// Counts in this store.
    pub fn new(sessions: Arc<dyn SessionStore>, clock: Arc<dyn Clock>) -> Self {
        Self { sessions, clock }
    }

    /// How many sessions go on at this moment.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn stats(&self) -> Result<SessionStats, PortFailure> {
        self.sessions.stats(self.clock.now()).await
    }
}
