use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{Person, PortFailure};

use super::{InMemoryClients, State};
use crate::{NewReset, PasswordChange, PasswordHash, PasswordStore, ResetTokenHash, StoredCredentials};

#[async_trait]
impl PasswordStore for InMemoryClients {
    async fn of_person(&self, person: Person) -> Result<Option<StoredCredentials>, PortFailure> {
        let mut state = self.state();
        let may_sign_in = state.may_act(person);
        let hash = state.password_mut(person).cloned();
        Ok(hash.map(|password_hash| StoredCredentials { person, password_hash, may_sign_in }))
    }

    async fn change(&self, change: PasswordChange) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let Some(hash) = state.password_mut(change.person).filter(|hash| **hash == change.checked) else {
            return Ok(false);
        };
        *hash = change.new;
        state.end_sessions_but(Some(change.kept), change.person, change.at);
        Ok(true)
    }

    async fn store_reset(&self, reset: NewReset) -> Result<bool, PortFailure> {
        let mut state = self.state();
        state.resets.retain(|_, old| old.expires_at > reset.made_at);
        let token = reset.token.clone();
        let is_as_it_was = state
            .account(reset.person)
            .is_some_and(|account| account.email == reset.email && account.password_hash == reset.password_hash);
        if is_as_it_was {
            state.resets.insert(token, reset);
        }
        Ok(is_as_it_was)
    }

    async fn has_reset(&self, token: &ResetTokenHash, now: DateTime<Utc>) -> Result<bool, PortFailure> {
        Ok(owner_of_reset(&self.state(), token, now).is_some())
    }

    async fn reset(
        &self,
        token: &ResetTokenHash,
        new: PasswordHash,
        now: DateTime<Utc>,
    ) -> Result<Option<Person>, PortFailure> {
        let mut state = self.state();
        let Some(person) = owner_of_reset(&state, token, now) else { return Ok(None) };
        if let Some(hash) = state.password_mut(person) {
            *hash = new;
        }
        state.end_sessions(person, now);
        Ok(Some(person))
    }
}

/// The account whose password this token resets, if the token is valid.
fn owner_of_reset(state: &State, token: &ResetTokenHash, now: DateTime<Utc>) -> Option<Person> {
    let reset = state.resets.get(token).filter(|reset| reset.expires_at > now)?;
    let (person, email, checked) = (reset.person, reset.email.clone(), reset.password_hash.clone());
    let account = state.account(person).filter(|account| account.email == email && account.password_hash == checked)?;
    let person = account.person();
    state.may_act(person).then_some(person)
}
