use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{EmailAddress, Page, Person, PortFailure, SessionId, SignInTicket};

use crate::{
    Account, AccountFilter, AccountOverview, ClientKey, NewReset, Password, PasswordHash, PersonProfile,
    ResetTokenHash, SignInQueue, Turn, Username,
};

/// The reason why an account could not be stored.
#[derive(Debug, thiserror::Error)]
pub enum AddAccountError {
    /// Another account signs in with this email address.
    #[error("the email address is taken")]
    EmailTaken,
    /// The store did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The stored data for a password check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCredentials {
    /// The owner of the password.
    pub person: Person,
    /// The hash of the password.
    pub password_hash: PasswordHash,
    /// `false` when the person or their client is not active.
    pub may_sign_in: bool,
}

/// Stores super administrators, and finds the people who sign in.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait AccountStore: Send + Sync {
    /// Stores a super administrator.
    ///
    /// # Errors
    /// MUST return `EmailTaken` also when a concurrent call took the address.
    async fn add(&self, account: Account) -> Result<(), AddAccountError>;

    /// Stores the first super administrator. Returns `false`, and stores nothing, if there is one. When several
    /// instances start at once, exactly one MUST store its account, and the others MUST wait for it.
    ///
    /// # Errors
    /// As [`Self::add`].
    async fn add_first_super_admin(&self, account: Account) -> Result<bool, AddAccountError>;

    /// Whether a super administrator exists.
    async fn has_super_admin(&self) -> Result<bool, PortFailure>;

    /// Finds the credentials of the account with this address.
    async fn account_credentials(&self, email: &EmailAddress) -> Result<Option<StoredCredentials>, PortFailure>;

    /// Finds the credentials of the end user with this name. Case does not matter.
    async fn end_user_credentials(
        &self,
        client: &ClientKey,
        username: &Username,
    ) -> Result<Option<StoredCredentials>, PortFailure>;

    /// Lists the accounts of all clients and of super administrators that match the filter, in its order.
    async fn list(&self, filter: &AccountFilter) -> Result<Page<AccountOverview>, PortFailure>;

    /// Finds the names of a person.
    async fn profile(&self, person: Person) -> Result<Option<PersonProfile>, PortFailure>;
}

/// A change of a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordChange {
    /// The owner of the password.
    pub person: Person,
    /// The hash against which the current password was checked.
    pub checked: PasswordHash,
    /// The new hash.
    pub new: PasswordHash,
    /// The session that stays active.
    pub kept: SessionId,
    /// The time of the change.
    pub at: DateTime<Utc>,
}

/// Stores passwords and reset links. Each call is one transaction.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait PasswordStore: Send + Sync {
    /// Finds the credentials of a person. `None` when the person was removed.
    async fn of_person(&self, person: Person) -> Result<Option<StoredCredentials>, PortFailure>;

    /// Stores the new password, and ends all other sessions of the person. MUST change nothing and return `false` when
    /// the person was removed, or has another password than the checked one.
    async fn change(&self, change: PasswordChange) -> Result<bool, PortFailure>;

    /// Stores a reset link of an account, and removes all expired reset links. MUST store nothing and return `false`
    /// when the account was removed, or has another password or address than the link states.
    async fn store_reset(&self, reset: NewReset) -> Result<bool, PortFailure>;

    /// Whether [`Self::reset`] would accept this token.
    async fn has_reset(&self, token: &ResetTokenHash, now: DateTime<Utc>) -> Result<bool, PortFailure>;

    /// Sets the password of the account whose reset link has this token, ends all its sessions, and returns its owner.
    ///
    /// MUST change nothing and return `None` in these cases: the link is unknown or expired, the password or the
    /// address has changed since the link was made, or the client is not active. So a link works once, and not after
    /// another link of the account.
    async fn reset(
        &self,
        token: &ResetTokenHash,
        new: PasswordHash,
        now: DateTime<Utc>,
    ) -> Result<Option<Person>, PortFailure>;
}

/// Hashes passwords on threads of its own. A hash is slow on purpose.
///
/// Checks run in the order of the calls, and before new hashes. New hashes get only as much time as hardly delays the
/// checks. MUST fail as busy, with a time to retry, when the queue is full.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait PasswordHasher: Send + Sync {
    /// Hashes a password with a new salt.
    async fn hash(&self, password: Password) -> Result<PasswordHash, PortFailure>;

    /// Hashes a random password with little work, so that an import of thousands of end users takes seconds. The
    /// password MUST come from [`plenum_kernel::Secrets::password`].
    ///
    /// A slow hash protects passwords that people choose, because a few million guesses cover most of them. A random
    /// password has 12 of 39 characters, which are 2 to the power of 63 possible values, so its quick hash cannot be
    /// reversed by guessing either.
    async fn hash_random(&self, password: Password) -> Result<PasswordHash, PortFailure>;

    /// Checks whether `candidate` is the password. Without a hash it returns `false` after the same time. The duration
    /// does not reveal which of the two methods made the hash.
    ///
    /// When the turn comes, MUST hash if the turn answers [`crate::TurnAnswer::Wanted`]. If it answers `NotYet`, MUST
    /// keep the place and ask again. MUST fail without a hash if it answers `Gone`, or the caller has left for good.
    async fn verify(&self, candidate: String, hash: Option<PasswordHash>, turn: Turn) -> Result<bool, PortFailure>;

    /// The length of the queue of [`Self::verify`], before the turn with this ticket or else before a new turn. Asks no
    /// port.
    fn queue(&self, ticket: Option<SignInTicket>) -> SignInQueue;
}
