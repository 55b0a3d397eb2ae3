use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{AccountId, Person, PortFailure, SessionId};

use crate::identity::second_factor::totp::TypedCode;
use crate::identity::sign_in::throttle::CheckUnderWay;
use crate::{PasswordHash, SignInError, SignInService, TotpStep};

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

impl SignInService {
    /// The second factor that the person is asked for, if there is one.
    pub(crate) async fn factor_of(&self, person: Person) -> Result<Option<StoredFactor>, PortFailure> {
        let Some(account) = account_of(person) else { return Ok(None) };
        Ok(self.ports.factors.find(account).await?.filter(StoredFactor::is_on))
    }

    /// Checks the code after the password was right, and settles the check of both: it has succeeded only with the code.
    /// Else whoever knows the password would take back, by every other try, the failures of their guesses.
    ///
    /// A code is judged by when it came in: the queue of sign-ins may take longer than a code is good.
    pub(crate) fn check_factor(
        &self,
        check: &CheckUnderWay,
        account: AccountId,
        factor: &StoredFactor,
        typed: Option<&str>,
        typed_at: DateTime<Utc>,
    ) -> Result<SecondFactorProof, SignInError> {
        let Some(typed) = typed else {
            self.stop_short(check, account)?;
            return Err(SignInError::SecondFactorRequired);
        };
        match TypedCode::parse(typed) {
            Some(TypedCode::Totp(code)) => {
                // Counted before it is looked at, so that guesses at the same time are no more than one by one.
                if let Err(retry_after) = self.wrong_codes.take(&account) {
                    self.stop_short(check, account)?;
                    return Err(SignInError::TooManyTries { retry_after });
                }
                let Some(secret) = self.ports.factor_cipher.open(account, &factor.secret) else {
                    check.settle(false)?;
                    return Err(SignInError::SecondFactorUnreadable);
                };
                let code_at = |step| self.ports.factor_cipher.code(&secret, step);
                let step = TotpStep::of_code(code, typed_at, factor.last_step, code_at);
                check.settle(step.is_some())?;
                let step = step.ok_or(SignInError::SecondFactorWrong)?;
                self.wrong_codes.give_back(&account);
                Ok(SecondFactorProof::Step(step))
            }
            // Nobody guesses 75 bits. So these are not counted as codes, and whoever is kept out by somebody else's guesses
            // still gets in.
            Some(TypedCode::Recovery(code)) => {
                let hash = self.recovery_hash(&code);
                let is_right = factor.unused_codes.contains(&hash);
                check.settle(is_right)?;
                if is_right { Ok(SecondFactorProof::Recovery(hash)) } else { Err(SignInError::SecondFactorWrong) }
            }
            None => {
                check.settle(false)?;
                Err(SignInError::SecondFactorWrong)
            }
        }
    }

    /// Leaves a check whose password was right, and which goes no further: that is neither a success nor, unless it happens
    /// too often, a failure.
    pub(crate) fn stop_short(&self, check: &CheckUnderWay, account: AccountId) -> Result<(), SignInError> {
        if self.passwords_alone.take(&account).is_ok() { check.leave() } else { check.settle(false) }
    }

    pub(crate) fn recovery_hash(&self, code: &crate::RecoveryCode) -> RecoveryCodeHash {
        RecoveryCodeHash(self.ports.refresh_tokens.hash(code.expose()).0)
    }
}
