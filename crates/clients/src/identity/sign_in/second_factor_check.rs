use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, Person, PortFailure};

use crate::identity::second_factor::factor::account_of;
use crate::identity::second_factor::totp::TypedCode;
use crate::identity::sign_in::password_check::CheckUnderWay;
use crate::{RecoveryCodeHash, SecondFactorProof, SignInError, SignInService, StoredFactor, TotpStep};

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
