use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, Page, PortFailure};

use crate::{Account, Client, ClientChanges, ClientCode, ClientFilter, ClientOverview, ClientStats, PasswordHash};

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

/// Why a client was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeClientError {
    /// There is no such client.
    #[error("the client does not exist")]
    NotFound,
    /// The code that was chosen is another client's.
    #[error("the client code is taken")]
    CodeTaken,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Where client organizations are kept. Each call is one transaction.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait ClientStore: Send + Sync {
    /// Stores a client together with its first administrator; stores nothing if either is refused.
    ///
    /// # Errors
    /// MUST return `CodeTaken` or `EmailTaken` also when another call took the name in the same moment.
    async fn add(&self, client: Client, admin: Account) -> Result<(), AddClientError>;

    /// One client, with its counts: without test data, unless it is test data itself.
    async fn find(&self, id: ClientId) -> Result<Option<ClientOverview>, PortFailure>;

    /// The client with this code.
    async fn find_by_code(&self, code: &ClientCode) -> Result<Option<Client>, PortFailure>;

    /// The clients that fit the filter, in its order.
    async fn list(&self, filter: &ClientFilter) -> Result<Page<ClientOverview>, PortFailure>;

    /// How many clients there are, without test data ([`Client::is_test`]).
    async fn stats(&self) -> Result<ClientStats, PortFailure>;

    /// Locks the client and its contact administrator (the oldest account), makes `changes` and sets the contact's
    /// password if there is a new one, which ends the contact's sessions; makes nothing if anything is refused.
    ///
    /// # Errors
    /// `NotFound`; MUST return `CodeTaken` also when another call took the code in the same moment.
    async fn update(
        &self,
        id: ClientId,
        changes: ClientChanges,
        password: Option<PasswordHash>,
        now: DateTime<Utc>,
    ) -> Result<(), ChangeClientError>;

    /// Removes the client and everything of it: accounts, end users, sessions, and meetings with their agendas, rounds
    /// and votes. A running round is ended first, at `now` and after the ballots that are being written. Says whether
    /// there was such a client.
    async fn remove(&self, id: ClientId, now: DateTime<Utc>) -> Result<bool, PortFailure>;
}
