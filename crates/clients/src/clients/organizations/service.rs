use std::sync::Arc;

use plenum_kernel::{AccountId, ClientId, Clock, EmailAddress, NewIds, PortFailure, Secrets};

use crate::{
    Account, AccountRole, Client, ClientCode, ClientName, ClientStatus, ClientStore, Password, PasswordHash,
    PasswordHasher, PersonName, SubscriptionPlan,
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

/// Why a client was not made.
#[derive(Debug, thiserror::Error)]
pub enum AddClientError {
    /// The code that was chosen is another client's.
    #[error("the client code is taken")]
    CodeTaken,
    /// Another account signs in with this address.
    #[error("the e-mail address is taken")]
    EmailTaken,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
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
