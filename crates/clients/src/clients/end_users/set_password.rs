use plenum_kernel::PasswordSetter;

use crate::PasswordHash;

/// A new password of a voter that somebody else has set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetPassword {
    /// The hash of the password.
    pub hash: PasswordHash,
    /// The person who sets it.
    pub setter: PasswordSetter,
}
