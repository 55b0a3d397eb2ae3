use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EmailAddress, EndUserId, Page, Person, PortFailure, SessionId};

use crate::{
    Account, AddClientError, AddEndUserError, ChangeClientError, ChangeEndUserError, Client, ClientChanges, ClientCode,
    ClientFilter, ClientOverview, ClientStats, EndUser, EndUserChanges, EndUserFilter, EndUserStats, NewSession,
    Password, PasswordHash, PersonProfile, RefreshTokenHash, Rotation, Standing, Username,
};

/// Where client organizations are kept. Each call is one transaction.
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

/// How an end user names their organization when they sign in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
    /// Stores a session with its first refresh token, and the time as the person's last sign-in. MUST store nothing and
    /// say no when the person is gone or about to go with their client, was deactivated, or has another password than was
    /// checked: whoever did that signed them out everywhere.
    async fn open(&self, session: NewSession) -> Result<bool, PortFailure>;

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

    /// Removes sessions that ended or expired before `before`, and refresh tokens that expired before it, at most
    /// `limit` of each, and says how many rows went.
    async fn sweep(&self, before: DateTime<Utc>, limit: u32) -> Result<u64, PortFailure>;

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
