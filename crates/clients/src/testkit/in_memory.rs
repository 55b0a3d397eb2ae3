mod activity;
mod factors;
mod foreign_fixture;
mod reports;

use std::cmp::{Ordering, Reverse};
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{
    AccountId, ClientId, EmailAddress, EndUserId, Page, PageRequest, Person, PortFailure, SearchText, SessionId,
};

use super::contract::{SeedMeeting, SeedQuestion, SeedRound};
use crate::{
    Account, AccountFilter, AccountOverview, AccountRole, AccountSort, AccountStore, AddAccountError, AddClientError,
    AddEndUserError, ChangeClientError, ChangeEndUserError, Client, ClientChanges, ClientCode, ClientFilter, ClientKey,
    ClientOverview, ClientReference, ClientSort, ClientStats, ClientStatus, ClientStore, ContactAdmin, DeviceMark,
    EndUser, EndUserChanges, EndUserFilter, EndUserSort, EndUserStats, EndUserStore, ImportError, ImportedChange,
    NewReset, NewSession, OwnSession, PasswordChange, PasswordHash, PasswordStore, PersonProfile, PresentedToken,
    RefreshTokenHash, Renewal, ResetTokenHash, Rotation, SessionOrigin, SessionStats, SessionStore, Spending, Standing,
    StoredCredentials, Successor, Username,
};

/// All stores of this domain in memory, over one state: who was added by one store can sign in by another.
#[derive(Debug, Default)]
pub struct InMemoryClients(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    clients: Vec<Client>,
    accounts: Vec<Account>,
    account_sign_ins: HashMap<AccountId, DateTime<Utc>>,
    end_users: Vec<(EndUser, PasswordHash)>,
    sessions: HashMap<SessionId, Session>,
    tokens: HashMap<RefreshTokenHash, Token>,
    resets: HashMap<ResetTokenHash, NewReset>,
    factors: HashMap<AccountId, factors::Factor>,
    /// What belongs to other domains.
    meetings: Vec<SeedMeeting>,
    questions: Vec<SeedQuestion>,
    rounds: Vec<SeedRound>,
}

#[derive(Debug)]
struct Session {
    person: Person,
    remember_me: bool,
    origin: SessionOrigin,
    started_at: DateTime<Utc>,
    last_used_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    ended_at: Option<DateTime<Utc>>,
    renewals_until: Option<DateTime<Utc>>,
}

impl Session {
    fn goes_on(&self, now: DateTime<Utc>) -> bool {
        self.ended_at.is_none() && self.expires_at > now
    }

    fn own(&self, id: SessionId) -> OwnSession {
        OwnSession {
            id,
            origin: self.origin.clone(),
            remember_me: self.remember_me,
            started_at: self.started_at,
            last_used_at: self.last_used_at,
            expires_at: self.expires_at,
        }
    }
}

#[derive(Debug)]
struct Token {
    session: SessionId,
    expires_at: DateTime<Utc>,
    used_at: Option<DateTime<Utc>>,
    used_by: Option<DeviceMark>,
}

impl Token {
    fn unused(session: SessionId, expires_at: DateTime<Utc>) -> Self {
        Self { session, expires_at, used_at: None, used_by: None }
    }
}

impl InMemoryClients {
    /// Nobody is there.
    pub fn new() -> Self {
        Self::default()
    }

    /// Changes the status of a client.
    ///
    /// # Panics
    /// Panics when there is no such client.
    pub fn set_client_status(&self, id: ClientId, status: ClientStatus) {
        let mut state = self.state();
        let client = state.clients.iter_mut().find(|client| client.id == id).expect("the client is there");
        client.status = status;
    }

    /// Changes whether an end user may act.
    ///
    /// # Panics
    /// Panics when there is no such end user.
    pub fn set_end_user_active(&self, id: EndUserId, is_active: bool) {
        let mut state = self.state();
        let (end_user, _) =
            state.end_users.iter_mut().find(|(end_user, _)| end_user.id == id).expect("the end user is there");
        end_user.is_active = is_active;
    }

    /// How many sessions were opened.
    pub fn session_count(&self) -> usize {
        self.state().sessions.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no test panics while it holds the state")
    }
}

impl State {
    fn client(&self, id: ClientId) -> Option<&Client> {
        self.clients.iter().find(|client| client.id == id)
    }

