use std::sync::Arc;

use plenum_kernel::{ClientId, Clock, NewIds, PortFailure, WeightKind, WeightKindId};
use rust_decimal::Decimal;

use crate::{
    AddWeightKindError, ChangeWeightKindError, NewWeightKind, RemoveWeightKindError, WeightKindChanges,
    WeightKindOverview, WeightKindStore,
};

/// Creates, changes and deletes the kinds of weight of a client.
pub struct WeightKindService {
    kinds: Arc<dyn WeightKindStore>,
    ids: Arc<dyn NewIds>,
    clock: Arc<dyn Clock>,
}

impl WeightKindService {
    /// A service on this store.
    pub fn new(kinds: Arc<dyn WeightKindStore>, ids: Arc<dyn NewIds>, clock: Arc<dyn Clock>) -> Self {
        Self { kinds, ids, clock }
    }

    /// The kinds of the client, by name, without their sums.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn kinds(&self, owner: ClientId) -> Result<Vec<WeightKind>, PortFailure> {
        self.kinds.kinds(owner).await
    }

    /// The kinds of the client, by name.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn list(&self, owner: ClientId) -> Result<Vec<WeightKindOverview>, PortFailure> {
        self.kinds.list(owner).await
    }

    /// One kind of the client.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn find(&self, owner: ClientId, id: WeightKindId) -> Result<Option<WeightKindOverview>, PortFailure> {
        self.kinds.find(owner, id).await
    }

    /// Creates a kind. Everybody's value is 0.
    ///
    /// # Errors
    /// Fails when the name is taken, regardless of case, or the client has too many kinds.
    pub async fn add(&self, owner: ClientId, new: NewWeightKind) -> Result<WeightKindOverview, AddWeightKindError> {
        let kind = WeightKind {
            id: WeightKindId::new(&*self.ids),
            name: new.name.to_string(),
            unit: new.unit.map(|unit| unit.to_string()),
            decimals: new.decimals,
        };
        let created_at = self.clock.now();
        self.kinds.add(owner, kind.clone(), created_at).await?;
        Ok(WeightKindOverview { kind, total: Decimal::ZERO, created_at })
    }

    /// Changes a kind. Rounds keep it as it was at their opening.
    ///
    /// # Errors
    /// Fails when the client has no such kind, the name is taken, or the decimals would get fewer.
    pub async fn change(
        &self,
        owner: ClientId,
        id: WeightKindId,
        changes: WeightKindChanges,
    ) -> Result<WeightKindOverview, ChangeWeightKindError> {
        self.kinds.change(owner, id, changes).await
    }

    /// Deletes a kind with everybody's values.
    ///
    /// # Errors
    /// Fails when the client has no such kind, or a meeting or a question counts by it.
    pub async fn remove(&self, owner: ClientId, id: WeightKindId) -> Result<(), RemoveWeightKindError> {
        self.kinds.remove(owner, id).await
    }
}
