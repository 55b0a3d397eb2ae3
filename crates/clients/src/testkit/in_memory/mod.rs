mod accounts;
mod activity;
mod branding;
mod clients;
mod end_users;
mod factors;
mod foreign_fixture;
mod groups;
mod join_links;
mod passwords;
mod reports;
mod sessions;
mod weight_kinds;

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use chrono::{DateTime, Utc};
use plenum_kernel::{
    AccountId, ClientId, EmailAddress, EndUserId, Page, PageRequest, Person, SearchText, SessionId, lower_case,
};

use self::sessions::{Session, Token};
use super::contract::{SeedMeeting, SeedQuestion, SeedRound};
use crate::{
    AccentColor, Account, AccountOverview, AccountRole, Client, ClientCode, ClientFilter, ClientOverview,
    ClientReference, ClientSort, ClientStatus, ContactAdmin, EndUser, EndUserStats, Group, JoinAsk, NewReset,
    PasswordHash, RefreshTokenHash, ResetTokenHash, SessionState, StoredLogo, Username,
};

/// All stores of this domain in memory, over one state: a person whom one store has added can sign in through another.
#[derive(Debug, Default)]
pub struct InMemoryClients(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    clients: Vec<Client>,
    /// All codes that clients have or had.
    codes: Vec<(ClientCode, ClientId)>,
    accounts: Vec<Account>,
    account_sign_ins: HashMap<AccountId, DateTime<Utc>>,
    end_users: Vec<(EndUser, PasswordHash)>,
    groups: Vec<Group>,
    weight_kinds: Vec<weight_kinds::StoredKind>,
    sessions: HashMap<SessionId, Session>,
    tokens: HashMap<RefreshTokenHash, Token>,
    resets: HashMap<ResetTokenHash, NewReset>,
    factors: HashMap<AccountId, factors::Factor>,
    join_links: Vec<join_links::StoredLink>,
    join_asks: HashMap<ClientId, JoinAsk>,
    accents: HashMap<ClientId, AccentColor>,
    logos: HashMap<ClientId, StoredLogo>,
    /// Data of other domains.
    meetings: Vec<SeedMeeting>,
    questions: Vec<SeedQuestion>,
    rounds: Vec<SeedRound>,
}

impl InMemoryClients {
    /// Empty stores.
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

    /// The number of stored sessions.
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

    /// The client that has or had the code.
    fn code_owner(&self, code: &ClientCode) -> Option<&Client> {
        let (_, owner) = self.codes.iter().find(|(known, _)| known == code)?;
        self.client(*owner)
    }

    fn is_active(&self, client: ClientId) -> bool {
        self.client(client).is_some_and(|client| client.status == ClientStatus::Active)
    }

    /// Whether data counts in this client's statistics, depending on whether it is test data.
    fn counts_in(&self, client: ClientId, is_test: bool) -> bool {
        !is_test || self.client(client).is_some_and(Client::is_test)
    }

    /// The end users who count in this client's statistics.
    fn counted_end_users(&self, owner: ClientId) -> impl Iterator<Item = &EndUser> {
        let end_users = self.end_users.iter().map(|(end_user, _)| end_user);
        end_users.filter(move |end_user| end_user.client_id == owner && self.counts_in(owner, end_user.is_test()))
    }

    /// Whether neither the person nor their client is test data.
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

    /// Ends the active sessions of a person.
    fn end_sessions(&mut self, person: Person, now: DateTime<Utc>) {
        self.end_sessions_but(None, person, now);
    }

    /// Ends the active sessions of a person except `kept`, and returns their number.
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

    fn session_state(&self, session: &Session) -> SessionState {
        SessionState { person: session.person, is_active: session.ended_at.is_none() && self.may_act(session.person) }
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

    /// The clients that match the filter, in its order, on all pages.
    fn matching_clients(&self, filter: &ClientFilter) -> Vec<&Client> {
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

fn is_same_name(one: &Username, other: &Username) -> bool {
    lower_case(one.as_str()) == lower_case(other.as_str())
}

fn is_found(search: Option<&SearchText>, texts: [&str; 3]) -> bool {
    search.is_none_or(|search| texts.iter().any(|text| search.is_in(text)))
}

fn by_name<Id: Ord>(one: (&str, Id), other: (&str, Id)) -> Ordering {
    (one.0.to_lowercase(), one.1).cmp(&(other.0.to_lowercase(), other.1))
}

fn page_of<T>(rows: Vec<T>, page: Option<PageRequest>) -> Page<T> {
    match page {
        Some(page) => Page::of_list(rows, page),
        None => Page { total: rows.len() as u64, rows },
    }
}