    fn is_active(&self, client: ClientId) -> bool {
        self.client(client).is_some_and(|client| client.status == ClientStatus::Active)
    }

    /// Whether what is test data or not counts in the figures of this client.
    fn counts_in(&self, client: ClientId, is_test: bool) -> bool {
        !is_test || self.client(client).is_some_and(Client::is_test)
    }

    /// The end users who count in the figures of this client.
    fn counted_end_users(&self, owner: ClientId) -> impl Iterator<Item = &EndUser> {
        let end_users = self.end_users.iter().map(|(end_user, _)| end_user);
        end_users.filter(move |end_user| end_user.client_id == owner && self.counts_in(owner, end_user.is_test()))
    }

    /// Whether a person is no test data, nor their client.
    fn counts_on_the_platform(&self, person: Person) -> bool {
        let is_real = |client| !self.client(client).is_some_and(Client::is_test);
        match person {
            Person::SuperAdmin { .. } => true,
            Person::ClientAdmin { client, .. } => is_real(client),
            Person::EndUser { end_user, client } => {
                is_real(client) && !self.end_user(client, end_user).is_some_and(EndUser::is_test)
            }
        }
    }

    fn has_address(&self, email: &EmailAddress) -> bool {
        self.accounts.iter().any(|account| account.email == *email)
    }

    fn account(&self, person: Person) -> Option<&Account> {
        self.accounts.iter().find(|account| account.person() == person)
    }

    fn end_user(&self, owner: ClientId, id: EndUserId) -> Option<&EndUser> {
        self.end_users.iter().map(|(end_user, _)| end_user).find(|found| found.client_id == owner && found.id == id)
    }

    /// Ends the sessions of a person that go on.
    fn end_sessions(&mut self, person: Person, now: DateTime<Utc>) {
        self.end_sessions_but(None, person, now);
    }

    /// Ends the sessions of a person that go on, but not `kept`, and says how many.
    fn end_sessions_but(&mut self, kept: Option<SessionId>, person: Person, now: DateTime<Utc>) -> u64 {
        let others = self.sessions.iter_mut().filter(|(id, _)| Some(**id) != kept);
        let mut ended = 0;
        for (_, session) in others.filter(|(_, session)| session.person == person && session.ended_at.is_none()) {
            session.ended_at = Some(now);
            ended += 1;
        }
        ended
    }

    /// The hash of a person's password.
    fn password_mut(&mut self, person: Person) -> Option<&mut PasswordHash> {
        match person {
            Person::SuperAdmin { .. } | Person::ClientAdmin { .. } => {
                let account = self.accounts.iter_mut().find(|account| account.person() == person);
                account.map(|account| &mut account.password_hash)
            }
            Person::EndUser { end_user, client } => {
                let found = self.end_users.iter_mut().find(|(one, _)| one.id == end_user && one.client_id == client);
                found.map(|(_, hash)| hash)
            }
        }
    }

    /// Removes the sessions for which `is_over` holds, with their refresh tokens.
    fn remove_sessions(&mut self, is_over: impl Fn(&SessionId, &Session) -> bool) {
        self.sessions.retain(|id, session| !is_over(id, session));
        let Self { sessions, tokens, .. } = self;
        tokens.retain(|_, token| sessions.contains_key(&token.session));
    }

    /// Whether another end user of the client has this one's username.
    fn is_taken(&self, end_user: &EndUser) -> bool {
        self.end_users.iter().any(|(other, _)| {
            other.id != end_user.id
                && other.client_id == end_user.client_id
                && is_same_name(&other.username, &end_user.username)
        })
    }

    fn may_act(&self, person: Person) -> bool {
        match person {
            Person::SuperAdmin { .. } => true,
            Person::ClientAdmin { client, .. } => self.is_active(client),
            Person::EndUser { end_user, client } => {
                self.is_active(client) && self.end_user(client, end_user).is_some_and(|end_user| end_user.is_active)
            }
        }
    }

    fn standing(&self, session: &Session) -> Standing {
        Standing { person: session.person, is_active: session.ended_at.is_none() && self.may_act(session.person) }
    }

