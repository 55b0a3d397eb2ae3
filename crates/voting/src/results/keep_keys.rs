use std::sync::Arc;

use chrono::TimeDelta;
use plenum_kernel::{Clock, PortFailure, RoundId};

use crate::{ResultStep, ResultStepError, UnlockError, UrnKeys, UrnStore};

/// A share may belong to a round that is being opened at this moment, so a younger one is no orphan.
const OPENING_TAKES: TimeDelta = TimeDelta::minutes(10);

/// Destroys the keys of secret rounds once they are not needed any more.
pub struct UrnService {
    keys: Arc<dyn UrnKeys>,
    urns: Arc<dyn UrnStore>,
    clock: Arc<dyn Clock>,
}

impl UrnService {
    /// Creates the service on these ports.
    pub fn new(keys: Arc<dyn UrnKeys>, urns: Arc<dyn UrnStore>, clock: Arc<dyn Clock>) -> Self {
        Self { keys, urns, clock }
    }

    /// Gets the share of an ended round from another instance. If none has it, the round becomes void.
    ///
    /// # Errors
    /// Fails when the share could neither be got nor found lost.
    pub(crate) async fn fetch_or_void(&self, counting: ResultStep) -> Result<(), ResultStepError> {
        match self.keys.fetch(counting.round).await {
            Ok(()) => Ok(()),
            Err(UnlockError::ShareLost) => self.urns.mark_void(counting).await,
            Err(UnlockError::Port(failure)) => Err(failure.into()),
        }
    }

    /// Destroys the share of a counted round. If that fails, [`Self::sweep`] does it later: the count is stored.
    pub(crate) async fn destroy_soon(&self, round: RoundId) {
        // The key folder and the store log their failures.
        let _ = self.destroy(round).await;
    }

    /// Destroys the share of a counted round, and notes it.
    ///
    /// # Errors
    /// Fails when the key folder or the store does not respond. [`Self::sweep`] tries again.
    pub async fn destroy(&self, round: RoundId) -> Result<(), PortFailure> {
        self.keys.destroy(round).await?;
        self.urns.note_destroyed(round, self.clock.now()).await
    }

    /// Destroys all shares of this instance that no round needs: of counted and void rounds, for example after a crash between
    /// a count and the destruction, and of rounds that were never opened or are deleted. Returns their number.
    ///
    /// # Errors
    /// Fails when the key folder or the store does not respond. Other shares are still destroyed.
    pub async fn sweep(&self) -> Result<usize, PortFailure> {
        let held = self.keys.held().await?;
        if held.is_empty() {
            return Ok(0);
        }
        let now = self.clock.now();
        let needed = self.urns.needing_keys(held.iter().map(|share| share.round).collect()).await?;
        let orphans = held.into_iter().filter(|share| {
            !needed.contains(&share.round) && now.signed_duration_since(share.stored_at) >= OPENING_TAKES
        });
        let (mut destroyed, mut outcome) = (0, Ok(()));
        for share in orphans {
            match self.destroy(share.round).await {
                Ok(()) => destroyed += 1,
                Err(failure) => outcome = Err(failure),
            }
        }
        outcome.map(|()| destroyed)
    }
}
