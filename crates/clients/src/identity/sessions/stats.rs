use std::sync::Arc;

use plenum_kernel::{Clock, PortFailure};

use crate::SessionStore;

/// How many sessions go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionStats {
    /// Those of accounts.
    pub accounts: u64,
    /// Those of end users.
    pub end_users: u64,
}

impl SessionStats {
    /// All of them.
    pub fn total(self) -> u64 {
        self.accounts + self.end_users
    }
}

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