    fn overview(&self, client: &Client) -> ClientOverview {
        let mut admins: Vec<&Account> =
            self.accounts.iter().filter(|account| account.role == AccountRole::ClientAdmin(client.id)).collect();
        admins.sort_by_key(|account| (account.created_at, account.id));
        ClientOverview {
            client: client.clone(),
            admins: admins.into_iter().map(contact_admin).collect(),
            end_user_count: self.counted_end_users(client.id).count() as u64,
            meeting_count: self.counted_meetings(client.id).count() as u64,
        }
    }

    /// The clients that fit the filter, in its order, whatever its page.
    fn clients_that_fit(&self, filter: &ClientFilter) -> Vec<&Client> {
        let fits = |client: &&Client| {
            filter.status.is_none_or(|status| client.status == status)
                && is_found(
                    filter.search.as_ref(),
                    [client.name.as_str(), client.code.as_str(), client.contact_email.as_str()],
                )
        };
        let mut clients: Vec<&Client> = self.clients.iter().filter(fits).collect();
        clients.sort_by(|one, other| match filter.sort {
            ClientSort::Newest => (other.created_at, other.id).cmp(&(one.created_at, one.id)),
            ClientSort::NameAscending => by_name((one.name.as_str(), one.id), (other.name.as_str(), other.id)),
            ClientSort::NameDescending => by_name((other.name.as_str(), other.id), (one.name.as_str(), one.id)),
        });
        clients
    }

    fn end_user_stats(&self, owner: ClientId) -> EndUserStats {
        let mut stats = EndUserStats::default();
        for end_user in self.counted_end_users(owner) {
            stats.total += 1;
            if end_user.is_active {
                stats.active += 1;
                stats.total_weight += end_user.weight.as_decimal();
            } else {
                stats.inactive += 1;
            }
        }
        stats
    }

    fn account_overview(&self, account: &Account) -> AccountOverview {
        AccountOverview {
            id: account.id,
            email: account.email.clone(),
            first_name: account.first_name.clone(),
            last_name: account.last_name.clone(),
            last_login_at: self.account_sign_ins.get(&account.id).copied(),
            created_at: account.created_at,
            client: account.person().client().and_then(|client| self.client(client)).map(reference),
        }
    }
}

#[async_trait]
impl ClientStore for InMemoryClients {
    async fn add(&self, client: Client, admin: Account) -> Result<(), AddClientError> {
        let mut state = self.state();
        if state.clients.iter().any(|other| other.code == client.code) {
            return Err(AddClientError::CodeTaken);
        }
        if state.has_address(&admin.email) {
            return Err(AddClientError::EmailTaken);
        }
        state.clients.push(client);
        state.accounts.push(admin);
        Ok(())
    }

    async fn find(&self, id: ClientId) -> Result<Option<ClientOverview>, PortFailure> {
        let state = self.state();
        Ok(state.client(id).map(|client| state.overview(client)))
    }

    async fn find_by_code(&self, code: &ClientCode) -> Result<Option<Client>, PortFailure> {
        Ok(self.state().clients.iter().find(|client| client.code == *code).cloned())
    }

    async fn list(&self, filter: &ClientFilter) -> Result<Page<ClientOverview>, PortFailure> {
        let state = self.state();
        let clients = state.clients_that_fit(filter);
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
        if state.clients.iter().any(|other| other.id != id && Some(&other.code) == changes.code.as_ref()) {
            // A client that is not there takes no code.
            return Err(state.client(id).map_or(ChangeClientError::NotFound, |_| ChangeClientError::CodeTaken));
        }
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
        state.accounts.retain(|account| account.role != AccountRole::ClientAdmin(id));
        state.end_users.retain(|(end_user, _)| end_user.client_id != id);
        state.meetings.retain(|meeting| meeting.client != id);
        state.remove_sessions(|_, session| session.person.client() == Some(id));
        state.factors.retain(|_, factor| factor.person.client() != Some(id));
        Ok(was_there)
    }
}

#[async_trait]
impl EndUserStore for InMemoryClients {
    async fn add(&self, end_user: EndUser, password: PasswordHash) -> Result<(), AddEndUserError> {
        let mut state = self.state();
        if state.client(end_user.client_id).is_none() {
            return Err(missing("the client of an end user").into());
        }
        if state.is_taken(&end_user) {
            return Err(AddEndUserError::UsernameTaken);
        }
        state.end_users.push((end_user, password));
        Ok(())
    }

