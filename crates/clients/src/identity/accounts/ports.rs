use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{EmailAddress, Page, Person, PortFailure, SessionId, SignInTicket};

use crate::{
    Account, AccountFilter, AccountOverview, ClientKey, NewReset, Password, PasswordHash, PersonProfile,
    ResetTokenHash, SignInQueue, Turn, Username,
};

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

/// Where the people who sign in are looked up, and super administrators are kept.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait AccountStore: Send + Sync {
    /// Stores a super administrator.
    ///
    /// # Errors
    /// MUST return `EmailTaken` also when another call took the address in the same moment.
    async fn add(&self, account: Account) -> Result<(), AddAccountError>;

    /// Stores the first super administrator, and says whether it did: not where there is one already. Of several instances that
    /// start at once MUST only one do it, and the others wait for that one.
    ///
    /// # Errors
    /// As [`Self::add`].
    async fn add_first_super_admin(&self, account: Account) -> Result<bool, AddAccountError>;

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

    /// The accounts of every client and of super administrators that fit the filter, in its order.
    async fn list(&self, filter: &AccountFilter) -> Result<Page<AccountOverview>, PortFailure>;

    /// Who a person is, in words.
    async fn profile(&self, person: Person) -> Result<Option<PersonProfile>, PortFailure>;
}

/// A password in place of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordChange {
    /// Whose.
    pub person: Person,
    /// The hash that their password was checked against.
    pub checked: PasswordHash,
    /// The new one.
    pub new: PasswordHash,
    /// The session that goes on.
    pub kept: SessionId,
    /// When.
    pub at: DateTime<Utc>,
}

/// Where people change the passwords that they have. Each call is one transaction.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait PasswordStore: Send + Sync {
    /// What the person signs in with. `None` when they are gone.
    async fn of_person(&self, person: Person) -> Result<Option<StoredCredentials>, PortFailure>;

    /// Stores the new password and ends all other sessions of the person. MUST change nothing and say no when they are
    /// gone, or have another password than was checked.
    async fn change(&self, change: PasswordChange) -> Result<bool, PortFailure>;

    /// Stores a reset link of an account, and removes those of anybody that are too old. MUST store nothing and say no when
    /// the account is gone, or has another password or address than the link is for.
    async fn keep_reset(&self, reset: NewReset) -> Result<bool, PortFailure>;

    /// Whether [`Self::reset`] would set a password by this token.
    async fn has_reset(&self, token: &ResetTokenHash, now: DateTime<Utc>) -> Result<bool, PortFailure>;

    /// Sets the password of the account whose reset link has this token, ends all its sessions, and says whose they are.
    /// MUST change nothing when there is no such link, it has expired, the account has another password or address than it
    /// had when the link was made, or its client is not active. So each link works once, and none after another one did.
    async fn reset(
        &self,
        token: &ResetTokenHash,
        new: PasswordHash,
        now: DateTime<Utc>,
    ) -> Result<Option<Person>, PortFailure>;
}

/// Hashes passwords, slowly on purpose, on threads of its own.
///
/// Passwords are checked in the order in which that was asked for, and before new hashes are made: of these, only as
/// many as hardly delay the checks. MUST fail as busy, with the time after which to come back, when too many wait.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait PasswordHasher: Send + Sync {
    /// A hash with a salt of its own.
    async fn hash(&self, password: Password) -> Result<PasswordHash, PortFailure>;

    /// A hash of a password that came from [`plenum_kernel::Secrets::password`] and from nowhere else, made with little
    /// work, so that thousands of end users are imported in seconds.
    ///
    /// A slow hash protects passwords that people think up, of which a few million cover most. Of those with 12 random
    /// characters there are 2 to the power of 73: whoever steals a quick hash of one does not find it either.
    async fn hash_random(&self, password: Password) -> Result<PasswordHash, PortFailure>;

    /// Whether `candidate` is the password. Without a hash the answer is no, after the same time; and the time does not
    /// tell by which of the two methods the hash was made. When the turn has come, MUST hash if the turn's answer is
    /// [`crate::TurnAnswer::Wanted`], keep the place and ask again if it is `NotYet`, and fail, and not hash, if it is `Gone` or
    /// whoever waited has left for good.
    async fn verify(&self, candidate: String, hash: Option<PasswordHash>, turn: Turn) -> Result<bool, PortFailure>;

    /// How many wait for [`Self::verify`], seen from the turn with this ticket, or from the end of the queue. Asks nobody.
    fn queue(&self, ticket: Option<SignInTicket>) -> SignInQueue;
}
