use std::sync::Arc;

use plenum_kernel::{AccountId, ClientId, Clock, EmailAddress, NewIds, Page, PortFailure, Secrets};

use crate::{
    Account, AccountRole, AddClientError, ChangeClientError, Client, ClientChanges, ClientCode, ClientFilter,
    ClientName, ClientOverview, ClientStats, ClientStatus, ClientStore, Password, PasswordHash, PasswordHasher,
    PersonName, SubscriptionPlan,
};

/// A client to be made, with its first administrator.
#[derive(Clone, Debug)]
pub struct NewClient {
    /// The organization's name.
    pub name: ClientName,
    /// A code of its own choice; made from the name when missing.
    pub code: Option<ClientCode>,
    /// What it pays for.
    pub plan: SubscriptionPlan,
    /// Both the contact address and what the administrator signs in with.
    pub email: EmailAddress,
    /// The administrator's first name.
    pub first_name: PersonName,
    /// The administrator's last name.
    pub last_name: PersonName,
    /// The administrator's password.
    pub password: Password,
}

/// Makes clients.
pub struct ClientAdditions {
    clients: Arc<dyn ClientStore>,
    hasher: Arc<dyn PasswordHasher>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn NewIds>,
    secrets: Arc<dyn Secrets>,
}

impl ClientAdditions {
    /// How many numbers are tried behind a code that is taken, before random letters are.
    const NUMBERED_CODES: u32 = 50;

    /// Additions to this store.
    pub fn new(
        clients: Arc<dyn ClientStore>,
        hasher: Arc<dyn PasswordHasher>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn NewIds>,
        secrets: Arc<dyn Secrets>,
    ) -> Self {
        Self { clients, hasher, clock, ids, secrets }
    }

    /// Makes a client and its administrator. A code that was not chosen is made from the name, with a number behind
    /// it if taken, or of random letters if nothing is left of the name.
    ///
    /// # Errors
    /// Fails when the e-mail address or a chosen code is taken; then nothing is stored.
    pub async fn add(&self, new: NewClient) -> Result<Client, AddClientError> {
        let password = self.hasher.hash(new.password.clone()).await?;
        for code in self.codes(&new) {
            let (client, admin) = self.build(&new, code, password.clone());
            match self.clients.add(client.clone(), admin).await {
                Ok(()) => return Ok(client),
                Err(AddClientError::CodeTaken) => {}
                Err(error) => return Err(error),
            }
        }
        Err(AddClientError::CodeTaken)
    }

    /// The codes to try, in order.
    fn codes<'a>(&'a self, new: &'a NewClient) -> Box<dyn Iterator<Item = ClientCode> + Send + 'a> {
        if let Some(code) = &new.code {
            return Box::new(std::iter::once(code.clone()));
        }
        let random = (0..3).filter_map(|_| ClientCode::parse(&self.secrets.letters(8)).ok());
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
        let created_at = self.clock.now();
        let client = Client {
            id: ClientId::new(&*self.ids),
            name: new.name.clone(),
            code,
            contact_email: new.email.clone(),
            status: ClientStatus::Active,
            plan: new.plan,
            created_at,
        };
        let admin = Account {
            id: AccountId::new(&*self.ids),
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

/// Changes and deletes clients.
pub struct ClientKeeping {
    clients: Arc<dyn ClientStore>,
    hasher: Arc<dyn PasswordHasher>,
    clock: Arc<dyn Clock>,
}

impl ClientKeeping {
    /// Keeps the clients of this store.
    pub fn new(clients: Arc<dyn ClientStore>, hasher: Arc<dyn PasswordHasher>, clock: Arc<dyn Clock>) -> Self {
        Self { clients, hasher, clock }
    }

    /// Makes all of the changes, or none. A new password is the contact administrator's, and signs them out
    /// everywhere.
    ///
    /// # Errors
    /// Fails when there is no such client, or the code is another client's.
    pub async fn change(
        &self,
        id: ClientId,
        changes: ClientChanges,
        password: Option<Password>,
    ) -> Result<(), ChangeClientError> {
        let password = match password {
            Some(password) => Some(self.hasher.hash(password).await?),
            None => None,
        };
        self.clients.update(id, changes, password, self.clock.now()).await
    }

    /// Deletes a client with everything that is its own, a running meeting included. Says whether there was one.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn delete(&self, id: ClientId) -> Result<bool, PortFailure> {
        self.clients.remove(id, self.clock.now()).await
    }
}

/// Looks clients up.
pub struct ClientDirectory {
    clients: Arc<dyn ClientStore>,
}

impl ClientDirectory {
    /// A directory over this store.
    pub fn new(clients: Arc<dyn ClientStore>) -> Self {
        Self { clients }
    }

    /// The clients that fit the filter.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn list(&self, filter: &ClientFilter) -> Result<Page<ClientOverview>, PortFailure> {
        self.clients.list(filter).await
    }

    /// One client.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn find(&self, id: ClientId) -> Result<Option<ClientOverview>, PortFailure> {
        self.clients.find(id).await
    }

    /// The client that people know by this code.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn find_by_code(&self, code: &ClientCode) -> Result<Option<Client>, PortFailure> {
        self.clients.find_by_code(code).await
    }

    /// How many clients there are.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn stats(&self) -> Result<ClientStats, PortFailure> {
        self.clients.stats().await
    }
}
