use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, MAX_WEIGHT_KINDS, PortFailure, WeightKind, WeightKindId};

use crate::{PlaceOfUse, WeightKindChanges, WeightKindOverview};

/// The reason why a kind of weight was not created.
#[derive(Debug, thiserror::Error)]
pub enum AddWeightKindError {
    /// Another kind of the client has this name.
    #[error("another kind of weight has this name")]
    NameTaken,
    /// The client has the highest number of kinds.
    #[error("there are {MAX_WEIGHT_KINDS} kinds of weight already; delete one first")]
    TooMany,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why a kind of weight was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeWeightKindError {
    /// The client has no such kind.
    #[error("the kind of weight does not exist")]
    NotFound,
    /// Another kind of the client has this name.
    #[error("another kind of weight has this name")]
    NameTaken,
    /// Stored values would have to be rounded.
    #[error("the number of decimals cannot be reduced")]
    FewerDecimals,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why a kind of weight was not deleted.
#[derive(Debug, thiserror::Error)]
pub enum RemoveWeightKindError {
    /// The client has no such kind.
    #[error("the kind of weight does not exist")]
    NotFound,
    /// Meetings or questions count by it.
    #[error("this kind of weight is used by {}; change that first", PlaceOfUse::in_words(.places, *.more))]
    InUse {
        /// A few of the places.
        places: Vec<PlaceOfUse>,
        /// The number of further ones.
        more: u64,
    },
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Stores kinds of weight. Each call is one transaction and sees one client's rows only. The values are columns of end users,
/// which [`EndUserStore`](crate::EndUserStore) stores.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait WeightKindStore: Send + Sync {
    /// The kinds of the client, by name.
    async fn kinds(&self, owner: ClientId) -> Result<Vec<WeightKind>, PortFailure>;

    /// The kinds of the client, by name, with their sums. Reads all end users of the client.
    async fn list(&self, owner: ClientId) -> Result<Vec<WeightKindOverview>, PortFailure>;

    /// One kind of the client. MUST return `None` for a kind of another client.
    async fn find(&self, owner: ClientId, id: WeightKindId) -> Result<Option<WeightKindOverview>, PortFailure>;

    /// Stores a kind without values.
    ///
    /// # Errors
    /// MUST return `NameTaken` also when a concurrent call took the name, in any case of letters, and `TooMany` when the client
    /// has [`MAX_WEIGHT_KINDS`], also after concurrent calls.
    async fn add(&self, owner: ClientId, kind: WeightKind, created_at: DateTime<Utc>)
    -> Result<(), AddWeightKindError>;

    /// Locks a kind, and changes it.
    ///
    /// # Errors
    /// `NotFound` also for a kind of another client, `NameTaken` as in [`Self::add`], and `FewerDecimals`.
    async fn change(
        &self,
        owner: ClientId,
        id: WeightKindId,
        changes: WeightKindChanges,
    ) -> Result<WeightKindOverview, ChangeWeightKindError>;

    /// Removes a kind with the values of all end users.
    ///
    /// # Errors
    /// `NotFound` also for a kind of another client. A store with meetings MUST return `InUse` while a meeting or a question
    /// counts by the kind, also when that is being stored at this moment.
    async fn remove(&self, owner: ClientId, id: WeightKindId) -> Result<(), RemoveWeightKindError>;
}
