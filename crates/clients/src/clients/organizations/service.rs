use std::collections::HashSet;
use std::sync::Arc;

use chrono::Datelike as _;
use plenum_kernel::{AccountId, ClientId, Clock, EmailAddress, NewIds, Page, PortFailure, Secrets};

use crate::{
    Account, AccountRole, AddClientError, ChangeClientError, Client, ClientChanges, ClientCode, ClientFilter,
    ClientName, ClientOverview, ClientStats, ClientStatus, ClientStore, CodeCheck, Password, PasswordHash,
    PasswordHasher, PersonName, SubscriptionPlan,
};

/// A client to create, with its first administrator.
#[derive(Clone, Debug)]
pub struct NewClient {
    /// The organization's name.
    pub name: ClientName,
    /// The chosen code; derived from the name when missing.
    pub code: Option<ClientCode>,
    /// The plan that it pays for.
    pub plan: SubscriptionPlan,
    /// The contact address, which is also the administrator's sign-in address.
    pub email: EmailAddress,
    /// The administrator's first name.
    pub first_name: PersonName,
    /// The administrator's last name.
    pub last_name: PersonName,
    /// The administrator's password.
    pub password: Password,
}

/// The ports that the administration of clients needs.
#[derive(Clone)]
pub struct ClientPorts {
    /// Stores clients.
    pub clients: Arc<dyn ClientStore>,
    /// Hashes the passwords of administrators.
    pub hasher: Arc<dyn PasswordHasher>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Supplies the ids of clients and accounts.
    pub ids: Arc<dyn NewIds>,
    /// Supplies the random letters of codes.
    pub secrets: Arc<dyn Secrets>,
}

/// Creates, changes, deletes and lists clients.
pub struct ClientService {
    ports: ClientPorts,
}

impl ClientService {
    /// The number of free codes that are tried. More than one is needed only if others take them meanwhile.
    const TRIED_CODES: usize = 20;

    /// A service by these ports.
    pub fn new(ports: ClientPorts) -> Self {
        Self { ports }
    }

    /// Creates a client and its administrator. Without a chosen code, suggests one from the name. If it is taken,
    /// appends a number of two digits. If nothing of the name remains, uses random letters.
    ///
    /// # Errors
    /// Fails when the email address or a chosen code is taken. Then nothing is stored.
    pub async fn add(&self, new: NewClient) -> Result<Client, AddClientError> {
        let password = self.ports.hasher.hash(new.password.clone()).await?;
        let codes = match &new.code {
            Some(code) => vec![code.clone()],
            None => self.free_codes(&new.name).await?,
        };
        for code in codes {
            let (client, admin) = self.build(&new, code, password.clone());
            match self.ports.clients.add(client.clone(), admin).await {
                Ok(()) => return Ok(client),
                Err(AddClientError::CodeTaken) => {}
                Err(error) => return Err(error),
            }
        }
        Err(AddClientError::CodeTaken)
    }

    /// The code that a new client of this name would get now.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn suggest_code(&self, name: &ClientName) -> Result<Option<ClientCode>, PortFailure> {
        Ok(self.free_codes(name).await?.into_iter().next())
    }

    /// Whether a new client, or the client `chooser`, could choose the code.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn check_code(&self, code: &ClientCode, chooser: Option<ClientId>) -> Result<CodeCheck, PortFailure> {
        let owners = self.ports.clients.code_owners(std::slice::from_ref(code)).await?;
        Ok(match owners.first() {
            Some(owner) if Some(owner.client) == chooser => CodeCheck::Free,
            Some(owner) if owner.is_current => CodeCheck::Taken,
            Some(_) => CodeCheck::Former,
            None => CodeCheck::Free,
        })
    }

    /// Makes all of the changes, or none. A new password is the contact administrator's, and ends their sessions.
    ///
    /// # Errors
    /// Fails when there is no such client, or another client has the code.
    pub async fn change(
        &self,
        id: ClientId,
        changes: ClientChanges,
        password: Option<Password>,
    ) -> Result<(), ChangeClientError> {
        let password = match password {
            Some(password) => Some(self.ports.hasher.hash(password).await?),
            None => None,
        };
        self.ports.clients.update(id, changes, password, self.ports.clock.now()).await
    }

    /// Deletes a client with all its data, also during a meeting. Returns whether the client existed.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn delete(&self, id: ClientId) -> Result<bool, PortFailure> {
        self.ports.clients.remove(id, self.ports.clock.now()).await
    }

    /// Lists the clients that match the filter.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn list(&self, filter: &ClientFilter) -> Result<Page<ClientOverview>, PortFailure> {
        self.ports.clients.list(filter).await
    }

    /// Finds one client, with its administrators and counts.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn find(&self, id: ClientId) -> Result<Option<ClientOverview>, PortFailure> {
        self.ports.clients.find(id).await
    }

    /// Finds the client that has this code or, if none has it, had it.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn find_by_code(&self, code: &ClientCode) -> Result<Option<Client>, PortFailure> {
        self.ports.clients.find_by_code(code).await
    }

    /// Counts clients by status, without test data.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn stats(&self) -> Result<ClientStats, PortFailure> {
        self.ports.clients.stats().await
    }

    /// Free codes for a client of this name, the best first. The last ones are random letters.
    async fn free_codes(&self, name: &ClientName) -> Result<Vec<ClientCode>, PortFailure> {
        let year = self.ports.clock.now().year().unsigned_abs();
        let candidates = ClientCode::candidates(name.as_str(), year);
        let owners = match candidates.as_slice() {
            [] => Vec::new(),
            candidates => self.ports.clients.code_owners(candidates).await?,
        };
        let taken: HashSet<ClientCode> = owners.into_iter().map(|owner| owner.code).collect();
        let free = candidates.into_iter().filter(|code| !taken.contains(code)).take(Self::TRIED_CODES);
        let random = (0..3).filter_map(|_| ClientCode::parse(&self.ports.secrets.letters(8)).ok());
        Ok(free.chain(random).collect())
    }

    fn build(&self, new: &NewClient, code: ClientCode, password_hash: PasswordHash) -> (Client, Account) {
        let created_at = self.ports.clock.now();
        let client = Client {
            id: ClientId::new(&*self.ports.ids),
            name: new.name.clone(),
            code,
            contact_email: new.email.clone(),
            status: ClientStatus::Active,
            plan: new.plan,
            created_at,
        };
        let admin = Account {
            id: AccountId::new(&*self.ports.ids),
            role: AccountRole::ClientAdmin(client.id),
            email: new.email.clone(),
            password_hash,
            first_name: new.first_name.clone(),
            last_name: new.last_name.clone(),
            created_at,
        };
        (client, admin)
    }
}