    async fn find(&self, owner: ClientId, id: EndUserId) -> Result<Option<EndUser>, PortFailure> {
        Ok(self.state().end_user(owner, id).cloned())
    }

    async fn list(&self, owner: ClientId, filter: &EndUserFilter) -> Result<Page<EndUser>, PortFailure> {
        let state = self.state();
        let fits = |end_user: &&EndUser| {
            let email = end_user.email.as_ref().map_or("", EmailAddress::as_str);
            end_user.client_id == owner
                && filter.is_active.is_none_or(|is_active| end_user.is_active == is_active)
                && (!filter.counted_only || state.counts_in(owner, end_user.is_test()))
                && is_found(filter.search.as_ref(), [end_user.name.as_str(), end_user.username.as_str(), email])
        };
        let mut end_users: Vec<&EndUser> = state.end_users.iter().map(|(end_user, _)| end_user).filter(fits).collect();
        end_users.sort_by(|one, other| match filter.sort {
            EndUserSort::NameAscending => by_name((one.name.as_str(), one.id), (other.name.as_str(), other.id)),
            EndUserSort::NameDescending => by_name((other.name.as_str(), other.id), (one.name.as_str(), one.id)),
        });
        Ok(page_of(end_users.into_iter().cloned().collect(), filter.page))
    }

    async fn stats(&self, owner: ClientId) -> Result<EndUserStats, PortFailure> {
        Ok(self.state().end_user_stats(owner))
    }

    async fn update(
        &self,
        owner: ClientId,
        id: EndUserId,
        changes: EndUserChanges,
        password: Option<PasswordHash>,
        now: DateTime<Utc>,
    ) -> Result<EndUser, ChangeEndUserError> {
        let mut state = self.state();
        let mut changed = state.end_user(owner, id).cloned().ok_or(ChangeEndUserError::NotFound)?;
        changes.apply_to(&mut changed);
        if state.is_taken(&changed) {
            return Err(ChangeEndUserError::UsernameTaken);
        }
        if password.is_some() || !changed.is_active {
            state.end_sessions(Person::EndUser { end_user: id, client: owner }, now);
        }
        if let Some((end_user, hash)) = state.end_users.iter_mut().find(|(end_user, _)| end_user.id == id) {
            end_user.clone_from(&changed);
            if let Some(password) = password {
                *hash = password;
            }
        }
        Ok(changed)
    }

    async fn remove(&self, owner: ClientId, id: EndUserId) -> Result<bool, PortFailure> {
        let mut state = self.state();
        if state.end_user(owner, id).is_none() {
            return Ok(false);
        }
        state.end_users.retain(|(end_user, _)| end_user.id != id);
        state.remove_sessions(|_, session| session.person == Person::EndUser { end_user: id, client: owner });
        Ok(true)
    }

    async fn import(
        &self,
        owner: ClientId,
        new: Vec<(EndUser, PasswordHash)>,
        changed: Vec<ImportedChange>,
        now: DateTime<Utc>,
    ) -> Result<(), ImportError> {
        let mut state = self.state();
        let before = state.end_users.clone();
        let mut signed_out = Vec::new();
        for ImportedChange { id, changes, password } in changed {
            let is_wanted = |end_user: &EndUser| end_user.client_id == owner && end_user.id == id;
            let Some((end_user, hash)) = state.end_users.iter_mut().find(|(end_user, _)| is_wanted(end_user)) else {
                state.end_users = before;
                return Err(ImportError::Outdated);
            };
            changes.apply_to(end_user);
            if password.is_some() || !end_user.is_active {
                signed_out.push(id);
            }
            *hash = password.unwrap_or_else(|| hash.clone());
        }
        for (end_user, password) in new {
            if state.is_taken(&end_user) {
                state.end_users = before;
                return Err(ImportError::Outdated);
            }
            state.end_users.push((end_user, password));
        }
        for end_user in signed_out {
            state.end_sessions(Person::EndUser { end_user, client: owner }, now);
        }
        Ok(())
    }
}

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
        let client = state.clients.iter().find(|candidate| match client {
            ClientKey::Code(code) => candidate.code == *code,
            ClientKey::Id(id) => candidate.id == *id,
        });
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

