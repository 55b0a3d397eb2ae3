use std::sync::Arc;

use plenum_kernel::{AccountId, ClientId, Clock, EmailAddress, NewIds, Page, PortFailure, Secrets};

use crate::{
    Account, AccountRole, AddClientError, ChangeClientError, Client, ClientChanges, ClientCode, ClientFilter,
    ClientName, ClientOverview, ClientStats, ClientStatus, ClientStore, Password, PasswordHash, PasswordHasher,
    PersonName, SubscriptionPlan,
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
    /// The number of suffixes that are tried for a taken code, before random letters.
    const NUMBERED_CODES: u32 = 50;

    /// A service by these ports.
    pub fn new(ports: ClientPorts) -> Self {
        Self { ports }
    }

    /// Creates a client and its administrator. Without a chosen code, derives one from the name. If it is taken,
    /// appends a number. If nothing of the name remains, uses random letters.
    ///
    /// # Errors
    /// Fails when the email address or a chosen code is taken. Then nothing is stored.
    pub async fn add(&self, new: NewClient) -> Result<Client, AddClientError> {
        let password = self.ports.hasher.hash(new.password.clone()).await?;
        for code in self.codes(&new) {
            let (client, admin) = self.build(&new, code, password.clone());
            match self.ports.clients.add(client.clone(), admin).await {
                Ok(()) => return Ok(client),
                Err(AddClientError::CodeTaken) => {}
                Err(error) => return Err(error),
            }
        }
        Err(AddClientError::CodeTaken)
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

    /// Finds the client with this code.
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

    /// The codes to try, in order.
    fn codes<'a>(&'a self, new: &'a NewClient) -> Box<dyn Iterator<Item = ClientCode> + Send + 'a> {
        if let Some(code) = &new.code {
            return Box::new(std::iter::once(code.clone()));
        }
        let random = (0..3).filter_map(|_| ClientCode::parse(&self.ports.secrets.letters(8)).ok());
        match ClientCode::from_name(new.name.as_str()) {
            None => Box::new(random),
            Some(code) => {
                let numbered: Vec<ClientCode> =
                    (2..=Self::NUMBERED_CODES).map(|number| code.numbered(number)).collect();
                Box::new(std::iter::once(code).chain(numbered).chain(random))
            }
        }
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
