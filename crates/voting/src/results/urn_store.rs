use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{PortFailure, RoundId};

use crate::{KeyShare, ResultStep, ResultStepError};

/// Stores what is known of urns besides their counts. Each call is one transaction.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait UrnStore: Send + Sync {
    /// Those of these rounds, of any client, that still need their key: not counted, and not void.
    async fn needing_keys(&self, rounds: Vec<RoundId>) -> Result<Vec<RoundId>, PortFailure>;

    /// Counted rounds, of any client, whose share outside of the database is not noted as destroyed; at most 1,000.
    async fn with_undestroyed_keys(&self) -> Result<Vec<RoundId>, PortFailure>;

    /// The share of a round, of any client, that the database stores. `None` if its urn was opened, or it has none.
    async fn database_share(&self, round: RoundId) -> Result<Option<KeyShare>, PortFailure>;

    /// Notes that the share of a counted round that is outside of the database was destroyed. The first time stays. Does
    /// nothing for a round without an urn.
    async fn note_destroyed(&self, round: RoundId, at: DateTime<Utc>) -> Result<(), PortFailure>;

    /// Locks the meeting and declares an ended secret round void that is not counted, because its key is lost, with the name
    /// of the actor in its log. This is a step, which puts the question on the screen of a running meeting if nothing is there.
    /// Does nothing if it is void already, or counted.
    ///
    /// # Errors
    /// `MeetingNotFound` and `RoundNotFound` also for those of another client or meeting.
    async fn mark_void(&self, step: ResultStep) -> Result<(), ResultStepError>;
}
