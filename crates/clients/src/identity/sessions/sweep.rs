use std::sync::Arc;

use chrono::TimeDelta;
use plenum_kernel::{Clock, PortFailure};

use crate::SessionStore;

/// Removes sign-ins that are over, so that the store does not grow with every sign-in there ever was.
pub struct SessionSweeping {
    sessions: Arc<dyn SessionStore>,
    clock: Arc<dyn Clock>,
}

impl SessionSweeping {
    /// For how long a session that is over is kept: longer than anybody needs it, and long enough to be looked at.
    pub const KEPT_FOR: TimeDelta = TimeDelta::days(1);
    /// How much goes in one transaction, so that none is long.
    const BATCH: u32 = 1_000;

    /// Sweeps this store.
    pub fn new(sessions: Arc<dyn SessionStore>, clock: Arc<dyn Clock>) -> Self {
        Self { sessions, clock }
    }

    /// Removes everything that has been over for a day, and says how many rows went.
    ///
    /// # Errors
    /// Fails when the store does not answer; what went before stays gone.
    pub async fn sweep(&self) -> Result<u64, PortFailure> {
        let before = self.clock.now() - Self::KEPT_FOR;
        let mut total = 0;
        loop {
            let gone = self.sessions.sweep(before, Self::BATCH).await?;
            total += gone;
            if gone < u64::from(Self::BATCH) {
                return Ok(total);
            }
        }
    }
}
