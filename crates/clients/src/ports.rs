use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EmailAddress, EndUserId, Page, Person, PortFailure, SessionId};

use crate::{
    Account, AddClientError, AddEndUserError, Client, ClientCode, ClientFilter, ClientOverview, ClientStats, EndUser,
    EndUserFilter, EndUserStats, NewSession, Password, PasswordHash, PersonProfile, RefreshTokenHash, Rotation,
    Standing, Username,
};

/// Where client organisations are kept. Each call is one transaction.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait ClientStore: Send + Sync {
    /// Stores a client together with its first administrator; stores nothing if either is refused.
    ///
    /// # Errors
    /// MUST return `CodeTaken` or `EmailTaken` also when another call took the name in the same moment.
    async fn add(&self, client: Client, admin: Account) -> Result<(), AddClientError>;

    /// One client, with its counts.
    async fn find(&self, id: ClientId) -> Result<Option<ClientOverview>, PortFailure>;

    /// The client with this code.
    async fn find_by_code(&self, code: &ClientCode) -> Result<Option<Client>, PortFailure>;

    /// The clients that fit the filter, in its order.
    async fn list(&self, filter: &ClientFilter) -> Result<Page<ClientOverview>, PortFailure>;

    /// How many clients there are.
    async fn stats(&self) -> Result<ClientStats, PortFailure>;
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

    /// How many end users the client has, and what those who are active weigh together.
    async fn stats(&self, owner: ClientId) -> Result<EndUserStats, PortFailure>;
}

/// Why an account could not be stored.
#[derive(Debug, thiserror::Error)]
pub enum AddAccountError {
    /// Another account signs in with this e-mail address.
    #[error("the e-mail address is taken")]
    EmailTaken,
    /// The store did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// What a password is checked against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCredentials {
    /// Who signs in with them.
    pub person: Person,
    /// The hash of their password.
    pub password_hash: PasswordHash,
    /// False when the person or their client is not active.
    pub may_sign_in: bool,
}

/// How an end user names their organisation when they sign in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientKey {
    /// By its code.
    Code(ClientCode),
    /// By its id.
    Id(ClientId),
}

/// Where the people who sign in are looked up, and super administrators are kept.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait AccountStore: Send + Sync {
    /// Stores a super administrator.
    ///
    /// # Errors
    /// MUST return `EmailTaken` also when another call took the address in the same moment.
    async fn add(&self, account: Account) -> Result<(), AddAccountError>;

    /// Whether there is any super administrator.
    async fn has_super_admin(&self) -> Result<bool, PortFailure>;

    /// What the account with this address signs in with.
    async fn account_credentials(&self, email: &EmailAddress) -> Result<Option<StoredCredentials>, PortFailure>;

    /// What the end user with this name, in whatever case, signs in with.
    async fn end_user_credentials(
        &self,
        client: &ClientKey,
        username: &Username,
    ) -> Result<Option<StoredCredentials>, PortFailure>;

    /// Who a person is, in words.
    async fn profile(&self, person: Person) -> Result<Option<PersonProfile>, PortFailure>;
}

/// Where sign-ins are kept. Each call is one transaction.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait SessionStore: Send + Sync {
    /// Stores a session with its first refresh token, and the time as the person's last sign-in.
    async fn open(&self, session: NewSession) -> Result<(), PortFailure>;

    /// Locks the token kept as `presented`, asks [`crate::PresentedToken::spend`], and does what it says: stores
    /// `next` (which ends at [`crate::PresentedToken::next_expiry`]), or ends the session, or nothing.
    async fn rotate(
        &self,
        presented: &RefreshTokenHash,
        next: RefreshTokenHash,
        now: DateTime<Utc>,
    ) -> Result<Rotation, PortFailure>;

    /// Ends a session with all its refresh tokens. Ending it twice changes nothing.
    async fn end(&self, session: SessionId, now: DateTime<Utc>) -> Result<(), PortFailure>;

    /// Whether the session's owner may still act. `None` when there is no such session.
    async fn standing(&self, session: SessionId) -> Result<Option<Standing>, PortFailure>;
}

/// Hashes passwords, slowly on purpose, on threads of its own.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait PasswordHasher: Send + Sync {
    /// A hash with a salt of its own.
    async fn hash(&self, password: Password) -> Result<PasswordHash, PortFailure>;

    /// Whether `candidate` is the password. Without a hash the answer is no, after the same time.
    async fn verify(&self, candidate: String, hash: Option<PasswordHash>) -> Result<bool, PortFailure>;
}
