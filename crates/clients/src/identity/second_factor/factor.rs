use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{AccountId, Person, SessionId};

use crate::{PasswordHash, TotpStep};

/// A secret as it is kept: nobody reads it without the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedSecret(pub Vec<u8>);

/// What is kept of a recovery code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RecoveryCodeHash(pub Vec<u8>);

/// The second factor of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFactor {
    /// Its secret.
    pub secret: SealedSecret,
    /// The step of the last code that was used. None while the owner has not shown that they have the secret: then nobody
    /// is asked for a code.
    pub last_step: Option<TotpStep>,
    /// The recovery codes that were not used.
    pub unused_codes: Vec<RecoveryCodeHash>,
}

impl StoredFactor {
    /// Whether it is asked for.
    pub const fn is_on(&self) -> bool {
        self.last_step.is_some()
    }
}

/// What somebody has shown beside their password. Each is good once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecondFactorProof {
    /// Nothing, because nothing is asked for.
    NotAsked,
    /// A code of this step.
    Step(TotpStep),
    /// A recovery code.
    Recovery(RecoveryCodeHash),
}

/// A second factor that its owner begins to set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFactor {
    /// Whose.
    pub person: Person,
    /// The hash that their password was checked against.
    pub checked: PasswordHash,
    /// Its secret.
    pub secret: SealedSecret,
    /// When.
    pub at: DateTime<Utc>,
}

/// That the owner of a second factor has its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactorConfirmation {
    /// Whose.
    pub person: Person,
    /// The secret that the code was made with.
    pub secret: SealedSecret,
    /// The step of the code.
    pub step: TotpStep,
    /// The recovery codes.
    pub codes: Vec<RecoveryCodeHash>,
    /// The session that goes on.
    pub kept: SessionId,
    /// When.
    pub at: DateTime<Utc>,
}

/// The account by which a person signs in; voters have none.
pub(crate) const fn account_of(person: Person) -> Option<AccountId> {
    match person {
        Person::SuperAdmin { account } | Person::ClientAdmin { account, .. } => Some(account),
        Person::EndUser { .. } => None,
    }
}

/// So many wrong codes are let pass at once, and one more each five minutes: with three good ones out of a million, whoever
/// knows the password guesses one within a day with a probability of less than one in a thousand.
pub(crate) const WRONG_CODES: (i32, TimeDelta) = (5, TimeDelta::minutes(5));

/// So often somebody with the right password may come without a code. Beyond that it is noted as a failure.
pub(crate) const PASSWORDS_ALONE: (i32, TimeDelta) = (10, TimeDelta::minutes(6));
