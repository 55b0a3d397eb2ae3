use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, Page, PortFailure};

use crate::{
    Account, Client, ClientChanges, ClientCode, ClientFilter, ClientOverview, ClientStats, CodeOwner, PasswordHash,
};

/// The reason why a client was not created.
#[derive(Debug, thiserror::Error)]
pub enum AddClientError {
    /// Another client has the chosen code, or had it.
    #[error("the client code is taken")]
    CodeTaken,
    /// Another account signs in with this address.
    #[error("the email address is taken")]
    EmailTaken,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why a client was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeClientError {
    /// There is no such client.
    #[error("the client does not exist")]
    NotFound,
    /// Another client has the chosen code, or had it.
    #[error("the client code is taken")]
    CodeTaken,
    /// A round of the client was opened, so its name can neither gain nor lose the mark of test data.
    #[error("voting was opened in this organization, so its name can no longer gain or lose TEST_ at the beginning")]
    TestMarkSettled,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Stores client organizations. Each call is one transaction.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait ClientStore: Send + Sync {
    /// Stores a client with its first administrator; stores nothing if either is refused.
    ///
    /// # Errors
    /// MUST return `CodeTaken` or `EmailTaken` also when a concurrent call took the name.
    async fn add(&self, client: Client, admin: Account) -> Result<(), AddClientError>;

    /// Finds one client with its counts. They leave out test data unless the client is test data.
    async fn find(&self, id: ClientId) -> Result<Option<ClientOverview>, PortFailure>;

    /// Finds the client that has this code or, if none has it, had it.
    async fn find_by_code(&self, code: &ClientCode) -> Result<Option<Client>, PortFailure>;

    /// Finds the clients that have these codes, or had them, in no order. Free codes are left out.
    async fn code_owners(&self, codes: &[ClientCode]) -> Result<Vec<CodeOwner>, PortFailure>;

    /// Lists the clients that match the filter, in its order.
    async fn list(&self, filter: &ClientFilter) -> Result<Page<ClientOverview>, PortFailure>;

    /// Counts the clients, without test data ([`Client::is_test`]).
    async fn stats(&self) -> Result<ClientStats, PortFailure>;

    /// Locks the client and its contact administrator (the oldest account), makes `changes`, and sets the contact's
    /// password if there is a new one. A new password ends the contact's sessions. A former code stays the client's: it
    /// still leads there, no other client gets it, and this client can take it again. Asks [`Client::check_test_mark`]
    /// about a new name, also beside a concurrent opening. Changes nothing if anything is refused.
    ///
    /// # Errors
    /// `NotFound`, `TestMarkSettled`. MUST return `CodeTaken` also when a concurrent call took the code.
    async fn update(
        &self,
        id: ClientId,
        changes: ClientChanges,
        password: Option<PasswordHash>,
        now: DateTime<Utc>,
    ) -> Result<(), ChangeClientError>;

    /// Removes the client with its accounts, end users, sessions, and meetings with their agendas, rounds and votes.
    /// First ends a running round at `now`, after all ballots in progress are stored. Returns whether the client
    /// existed.
    async fn remove(&self, id: ClientId, now: DateTime<Utc>) -> Result<bool, PortFailure>;
}
