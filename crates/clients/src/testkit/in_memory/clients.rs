use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, Page, PortFailure};

use super::{InMemoryClients, page_of};
use crate::{
    Account, AccountRole, AddClientError, ChangeClientError, Client, ClientChanges, ClientCode, ClientFilter,
    ClientOverview, ClientStats, ClientStatus, ClientStore, CodeOwner, PasswordHash,
};

#[async_trait]
impl ClientStore for InMemoryClients {
    async fn add(&self, client: Client, admin: Account) -> Result<(), AddClientError> {
        let mut state = self.state();
        if state.code_owner(&client.code).is_some() {
            return Err(AddClientError::CodeTaken);
        }
        if state.has_address(&admin.email) {
            return Err(AddClientError::EmailTaken);
        }
        state.codes.push((client.code.clone(), client.id));
        state.clients.push(client);
        state.accounts.push(admin);
        Ok(())
    }

    async fn find(&self, id: ClientId) -> Result<Option<ClientOverview>, PortFailure> {
        let state = self.state();
        Ok(state.client(id).map(|client| state.overview(client)))
    }

    async fn find_by_code(&self, code: &ClientCode) -> Result<Option<Client>, PortFailure> {
        Ok(self.state().code_owner(code).cloned())
    }

    async fn code_owners(&self, codes: &[ClientCode]) -> Result<Vec<CodeOwner>, PortFailure> {
        let state = self.state();
        let owner = |code: &ClientCode| {
            let client = state.code_owner(code)?;
            Some(CodeOwner { code: code.clone(), client: client.id, is_current: client.code == *code })
        };
        Ok(codes.iter().filter_map(owner).collect())
    }

    async fn list(&self, filter: &ClientFilter) -> Result<Page<ClientOverview>, PortFailure> {
        let state = self.state();
        let clients = state.matching_clients(filter);
        Ok(page_of(clients.into_iter().map(|client| state.overview(client)).collect(), filter.page))
    }

    async fn stats(&self) -> Result<ClientStats, PortFailure> {
        let state = self.state();
        let counted: Vec<&Client> = state.clients.iter().filter(|client| !client.is_test()).collect();
        let total = counted.len() as u64;
        let active = counted.iter().filter(|client| client.status == ClientStatus::Active).count() as u64;
        Ok(ClientStats { total, active, inactive: total - active })
    }

    async fn update(
        &self,
        id: ClientId,
        changes: ClientChanges,
        password: Option<PasswordHash>,
        now: DateTime<Utc>,
    ) -> Result<(), ChangeClientError> {
        let mut state = self.state();
        if let Some(before) = state.client(id) {
            let mut changed = before.clone();
            changes.apply_to(&mut changed);
            before.check_test_mark(&changed, state.was_opened(id))?;
        }
        let owner = changes.code.as_ref().and_then(|code| state.code_owner(code)).map(|owner| owner.id);
        if owner.is_some_and(|owner| owner != id) {
            // An unknown client takes no code.
            return Err(state.client(id).map_or(ChangeClientError::NotFound, |_| ChangeClientError::CodeTaken));
        }
        let new_code = changes.code.clone().filter(|_| owner.is_none() && state.client(id).is_some());
        state.codes.extend(new_code.map(|code| (code, id)));
        let client = state.clients.iter_mut().find(|client| client.id == id).ok_or(ChangeClientError::NotFound)?;
        changes.apply_to(client);
        let admins = state.accounts.iter_mut().filter(|account| account.role == AccountRole::ClientAdmin(id));
        let Some(contact) = admins.min_by_key(|account| (account.created_at, account.id)) else { return Ok(()) };
        changes.apply_to_contact(contact);
        if let Some(password) = password {
            contact.password_hash = password;
            let contact = contact.person();
            state.end_sessions(contact, now);
        }
        Ok(())
    }

    async fn remove(&self, id: ClientId, _now: DateTime<Utc>) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let was_there = state.client(id).is_some();
        state.clients.retain(|client| client.id != id);
        state.codes.retain(|(_, owner)| *owner != id);
        state.accounts.retain(|account| account.role != AccountRole::ClientAdmin(id));
        state.end_users.retain(|(end_user, _)| end_user.client_id != id);
        state.meetings.retain(|meeting| meeting.client != id);
        state.remove_sessions(|_, session| session.person.client() == Some(id));
        state.accents.remove(&id);
        state.logos.remove(&id);
        state.factors.retain(|_, factor| factor.person.client() != Some(id));
        Ok(was_there)
    }
}
