use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, Person, PortFailure};

use super::{InMemoryClients, State};
use crate::identity::second_factor::factor::account_of;
use crate::{
    FactorConfirmation, NewFactor, RecoveryCodeHash, SealedSecret, SecondFactorProof, SecondFactorStore, StoredFactor,
    TotpStep,
};

#[derive(Debug)]
pub(super) struct Factor {
    pub(super) person: Person,
    secret: SealedSecret,
    last_step: Option<TotpStep>,
    unused_codes: Vec<RecoveryCodeHash>,
}

impl State {
    fn factor_that_is_on(&mut self, account: AccountId) -> Option<&mut Factor> {
        self.factors.get_mut(&account).filter(|factor| factor.last_step.is_some())
    }

    /// Uses the proof up, and returns whether it was valid.
    pub(super) fn spend(&mut self, account: AccountId, proof: &SecondFactorProof) -> bool {
        match (self.factor_that_is_on(account), proof) {
            (factor, SecondFactorProof::NotAsked) => factor.is_none(),
            (None, SecondFactorProof::Step(_) | SecondFactorProof::Recovery(_)) => false,
            (Some(factor), SecondFactorProof::Step(step)) => {
                let is_good = factor.last_step.is_some_and(|last| *step > last);
                if is_good {
                    factor.last_step = Some(*step);
                }
                is_good
            }
            (Some(factor), SecondFactorProof::Recovery(hash)) => {
                let before = factor.unused_codes.len();
                factor.unused_codes.retain(|unused| unused != hash);
                factor.unused_codes.len() < before
            }
        }
    }

    /// As [`Self::spend`], if a second factor is on.
    fn spend_own(&mut self, person: Person, proof: &SecondFactorProof) -> Option<AccountId> {
        let account = account_of(person)?;
        self.factor_that_is_on(account)?;
        self.spend(account, proof).then_some(account)
    }
}

#[async_trait]
impl SecondFactorStore for InMemoryClients {
    async fn find(&self, account: AccountId) -> Result<Option<StoredFactor>, PortFailure> {
        Ok(self.state().factors.get(&account).map(|factor| StoredFactor {
            secret: factor.secret.clone(),
            last_step: factor.last_step,
            unused_codes: factor.unused_codes.clone(),
        }))
    }

    async fn owner(&self, account: AccountId) -> Result<Option<Person>, PortFailure> {
        let state = self.state();
        let found = state.accounts.iter().find(|found| found.id == account);
        Ok(found.map(crate::Account::person))
    }

    async fn begin(&self, new: NewFactor) -> Result<bool, PortFailure> {
        let NewFactor { person, checked, secret, at: _ } = new;
        let mut state = self.state();
        let known = state.account(person).filter(|account| account.password_hash == checked);
        let Some(account) = known.map(|account| account.id) else { return Ok(false) };
        if state.factor_that_is_on(account).is_some() {
            return Ok(false);
        }
        state.factors.insert(account, Factor { person, secret, last_step: None, unused_codes: Vec::new() });
        Ok(true)
    }

    async fn confirm(&self, confirmation: FactorConfirmation) -> Result<bool, PortFailure> {
        let FactorConfirmation { person, secret, step, codes, kept, at } = confirmation;
        let mut state = self.state();
        let begun = account_of(person).and_then(|account| state.factors.get_mut(&account));
        let begun = begun.filter(|factor| factor.secret == secret && factor.last_step.is_none());
        let Some(factor) = begun else { return Ok(false) };
        factor.last_step = Some(step);
        factor.unused_codes = codes;
        state.end_sessions_but(Some(kept), person, at);
        Ok(true)
    }

    async fn renew_codes(
        &self,
        person: Person,
        proof: SecondFactorProof,
        codes: Vec<RecoveryCodeHash>,
        _now: DateTime<Utc>,
    ) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let Some(account) = state.spend_own(person, &proof) else { return Ok(false) };
        if let Some(factor) = state.factor_that_is_on(account) {
            factor.unused_codes = codes;
        }
        Ok(true)
    }

    async fn remove(&self, person: Person, proof: SecondFactorProof, _now: DateTime<Utc>) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let Some(account) = state.spend_own(person, &proof) else { return Ok(false) };
        state.factors.remove(&account);
        Ok(true)
    }

    async fn remove_without_proof(
        &self,
        account: AccountId,
        now: DateTime<Utc>,
    ) -> Result<Option<Person>, PortFailure> {
        let mut state = self.state();
        let Some(person) = state.factor_that_is_on(account).map(|factor| factor.person) else { return Ok(None) };
        state.factors.remove(&account);
        state.end_sessions(person, now);
        Ok(Some(person))
    }
}
