use std::collections::HashSet;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use plenum_kernel::{EndUserId, MeetingId, PortFailure, RoundId};
use plenum_meetings::live::{LiveCheckIn, LiveFacts, LiveSource, Weights};
use plenum_voting::SealingKeys;
use rust_decimal::Decimal;

/// Live snapshots in which the key of a secret vote is confirmed. Without a confirmed key, a snapshot has none, so that no
/// ballot is sealed for the key of somebody else.
pub(super) struct ConfirmedLive {
    source: Arc<dyn LiveSource>,
    keys: Arc<SealingKeys>,
    /// The rounds whose key could not be confirmed the last time. Their meetings are loaded often, and the log gets one line.
    reported: Mutex<HashSet<RoundId>>,
}

impl ConfirmedLive {
    pub(super) fn new(source: Arc<dyn LiveSource>, keys: Arc<SealingKeys>) -> Self {
        Self { source, keys, reported: Mutex::default() }
    }

    async fn confirm(&self, facts: &mut LiveFacts) {
        let round = facts.question.as_mut().and_then(|question| question.round.as_mut());
        let Some(round) = round.filter(|round| round.is_open) else { return };
        let Some(key) = round.urn_key.take() else { return };
        let confirmed = self.keys.confirm(round.id, &key).await;
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        match confirmed {
            Ok(()) => {
                reported.remove(&round.id);
                round.urn_key = Some(key);
            }
            Err(failure) => {
                if reported.insert(round.id) {
                    tracing::error!(
                        round = %round.id,
                        error = &failure as &dyn Error,
                        "could not confirm the key of a secret vote, so voters cannot seal their ballots"
                    );
                }
            }
        }
    }
}

#[async_trait]
impl LiveSource for ConfirmedLive {
    async fn load(&self, meeting: MeetingId) -> Result<Option<LiveFacts>, PortFailure> {
        let mut loaded = self.source.load(meeting).await?;
        if let Some(facts) = &mut loaded {
            self.confirm(facts).await;
        }
        Ok(loaded)
    }

    async fn load_with_weights(&self, meeting: MeetingId) -> Result<Option<(LiveFacts, Weights)>, PortFailure> {
        let mut loaded = self.source.load_with_weights(meeting).await?;
        if let Some((facts, _)) = &mut loaded {
            self.confirm(facts).await;
        }
        Ok(loaded)
    }

    async fn votes_cast(&self, round: RoundId) -> Result<u64, PortFailure> {
        self.source.votes_cast(round).await
    }

    async fn weight_cast(&self, round: RoundId) -> Result<Decimal, PortFailure> {
        self.source.weight_cast(round).await
    }

    async fn checked_in(&self, meeting: MeetingId) -> Result<LiveCheckIn, PortFailure> {
        self.source.checked_in(meeting).await
    }

    async fn has_voted(&self, round: RoundId, voter: EndUserId) -> Result<bool, PortFailure> {
        self.source.has_voted(round, voter).await
    }

    async fn who_voted(&self, round: RoundId) -> Result<Vec<EndUserId>, PortFailure> {
        self.source.who_voted(round).await
    }
}
