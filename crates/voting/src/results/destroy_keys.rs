use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{Clock, PortFailure, RoundId};

use crate::{ResultStep, ResultStepError, UnlockError, UrnKeys, UrnStore};

/// A share may belong to a round that is being opened at this moment, so a younger one is no orphan.
const MIN_ORPHAN_AGE: TimeDelta = TimeDelta::minutes(10);

/// An absence of a share that is noticed again within this many times the patience is the same one: half an hour.
const SAME_ABSENCE: i32 = 15;

/// Destroys the keys of secret rounds once they are not needed any more.
pub struct UrnKeyService {
    keys: Arc<dyn UrnKeys>,
    urns: Arc<dyn UrnStore>,
    clock: Arc<dyn Clock>,
    patience: TimeDelta,
    /// Rounds whose share was not found, and since when.
    missing: Mutex<HashMap<RoundId, DateTime<Utc>>>,
}

impl UrnKeyService {
    /// The time for which a share may be missing before it is lost: longer than an instance takes to restart, or somebody to
    /// mount a disk.
    pub const PATIENCE: TimeDelta = TimeDelta::minutes(2);

    /// Creates the service on these ports.
    pub fn new(keys: Arc<dyn UrnKeys>, urns: Arc<dyn UrnStore>, clock: Arc<dyn Clock>) -> Self {
        Self { keys, urns, clock, patience: Self::PATIENCE, missing: Mutex::default() }
    }

    /// With another time for which a share may be missing before it is lost.
    #[must_use]
    pub fn with_patience(self, patience: TimeDelta) -> Self {
        Self { patience, ..self }
    }

    /// Gets the share of an ended round from another instance. The round becomes void, for ever, if no instance has the share,
    /// and none had it two minutes to half an hour before: its instance may be restarting, or its disk not be mounted.
    ///
    /// # Errors
    /// `KeyAway` when the share was not missing for so long. Fails also when it could neither be got nor found missing.
    pub(crate) async fn fetch_or_void(&self, counting: ResultStep) -> Result<(), ResultStepError> {
        match self.keys.fetch(counting.round).await {
            Ok(()) => {
                self.missing.lock().unwrap_or_else(PoisonError::into_inner).remove(&counting.round);
                Ok(())
            }
            Err(UnlockError::ShareLost) if self.is_lost(counting.round) => self.urns.mark_void(counting).await,
            Err(UnlockError::ShareLost) => Err(ResultStepError::KeyAway),
            Err(UnlockError::Port(failure)) => Err(failure.into()),
        }
    }

    /// Whether a share that is missing now was missing long before. An absence that was noticed very long ago may have ended
    /// since, and this one be a new one.
    fn is_lost(&self, round: RoundId) -> bool {
        let now = self.clock.now();
        let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        let since = missing.entry(round).or_insert(now);
        if now.signed_duration_since(*since) >= self.patience * SAME_ABSENCE {
            *since = now;
        }
        now.signed_duration_since(*since) >= self.patience
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

    /// Destroys all shares that no round needs: of counted rounds whose destruction is not noted, for example after a crash
    /// between the two, and those of this instance of void rounds, and of rounds that were never opened or are deleted. Returns
    /// the number of rounds.
    ///
    /// # Errors
    /// Fails when the key folder or the store does not respond. Other shares are still destroyed.
    pub async fn sweep(&self) -> Result<usize, PortFailure> {
        let mut unneeded: BTreeSet<RoundId> = self.urns.with_undestroyed_keys().await?.into_iter().collect();
        unneeded.extend(self.orphans().await?);
        let (mut destroyed, mut outcome) = (0, Ok(()));
        for round in unneeded {
            match self.destroy(round).await {
                Ok(()) => destroyed += 1,
                Err(failure) => outcome = Err(failure),
            }
        }
        outcome.map(|()| destroyed)
    }

    /// The rounds whose shares this instance holds although no round needs them.
    async fn orphans(&self) -> Result<Vec<RoundId>, PortFailure> {
        let held = self.keys.held().await?;
        if held.is_empty() {
            return Ok(Vec::new());
        }
        let now = self.clock.now();
        let needed = self.urns.needing_keys(held.iter().map(|share| share.round).collect()).await?;
        let old = held.into_iter().filter(|share| now.signed_duration_since(share.stored_at) >= MIN_ORPHAN_AGE);
        Ok(old.map(|share| share.round).filter(|round| !needed.contains(round)).collect())
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::{CountingIds, StillClock};
    use plenum_kernel::{AccountId, ClientId, MeetingId};

    use super::*;
    use crate::results::urn_store::MockUrnStore;
    use crate::urns::ports::MockUrnKeys;

    #[tokio::test]
    async fn a_share_is_lost_if_it_is_missing_again_minutes_later_and_not_if_hours_later() {
        let ids = CountingIds::new();
        let (clock, mut keys, mut urns) = (Arc::new(StillClock::new()), MockUrnKeys::new(), MockUrnStore::new());
        keys.expect_fetch().returning(|_| Err(UnlockError::ShareLost));
        urns.expect_mark_void().times(1).returning(|_| Ok(()));
        let service = UrnKeyService::new(Arc::new(keys), Arc::new(urns), Arc::<StillClock>::clone(&clock));
        let counting = ResultStep {
            owner: ClientId::new(&ids),
            meeting: MeetingId::new(&ids),
            round: RoundId::new(&ids),
            by: AccountId::new(&ids),
            now: clock.now(),
            seen: None,
            accepts_risk: false,
        };
        for (minutes, is_void) in [(0, false), (1, false), (60, false), (3, true)] {
            clock.advance(TimeDelta::minutes(minutes));
            let outcome = service.fetch_or_void(counting).await;
            assert_eq!(outcome.is_ok(), is_void, "after {minutes} minutes: {outcome:?}");
        }
    }

    #[tokio::test]
    async fn a_destruction_that_was_not_noted_is_noted_although_the_share_is_gone() {
        let round = RoundId::new(&CountingIds::new());
        let (mut keys, mut urns) = (MockUrnKeys::new(), MockUrnStore::new());
        urns.expect_with_undestroyed_keys().returning(move || Ok(vec![round]));
        keys.expect_held().returning(|| Ok(Vec::new()));
        keys.expect_destroy().times(1).returning(|_| Ok(()));
        urns.expect_note_destroyed().times(1).returning(|_, _| Ok(()));
        let service = UrnKeyService::new(Arc::new(keys), Arc::new(urns), Arc::new(StillClock::default()));
        assert_eq!(service.sweep().await.expect("all respond"), 1);
    }
}
