use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use plenum_kernel::{PortFailure, RoundId};

use crate::{Envelope, OpenedBallot, Sealing, UnlockError, UrnKeys, UrnStore};

/// The name of the key in failures.
const KEY: &str = "the key of a secret vote";

/// The reason why no ballot can be sealed for a secret round.
#[derive(Debug, thiserror::Error)]
pub enum SealingError {
    /// The public key in the database does not follow from the shares, or a share is missing.
    #[error("the key of this secret vote cannot be confirmed")]
    Unconfirmed(#[source] PortFailure),
    /// The store or the key folder did not respond, or the ballot cannot be sealed.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

fn unconfirmed(cause: &'static str) -> SealingError {
    SealingError::Unconfirmed(PortFailure::damaged(KEY, cause))
}

/// Confirms the keys of secret rounds before ballots are sealed for them.
///
/// A public key in the database proves nothing: whoever changes it there could read and change every ballot that is sealed for
/// it. So a key is used only if it follows from both shares, of which one is outside of the database.
pub struct SealingKeys {
    keys: Arc<dyn UrnKeys>,
    urns: Arc<dyn UrnStore>,
    /// Both shares of a round stay the same until its urn is opened.
    confirmed: Mutex<HashMap<RoundId, Vec<u8>>>,
}

impl SealingKeys {
    /// The maximum number of remembered keys.
    const REMEMBERED: usize = 1_000;

    /// Creates it on these ports.
    pub fn new(keys: Arc<dyn UrnKeys>, urns: Arc<dyn UrnStore>) -> Self {
        Self { keys, urns, confirmed: Mutex::default() }
    }

    /// Confirms that this is the public key of the urn of a round that is not counted.
    ///
    /// # Errors
    /// `Unconfirmed` when the key does not follow from the shares, or a share is missing.
    pub async fn confirm(&self, round: RoundId, public_key: &[u8]) -> Result<(), SealingError> {
        if self.confirmed().get(&round).is_some_and(|known| known == public_key) {
            return Ok(());
        }
        let share = self.urns.database_share(round).await?;
        let share = share.ok_or_else(|| unconfirmed("its share in the database is missing"))?;
        let derived = self.keys.public_key(round, &share).await.map_err(|error| match error {
            UnlockError::ShareLost => SealingError::Unconfirmed(PortFailure::new(KEY, error)),
            UnlockError::Port(failure) => failure.into(),
        })?;
        if derived != public_key {
            return Err(unconfirmed("the public key in the database does not follow from its shares"));
        }
        let mut confirmed = self.confirmed();
        if confirmed.len() >= Self::REMEMBERED {
            confirmed.clear();
        }
        confirmed.insert(round, derived);
        Ok(())
    }

    /// Seals a ballot for a device that cannot, padded to `size` bytes, if the key is confirmed.
    ///
    /// # Errors
    /// Fails as [`Self::confirm`] and [`UrnKeys::seal`] do.
    pub(crate) async fn seal(
        &self,
        ballot: &OpenedBallot,
        size: usize,
        sealing: Sealing,
    ) -> Result<Envelope, SealingError> {
        self.confirm(sealing.round, &sealing.public_key).await?;
        Ok(self.keys.seal(ballot, size, sealing)?)
    }

    fn confirmed(&self) -> MutexGuard<'_, HashMap<RoundId, Vec<u8>>> {
        self.confirmed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
