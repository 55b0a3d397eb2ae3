use async_trait::async_trait;
use plenum_kernel::{EmailAddress, Page, Person, PortFailure};

use super::{InMemoryClients, by_name, is_found, is_same_name, page_of};
use crate::{
    Account, AccountFilter, AccountOverview, AccountRole, AccountSort, AccountStore, AddAccountError, ClientKey,
    PersonProfile, StoredCredentials, Username,
};

#[async_trait]
impl AccountStore for InMemoryClients {
    async fn add(&self, account: Account) -> Result<(), AddAccountError> {
        let mut state = self.state();
        if state.has_address(&account.email) {
            return Err(AddAccountError::EmailTaken);
        }
        state.accounts.push(account);
        Ok(())
    }

    async fn add_first_super_admin(&self, account: Account) -> Result<bool, AddAccountError> {
        let mut state = self.state();
        if state.accounts.iter().any(|account| account.role == AccountRole::SuperAdmin) {
            return Ok(false);
        }
        if state.accounts.iter().any(|known| known.email == account.email) {
            return Err(AddAccountError::EmailTaken);
        }
        state.accounts.push(account);
        Ok(true)
    }

    async fn has_super_admin(&self) -> Result<bool, PortFailure> {
        Ok(self.state().accounts.iter().any(|account| account.role == AccountRole::SuperAdmin))
    }

    async fn account_credentials(&self, email: &EmailAddress) -> Result<Option<StoredCredentials>, PortFailure> {
        let state = self.state();
        Ok(state.accounts.iter().find(|account| account.email == *email).map(|account| StoredCredentials {
            person: account.person(),
            password_hash: account.password_hash.clone(),
            may_sign_in: state.may_act(account.person()),
        }))
    }

    async fn end_user_credentials(
        &self,
        client: &ClientKey,
        username: &Username,
    ) -> Result<Option<StoredCredentials>, PortFailure> {
        let state = self.state();
        let client = match client {
            ClientKey::Code(code) => state.code_owner(code),
            ClientKey::Id(id) => state.client(*id),
        };
        let found = client.and_then(|client| {
            state
                .end_users
                .iter()
                .find(|(end_user, _)| end_user.client_id == client.id && is_same_name(&end_user.username, username))
        });
        Ok(found.map(|(end_user, hash)| {
            let person = Person::EndUser { end_user: end_user.id, client: end_user.client_id };
            StoredCredentials { person, password_hash: hash.clone(), may_sign_in: state.may_act(person) }
        }))
    }

    async fn list(&self, filter: &AccountFilter) -> Result<Page<AccountOverview>, PortFailure> {
        let state = self.state();
        let mut accounts: Vec<(String, AccountOverview)> = state
            .accounts
            .iter()
            .map(|account| (format!("{} {}", account.first_name, account.last_name), state.account_overview(account)))
            .filter(|(name, account)| {
                let client = account.client.as_ref().map_or("", |client| client.name.as_str());
                is_found(filter.search.as_ref(), [name, account.email.as_str(), client])
            })
            .collect();
        accounts.sort_by(|(name, one), (other_name, other)| match filter.sort {
            AccountSort::Newest => (other.created_at, other.id).cmp(&(one.created_at, one.id)),
            AccountSort::NameAscending => by_name((name, one.id), (other_name, other.id)),
            AccountSort::NameDescending => by_name((other_name, other.id), (name, one.id)),
        });
        Ok(page_of(accounts.into_iter().map(|(_, account)| account).collect(), filter.page))
    }

    async fn profile(&self, person: Person) -> Result<Option<PersonProfile>, PortFailure> {
        let state = self.state();
        let client = person
            .client()
            .and_then(|id| state.client(id))
            .map(|client| (client.id, client.code.clone(), client.name.as_str().to_owned()));
        let profile = match person {
            Person::SuperAdmin { .. } | Person::ClientAdmin { .. } => {
                state.account(person).map(|account| PersonProfile {
                    person,
                    name: format!("{} {}", account.first_name, account.last_name),
                    email: Some(account.email.clone()),
                    username: None,
                    client,
                })
            }
            Person::EndUser { end_user, client: owner } => {
                state.end_user(owner, end_user).map(|end_user| PersonProfile {
                    person,
                    name: end_user.name.as_str().to_owned(),
                    email: end_user.email.clone(),
                    username: Some(end_user.username.clone()),
                    client,
                })
            }
        };
        Ok(profile)
    }
}
