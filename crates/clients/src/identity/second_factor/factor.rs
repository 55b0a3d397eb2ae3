use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{AccountId, Person, SessionId};

use crate::{PasswordHash, TotpStep};

/// An encrypted secret, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedSecret(pub Vec<u8>);

/// The hash of a recovery code, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RecoveryCodeHash(pub Vec<u8>);

/// The second factor of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFactor {
    /// The encrypted secret.
    pub secret: SealedSecret,
    /// The step of the last used code. `None` until the owner has confirmed the secret with a code; sign-in requires no
    /// code before.
    pub last_step: Option<TotpStep>,
    /// The unused recovery codes.
    pub unused_codes: Vec<RecoveryCodeHash>,
}

impl StoredFactor {
    /// Whether sign-in requires it.
    pub const fn is_on(&self) -> bool {
        self.last_step.is_some()
    }
}

/// The proof of a second factor. Each proof works once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecondFactorProof {
    /// No proof, because none is required.
    NotAsked,
    /// A code of this step.
    Step(TotpStep),
    /// A recovery code.
    Recovery(RecoveryCodeHash),
}

/// A second factor whose owner begins to set it up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFactor {
    /// The owner.
    pub person: Person,
    /// The hash against which the password was checked.
    pub checked: PasswordHash,
    /// The encrypted secret.
    pub secret: SealedSecret,
    /// The time.
    pub at: DateTime<Utc>,
}

/// The confirmation of a second factor by a code of its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactorConfirmation {
    /// The owner.
    pub person: Person,
    /// The secret of the code.
    pub secret: SealedSecret,
    /// The step of the code.
    pub step: TotpStep,
    /// The recovery codes.
    pub codes: Vec<RecoveryCodeHash>,
    /// The session that stays active.
    pub kept: SessionId,
    /// The time.
    pub at: DateTime<Utc>,
}

/// The account of a person; voters have none.
pub(crate) const fn account_of(person: Person) -> Option<AccountId> {
    match person {
        Person::SuperAdmin { account } | Person::ClientAdmin { account, .. } => Some(account),
        Person::EndUser { .. } => None,
    }
}

/// The limit on wrong codes: five at once, and one more every five minutes. Three of a million codes are valid at a
/// time, so an attacker who knows the password guesses one within a day with a probability below one in a thousand.
pub(crate) const WRONG_CODES: (i32, TimeDelta) = (5, TimeDelta::minutes(5));

/// The limit on right passwords without a code. Beyond it they count as failures.
pub(crate) const MISSING_CODES: (i32, TimeDelta) = (10, TimeDelta::minutes(6));
