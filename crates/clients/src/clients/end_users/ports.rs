use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EndUserId, Page, PortFailure};

use crate::{EndUser, EndUserChanges, EndUserFilter, EndUserStats, ImportError, ImportedChange, PasswordHash};

/// Why an end user was not made.
#[derive(Debug, thiserror::Error)]
pub enum AddEndUserError {
    /// Another end user of the client has this username.
    #[error("the username is taken")]
    UsernameTaken,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Why an end user was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeEndUserError {
    /// The client has no such end user.
    #[error("the end user does not exist")]
    NotFound,
    /// Another end user of the client has this username.
    #[error("the username is taken")]
    UsernameTaken,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Where end users are kept. Each call is one transaction and sees one client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait EndUserStore: Send + Sync {
    /// Stores an end user.
    ///
    /// # Errors
    /// MUST return `UsernameTaken` also when another call took the name in the same moment.
    async fn add(&self, end_user: EndUser, password: PasswordHash) -> Result<(), AddEndUserError>;

    /// `None` also for an end user of another client.
    async fn find(&self, owner: ClientId, id: EndUserId) -> Result<Option<EndUser>, PortFailure>;

    /// The client's end users that fit the filter, in its order.
    async fn list(&self, owner: ClientId, filter: &EndUserFilter) -> Result<Page<EndUser>, PortFailure>;

    /// How many end users the client has, and what those who are active weigh together; without test data
    /// ([`EndUser::is_test`]), unless the client is.
    async fn stats(&self, owner: ClientId) -> Result<EndUserStats, PortFailure>;

    /// Locks the end user, makes `changes`, and sets the password if there is a new one. A new password, and an end
    /// user who is not active any more, end the end user's sessions at `now`.
    ///
    /// # Errors
    /// `NotFound` also for an end user of another client; MUST return `UsernameTaken` also when another call took the
    /// name in the same moment.
    async fn update(
        &self,
        owner: ClientId,
        id: EndUserId,
        changes: EndUserChanges,
        password: Option<PasswordHash>,
        now: DateTime<Utc>,
    ) -> Result<EndUser, ChangeEndUserError>;

    /// Removes the end user with their sessions and invitations. Registers and votes stay. Says whether the client had
    /// such an end user.
    async fn remove(&self, owner: ClientId, id: EndUserId) -> Result<bool, PortFailure>;

    /// Stores all of the `new` end users and makes all of the changes, or nothing; in a few statements, however many
    /// they are. Those who are changed are locked first; a new password, and an end user who is not active any more,
    /// end the end user's sessions at `now`.
    ///
    /// # Errors
    /// MUST return `Outdated` when a username is taken, also by another call in the same moment, and when an end user
    /// who is to be changed is not there or is another client's. Never returns `HasErrors`.
    async fn import(
        &self,
        owner: ClientId,
        new: Vec<(EndUser, PasswordHash)>,
        changed: Vec<ImportedChange>,
        now: DateTime<Utc>,
    ) -> Result<(), ImportError>;
}