#[async_trait]
impl SessionStore for InMemoryClients {
    async fn open(&self, session: NewSession) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let NewSession { id, person, password_hash, second_factor, remember_me, origin, first_token } = session;
        match person {
            Person::SuperAdmin { .. } | Person::ClientAdmin { .. } => {
                let known = state.account(person).filter(|account| account.password_hash == password_hash);
                let Some(account) = known.map(|account| account.id) else { return Ok(false) };
                if !state.spend(account, &second_factor) {
                    return Ok(false);
                }
                state.account_sign_ins.insert(account, first_token.issued_at);
            }
            Person::EndUser { end_user, client } => {
                let Some((end_user, _)) = state.end_users.iter_mut().find(|(candidate, hash)| {
                    let is_theirs = candidate.is_active && *hash == password_hash;
                    candidate.id == end_user && candidate.client_id == client && is_theirs
                }) else {
                    return Ok(false);
                };
                end_user.last_login_at = Some(first_token.issued_at);
            }
        }
        let (started_at, expires_at) = (first_token.issued_at, first_token.expires_at);
        let last_used_at = started_at;
        let (ended_at, renewals_until) = (None, None);
        let session =
            Session { person, remember_me, origin, started_at, last_used_at, expires_at, ended_at, renewals_until };
        state.sessions.insert(id, session);
        state.tokens.insert(first_token.hash, Token::unused(id, first_token.expires_at));
        Ok(true)
    }

    async fn rotate(&self, renewal: Renewal, now: DateTime<Utc>) -> Result<Rotation, PortFailure> {
        let Renewal { presented, next, by } = renewal;
        let mut state = self.state();
        let Some(token) = state.tokens.get(&presented) else {
            return Ok(Rotation::Refused);
        };
        let Some(session) = state.sessions.get(&token.session) else {
            return Ok(Rotation::Refused);
        };
        let id = token.session;
        let successor = match state.tokens.get(&next) {
            None => Successor::Missing,
            Some(Token { used_at: None, .. }) => Successor::Unused,
            Some(Token { used_by, .. }) => Successor::Used(used_by.clone()),
        };
        let found = PresentedToken {
            session: id,
            standing: state.standing(session),
            remember_me: session.remember_me,
            expires_at: token.expires_at,
            used_at: token.used_at,
            successor,
            renewals_until: session.renewals_until,
        };
        let expires_at = found.next_expiry(now);
        let spending = found.spend(&by, now);
        let is_first = spending == Spending::First;
        match spending {
            Spending::Over => return Ok(Rotation::Refused),
            Spending::TooOften { retry_after } => return Ok(Rotation::TooOften { retry_after }),
            Spending::Stolen => {
                end(&mut state, id, now);
                return Ok(Rotation::Refused);
            }
            Spending::First => {
                if let Some(token) = state.tokens.get_mut(&presented) {
                    (token.used_at, token.used_by) = (Some(now), Some(by));
                }
                state.tokens.insert(next, Token::unused(id, expires_at));
            }
            Spending::Again => {}
        }
        if let Some(session) = state.sessions.get_mut(&id) {
            if is_first {
                session.expires_at = session.expires_at.max(expires_at);
            }
            session.last_used_at = session.last_used_at.max(now);
            session.renewals_until = Some(found.next_renewals(now));
        }
        Ok(Rotation::Renewed { session: id, person: found.standing.person })
    }

    async fn end(&self, session: SessionId, now: DateTime<Utc>) -> Result<(), PortFailure> {
        end(&mut self.state(), session, now);
        Ok(())
    }

    async fn stats(&self, now: DateTime<Utc>) -> Result<SessionStats, PortFailure> {
        let state = self.state();
        let mut stats = SessionStats::default();
        let goes_on = |session: &&Session| session.expires_at > now && state.counts_on_the_platform(session.person);
        for session in state.sessions.values().filter(goes_on) {
            match state.standing(session) {
                Standing { is_active: false, .. } => {}
                Standing { person: Person::EndUser { .. }, .. } => stats.end_users += 1,
                Standing { person: Person::SuperAdmin { .. } | Person::ClientAdmin { .. }, .. } => stats.accounts += 1,
            }
        }
        Ok(stats)
    }

    async fn of_person(&self, person: Person, now: DateTime<Utc>, limit: u32) -> Result<Vec<OwnSession>, PortFailure> {
        let state = self.state();
        let goes_on = |session: &Session| session.person == person && session.goes_on(now);
        let mut own: Vec<OwnSession> = state
            .sessions
            .iter()
            .filter(|(_, session)| goes_on(session))
            .map(|(id, session)| session.own(*id))
            .collect();
        own.sort_by_key(|session| Reverse((session.last_used_at, session.id)));
        own.truncate(limit as usize);
        Ok(own)
    }

    async fn end_of_person(&self, person: Person, session: SessionId, now: DateTime<Utc>) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let own = state.sessions.get_mut(&session).filter(|session| session.person == person && session.goes_on(now));
        let Some(own) = own else { return Ok(false) };
        own.ended_at = Some(now);
        Ok(true)
    }

    async fn end_all(&self, person: Person, kept: Option<SessionId>, now: DateTime<Utc>) -> Result<u64, PortFailure> {
        Ok(self.state().end_sessions_but(kept, person, now))
    }

    async fn standing(&self, session: SessionId) -> Result<Option<Standing>, PortFailure> {
        let state = self.state();
        Ok(state.sessions.get(&session).map(|session| state.standing(session)))
    }

    async fn sweep(&self, before: DateTime<Utc>, limit: u32) -> Result<u64, PortFailure> {
        let mut state = self.state();
        let limit = limit as usize;
        let over_at =
            |session: &Session| session.ended_at.map_or(session.expires_at, |ended| ended.min(session.expires_at));
        let over = state.sessions.iter().filter(|(_, session)| over_at(session) < before);
        let over: HashSet<SessionId> = over.map(|(id, _)| *id).take(limit).collect();
        state.remove_sessions(|id, _| over.contains(id));
        let expired = state.tokens.iter().filter(|(_, token)| token.expires_at < before);
        let expired: Vec<RefreshTokenHash> = expired.map(|(hash, _)| hash.clone()).take(limit).collect();
        for hash in &expired {
            state.tokens.remove(hash);
        }
        Ok((over.len() + expired.len()) as u64)
    }
}

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

    async fn keep_reset(&self, reset: NewReset) -> Result<bool, PortFailure> {
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

/// Whose password is reset by this token, if it is good.
fn owner_of_reset(state: &State, token: &ResetTokenHash, now: DateTime<Utc>) -> Option<Person> {
    let reset = state.resets.get(token).filter(|reset| reset.expires_at > now)?;
    let (person, email, checked) = (reset.person, reset.email.clone(), reset.password_hash.clone());
    let account = state.account(person).filter(|account| account.email == email && account.password_hash == checked)?;
    let person = account.person();
    state.may_act(person).then_some(person)
}

fn end(state: &mut State, session: SessionId, now: DateTime<Utc>) {
    if let Some(session) = state.sessions.get_mut(&session) {
        session.ended_at.get_or_insert(now);
    }
}

fn contact_admin(account: &Account) -> ContactAdmin {
    ContactAdmin {
        id: account.id,
        email: account.email.clone(),
        first_name: account.first_name.clone(),
        last_name: account.last_name.clone(),
    }
}

fn reference(client: &Client) -> ClientReference {
    ClientReference { id: client.id, name: client.name.clone(), code: client.code.clone(), status: client.status }
}

/// What a database refuses by a foreign key.
fn missing(what: &'static str) -> PortFailure {
    PortFailure::new("the store in memory", format!("{what} is missing"))
}

fn is_same_name(one: &Username, other: &Username) -> bool {
    one.as_str().to_lowercase() == other.as_str().to_lowercase()
}

fn is_found(search: Option<&SearchText>, texts: [&str; 3]) -> bool {
    search.is_none_or(|search| texts.iter().any(|text| search.is_in(text)))
}

fn by_name<Id: Ord>(one: (&str, Id), other: (&str, Id)) -> Ordering {
    (one.0.to_lowercase(), one.1).cmp(&(other.0.to_lowercase(), other.1))
}

fn page_of<T>(rows: Vec<T>, page: Option<PageRequest>) -> Page<T> {
    let total = rows.len() as u64;
    let Some(page) = page else { return Page { rows, total } };
    let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    Page { rows: rows.into_iter().skip(offset).take(page.page_size as usize).collect(), total }
}
