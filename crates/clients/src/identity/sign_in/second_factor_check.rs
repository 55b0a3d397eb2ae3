use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, Person, PortFailure};

use crate::identity::second_factor::factor::account_of;
use crate::identity::second_factor::totp::TypedCode;
use crate::identity::sign_in::password_check::PasswordCheck;
use crate::{RecoveryCodeHash, SecondFactorProof, SignInError, SignInService, StoredFactor, TotpStep};

/// A code that a person typed, and the time of the request.
#[derive(Clone, Copy)]
pub(crate) struct CodeEntry<'a> {
    /// `None` if the request has no code.
    pub(crate) code: Option<&'a str>,
    /// The code must be valid at this time.
    pub(crate) typed_at: DateTime<Utc>,
}

impl SignInService {
    /// The second factor of the person, if it is on.
    pub(crate) async fn factor_of(&self, person: Person) -> Result<Option<StoredFactor>, PortFailure> {
        let Some(account) = account_of(person) else { return Ok(None) };
        Ok(self.ports.factors.find(account).await?.filter(StoredFactor::is_on))
    }

    /// Checks the code after a right password, and settles the check of both. Only both together are a success:
    /// otherwise an attacker who knows the password could take back the failures of their guesses with every other
    /// attempt.
    ///
    /// The code must be valid at the time of the request, because the queue may take longer than a code is valid.
    pub(crate) fn check_factor(
        &self,
        check: &PasswordCheck,
        account: AccountId,
        factor: &StoredFactor,
        entry: CodeEntry<'_>,
    ) -> Result<SecondFactorProof, SignInError> {
        let Some(typed) = entry.code else {
            self.end_early(check, account)?;
            return Err(SignInError::SecondFactorRequired);
        };
        match TypedCode::parse(typed) {
            Some(TypedCode::Totp(code)) => {
                // Counted before the comparison, so that parallel guesses are limited like sequential ones.
                if let Err(retry_after) = self.wrong_codes.take(&account) {
                    self.end_early(check, account)?;
                    return Err(SignInError::TooManyTries { retry_after });
                }
                let Some(secret) = self.ports.factor_cipher.open(account, &factor.secret) else {
                    check.settle(false)?;
                    return Err(SignInError::SecondFactorUnreadable);
                };
                let code_at = |step| self.ports.factor_cipher.code(&secret, step);
                let step = TotpStep::of_code(code, entry.typed_at, factor.last_step, code_at);
                check.settle(step.is_some())?;
                let step = step.ok_or(SignInError::SecondFactorWrong)?;
                self.wrong_codes.give_back(&account);
                Ok(SecondFactorProof::Step(step))
            }
            // 75 random bits cannot be guessed. So recovery codes do not count as codes, and still work for an owner
            // whose limit others have used up.
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

    /// Ends a check whose password was right, but whose sign-in goes no further. It is no success, and a failure only
    /// if it happens too often.
    pub(crate) fn end_early(&self, check: &PasswordCheck, account: AccountId) -> Result<(), SignInError> {
        if self.missing_codes.take(&account).is_ok() { check.leave() } else { check.settle(false) }
    }

    pub(crate) fn recovery_hash(&self, code: &crate::RecoveryCode) -> RecoveryCodeHash {
        RecoveryCodeHash(self.ports.refresh_tokens.hash(code.expose()).0)
    }
}
