use chrono::{DateTime, Utc};
use plenum_kernel::{EmailAddress, Person};

use crate::PasswordHash;

/// The hash of a reset link's token. Only the mail contains the token.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ResetTokenHash(pub Vec<u8>);

/// A reset link to store. It is void once the account has another password or address than stated here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewReset {
    /// The hash of its token.
    pub token: ResetTokenHash,
    /// The owner of the account.
    pub person: Person,
    /// The address to which it is sent.
    pub email: EmailAddress,
    /// The hash of the current password.
    pub password_hash: PasswordHash,
    /// The time of creation.
    pub made_at: DateTime<Utc>,
    /// The time of expiry if it is not used.
    pub expires_at: DateTime<Utc>,
}
