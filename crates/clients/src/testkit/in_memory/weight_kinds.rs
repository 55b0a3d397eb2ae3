use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, KindWeights, MAX_WEIGHT_KINDS, PortFailure, WeightKind, WeightKindId, lower_case};

use super::{InMemoryClients, State};
use crate::{
    AddWeightKindError, ChangeWeightKindError, RemoveWeightKindError, WeightKindChanges, WeightKindOverview,
    WeightKindStore,
};

#[derive(Clone, Debug)]
pub(super) struct StoredKind {
    owner: ClientId,
    kind: WeightKind,
    created_at: DateTime<Utc>,
}

impl State {
    /// Fails like a foreign key when one of these kinds is not of the client.
    pub(super) fn require_kinds(&self, owner: ClientId, kinds: &[WeightKindId]) -> Result<(), PortFailure> {
        if kinds.iter().all(|id| self.weight_kind_place(owner, *id).is_some()) {
            return Ok(());
        }
        Err(PortFailure::outdated("the store in memory", "a kind of weight is missing"))
    }

    fn weight_kind_place(&self, owner: ClientId, id: WeightKindId) -> Option<usize> {
        self.weight_kinds.iter().position(|stored| stored.owner == owner && stored.kind.id == id)
    }

    fn kinds_of(&self, owner: ClientId) -> Vec<&StoredKind> {
        let mut kinds: Vec<&StoredKind> = self.weight_kinds.iter().filter(|stored| stored.owner == owner).collect();
        kinds.sort_by_cached_key(|stored| (lower_case(&stored.kind.name), stored.kind.id));
        kinds
    }

    fn is_kind_name_taken(&self, owner: ClientId, kind: &WeightKind) -> bool {
        let name = lower_case(&kind.name);
        self.kinds_of(owner).iter().any(|other| other.kind.id != kind.id && lower_case(&other.kind.name) == name)
    }

    fn kind_overview(&self, stored: &StoredKind) -> WeightKindOverview {
        let values = self.end_users.iter().map(|(end_user, _)| end_user.weights.of(stored.kind.id).as_decimal());
        let total = values.sum::<rust_decimal::Decimal>().normalize();
        WeightKindOverview { kind: stored.kind.clone(), total, created_at: stored.created_at }
    }
}

#[async_trait]
impl WeightKindStore for InMemoryClients {
    async fn kinds(&self, owner: ClientId) -> Result<Vec<WeightKind>, PortFailure> {
        Ok(self.state().kinds_of(owner).into_iter().map(|stored| stored.kind.clone()).collect())
    }

    async fn list(&self, owner: ClientId) -> Result<Vec<WeightKindOverview>, PortFailure> {
        let state = self.state();
        Ok(state.kinds_of(owner).into_iter().map(|stored| state.kind_overview(stored)).collect())
    }

    async fn find(&self, owner: ClientId, id: WeightKindId) -> Result<Option<WeightKindOverview>, PortFailure> {
        let state = self.state();
        Ok(state.weight_kind_place(owner, id).map(|place| state.kind_overview(&state.weight_kinds[place])))
    }

    async fn add(
        &self,
        owner: ClientId,
        kind: WeightKind,
        created_at: DateTime<Utc>,
    ) -> Result<(), AddWeightKindError> {
        let mut state = self.state();
        if state.is_kind_name_taken(owner, &kind) {
            return Err(AddWeightKindError::NameTaken);
        }
        if state.kinds_of(owner).len() >= MAX_WEIGHT_KINDS {
            return Err(AddWeightKindError::TooMany);
        }
        state.weight_kinds.push(StoredKind { owner, kind, created_at });
        Ok(())
    }

    async fn change(
        &self,
        owner: ClientId,
        id: WeightKindId,
        changes: WeightKindChanges,
    ) -> Result<WeightKindOverview, ChangeWeightKindError> {
        let mut state = self.state();
        let place = state.weight_kind_place(owner, id).ok_or(ChangeWeightKindError::NotFound)?;
        let mut stored = state.weight_kinds[place].clone();
        changes.apply_to(&mut stored.kind)?;
        if state.is_kind_name_taken(owner, &stored.kind) {
            return Err(ChangeWeightKindError::NameTaken);
        }
        state.weight_kinds[place] = stored.clone();
        Ok(state.kind_overview(&stored))
    }

    /// Never `InUse`: this fake has no meetings.
    async fn remove(&self, owner: ClientId, id: WeightKindId) -> Result<(), RemoveWeightKindError> {
        let mut state = self.state();
        let place = state.weight_kind_place(owner, id).ok_or(RemoveWeightKindError::NotFound)?;
        state.weight_kinds.remove(place);
        for (end_user, _) in &mut state.end_users {
            let others = end_user.weights.iter().filter(|(kind, _)| *kind != id);
            end_user.weights = others.collect::<KindWeights>();
        }
        Ok(())
    }
}
