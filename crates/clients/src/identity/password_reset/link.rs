use chrono::{DateTime, Utc};
use plenum_kernel::{EmailAddress, Person};

use crate::PasswordHash;

/// The hash under which the token of a reset link is kept; the token itself is in a mail only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ResetTokenHash(pub Vec<u8>);

/// A reset link to be kept. It is void as soon as the account has another password or address than it has now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewReset {
    /// The hash of its token.
    pub token: ResetTokenHash,
    /// Whose password it is for; a person with an account.
    pub person: Person,
    /// Where it is sent.
    pub email: EmailAddress,
    /// Their password now.
    pub password_hash: PasswordHash,
    /// When it was made.
    pub made_at: DateTime<Utc>,
    /// When it ends, if it is not used before.
    pub expires_at: DateTime<Utc>,
}
