use std::net::IpAddr;
use std::sync::Arc;

use chrono::TimeDelta;
use plenum_kernel::{AccountId, ActingPerson, EmailAddress, Person, PortFailure};

use crate::identity::second_factor::factor::account_of;
use crate::identity::second_factor::totp::TypedCode;
use crate::identity::sign_in::second_factor_check::CodeEntry;
use crate::{
    AccountStore, FactorConfirmation, NewFactor, PersonProfile, RecoveryCode, RecoveryCodeHash, SecondFactorProof,
    SignInError, SignInService, StoredFactor, TotpStep, Waiting,
};

/// The state of a second factor, as its owner sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnSecondFactor {
    /// Whether sign-in requires it.
    pub is_on: bool,
    /// The number of unused recovery codes.
    pub recovery_codes_left: usize,
}

/// A signed-in person who confirms their password.
#[derive(Clone, Debug)]
pub struct OwnPassword {
    /// The person and their session.
    pub acting: ActingPerson,
    /// The password, as typed.
    pub password: String,
    /// The network address of the caller.
    pub from: IpAddr,
    /// The place of the request in the sign-in queue.
    pub waiting: Waiting,
}

/// The secret for the owner's authenticator.
#[derive(Clone, PartialEq, Eq)]
pub struct SetUp {
    /// The secret as text, to type.
    pub secret: String,
    /// The secret as an address, for a QR code.
    pub uri: String,
}

/// The reason why a second factor was not changed.
#[derive(Debug, thiserror::Error)]
pub enum SecondFactorError {
    /// The password is wrong.
    #[error("the current password is wrong")]
    WrongPassword,
    /// The code belongs to another secret or time, or was used.
    #[error("the code is wrong, or was used already")]
    WrongCode,
    /// The secret cannot be decrypted, because the signing key has changed.
    #[error("the code is wrong, or was used already")]
    Unreadable,
    /// The second factor is on.
    #[error("the second factor is on already")]
    On,
    /// The second factor is not on, or its setup has not begun.
    #[error("there is no second factor")]
    Off,
    /// There were too many wrong passwords or codes.
    #[error("too many wrong attempts")]
    TooManyTries {
        /// The time until the next attempt is allowed.
        retry_after: TimeDelta,
    },
    /// The person was removed during the request, or has no account.
    #[error("the session has ended")]
    SessionEnded,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

impl From<SignInError> for SecondFactorError {
    fn from(error: SignInError) -> Self {
        match error {
            SignInError::WrongCredentials | SignInError::WrongPortal => Self::WrongPassword,
            SignInError::SecondFactorRequired | SignInError::SecondFactorWrong => Self::WrongCode,
            SignInError::SecondFactorUnreadable => Self::Unreadable,
            SignInError::TooManyTries { retry_after } => Self::TooManyTries { retry_after },
            SignInError::Port(failure) => Self::Port(failure),
        }
    }
}

/// The reason why a second factor was not removed for its owner.
#[derive(Debug, thiserror::Error)]
pub enum SecondFactorRecoveryError {
    /// There is no such account.
    #[error("the account does not exist")]
    NoAccount,
    /// The account's second factor is not on.
    #[error("there is no second factor")]
    Off,
    /// The account is a super administrator's. A session of one super administrator must not weaken the others.
    #[error("the second factor of a super administrator is removed on the server, by plenum remove-second-factor")]
    ByCommandOnly,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Sets up, renews and removes second factors.
pub struct SecondFactorService {
    sign_in: Arc<SignInService>,
    accounts: Arc<dyn AccountStore>,
}

impl SecondFactorService {
    /// A service over the account store. `sign_in` checks passwords and codes, so that both count failures together.
    pub fn new(sign_in: Arc<SignInService>, accounts: Arc<dyn AccountStore>) -> Self {
        Self { sign_in, accounts }
    }

    /// Finds the state of an account's second factor.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn own(&self, account: AccountId) -> Result<OwnSecondFactor, PortFailure> {
        let factor = self.sign_in.ports.factors.find(account).await?.filter(StoredFactor::is_on);
        let recovery_codes_left = factor.as_ref().map_or(0, |factor| factor.unused_codes.len());
        Ok(OwnSecondFactor { is_on: factor.is_some(), recovery_codes_left })
    }

    /// Makes a new secret. Sign-in requires its codes once the owner has confirmed it with one.
    ///
    /// # Errors
    /// Fails when the password is wrong, the second factor is on, or there were too many failures.
    pub async fn begin(&self, own: OwnPassword) -> Result<SetUp, SecondFactorError> {
        let OwnPassword { acting: ActingPerson { person, .. }, password, from, waiting } = own;
        let (account, profile) = self.account_holder(person).await?;
        if self.sign_in.factor_of(person).await?.is_some() {
            return Err(SecondFactorError::On);
        }
        let email = profile.email.as_ref().ok_or(SecondFactorError::SessionEnded)?;
        let attempt = self.sign_in.own_attempt(&profile, from);
        self.sign_in.admit(&attempt, &waiting)?;
        let found = self.sign_in.ports.passwords.of_person(person).await?;
        let checked = self.sign_in.check_password(attempt, found, password, waiting).await?.password_hash;
        let secret = self.sign_in.ports.factor_cipher.new_secret();
        let sealed = self.sign_in.ports.factor_cipher.seal(account, &secret);
        let new = NewFactor { person, checked, secret: sealed, at: self.sign_in.ports.clock.now() };
        if !self.sign_in.ports.factors.begin(new).await? {
            // Another secret was confirmed, or the password changed, since the check.
            let is_on = self.sign_in.factor_of(person).await?.is_some();
            return Err(if is_on { SecondFactorError::On } else { SecondFactorError::WrongPassword });
        }
        Ok(SetUp { secret: secret.base32(), uri: secret.uri(email) })
    }

    /// Turns the second factor on by a code of the newest secret, and ends all other sessions. Returns the recovery
    /// codes.
    ///
    /// # Errors
    /// Fails when the code is wrong, the setup has not begun, the second factor is on, or too many codes were wrong.
    pub async fn confirm(&self, acting: ActingPerson, code: &str) -> Result<Vec<RecoveryCode>, SecondFactorError> {
        let ActingPerson { session: kept, person } = acting;
        let account = account_of(person).ok_or(SecondFactorError::SessionEnded)?;
        let factor = self.sign_in.ports.factors.find(account).await?.ok_or(SecondFactorError::Off)?;
        if factor.is_on() {
            return Err(SecondFactorError::On);
        }
        let Some(TypedCode::Totp(code)) = TypedCode::parse(code) else { return Err(SecondFactorError::WrongCode) };
        self.sign_in
            .wrong_codes
            .take(&account)
            .map_err(|retry_after| SecondFactorError::TooManyTries { retry_after })?;
        let cipher = &self.sign_in.ports.factor_cipher;
        let secret = cipher.open(account, &factor.secret).ok_or(SecondFactorError::Unreadable)?;
        let now = self.sign_in.ports.clock.now();
        let step = TotpStep::of_code(code, now, None, |step| cipher.code(&secret, step));
        let step = step.ok_or(SecondFactorError::WrongCode)?;
        self.sign_in.wrong_codes.give_back(&account);
        let (codes, hashes) = self.new_codes();
        let confirmation = FactorConfirmation { person, secret: factor.secret, step, codes: hashes, kept, at: now };
        // Another secret was made, or the second factor was turned on, since the check.
        let is_on = self.sign_in.ports.factors.confirm(confirmation).await?;
        if is_on { Ok(codes) } else { Err(SecondFactorError::WrongCode) }
    }

    /// Replaces all recovery codes by new ones.
    ///
    /// # Errors
    /// Fails when the password or the code is wrong, the second factor is not on, or there were too many failures.
    pub async fn renew_recovery_codes(
        &self,
        own: OwnPassword,
        code: &str,
    ) -> Result<Vec<RecoveryCode>, SecondFactorError> {
        let (person, proof) = self.check_both(own, code).await?;
        let (codes, hashes) = self.new_codes();
        let is_done =
            self.sign_in.ports.factors.renew_codes(person, proof, hashes, self.sign_in.ports.clock.now()).await?;
        if is_done { Ok(codes) } else { Err(SecondFactorError::WrongCode) }
    }

    /// Removes the second factor with its secret and recovery codes.
    ///
    /// # Errors
    /// Fails when the password or the code is wrong, the second factor is not on, or there were too many failures.
    pub async fn remove(&self, own: OwnPassword, code: &str) -> Result<(), SecondFactorError> {
        let (person, proof) = self.check_both(own, code).await?;
        let is_done = self.sign_in.ports.factors.remove(person, proof, self.sign_in.ports.clock.now()).await?;
        if is_done { Ok(()) } else { Err(SecondFactorError::WrongCode) }
    }

    async fn check_both(&self, own: OwnPassword, code: &str) -> Result<(Person, SecondFactorProof), SecondFactorError> {
        let typed_at = self.sign_in.ports.clock.now();
        let OwnPassword { acting: ActingPerson { person, .. }, password, from, waiting } = own;
        let (account, profile) = self.account_holder(person).await?;
        let factor = self.sign_in.factor_of(person).await?.ok_or(SecondFactorError::Off)?;
        let attempt = self.sign_in.own_attempt(&profile, from);
        self.sign_in.admit(&attempt, &waiting)?;
        let found = self.sign_in.ports.passwords.of_person(person).await?;
        let (check, _) = self.sign_in.verify_password(attempt, found, password, waiting).await?;
        let proof = self
            .sign_in
            .check_factor(&check, account, &factor, CodeEntry { code: Some(code), typed_at })
            .inspect_err(|error| self.sign_in.note_wrong_code(person, error))?;
        Ok((person, proof))
    }

    async fn account_holder(&self, person: Person) -> Result<(AccountId, PersonProfile), SecondFactorError> {
        let account = account_of(person).ok_or(SecondFactorError::SessionEnded)?;
        let profile = self.sign_in.profile(person).await?.ok_or(SecondFactorError::SessionEnded)?;
        Ok((account, profile))
    }

    fn new_codes(&self) -> (Vec<RecoveryCode>, Vec<RecoveryCodeHash>) {
        let new = || RecoveryCode::new(&*self.sign_in.ports.secrets);
        let codes: Vec<RecoveryCode> = (0..RecoveryCode::AT_A_TIME).map(|_| new()).collect();
        let hashes = codes.iter().map(|code| self.sign_in.recovery_hash(code)).collect();
        (codes, hashes)
    }

    /// Removes the second factor of a client's administrator who lost it, and ends all their sessions. Returns the
    /// owner of the account.
    ///
    /// # Errors
    /// Fails when there is no such account or second factor, or the account is a super administrator's.
    pub async fn recover(&self, account: AccountId) -> Result<Person, SecondFactorRecoveryError> {
        match self.sign_in.ports.factors.owner(account).await?.ok_or(SecondFactorRecoveryError::NoAccount)? {
            Person::SuperAdmin { .. } => Err(SecondFactorRecoveryError::ByCommandOnly),
            Person::ClientAdmin { .. } | Person::EndUser { .. } => self.remove_without_proof(account).await,
        }
    }

    /// Removes the second factor of the account with this address, also a super administrator's, and ends all its
    /// sessions. For the operator of the server.
    ///
    /// # Errors
    /// Fails when there is no such account or second factor.
    pub async fn recover_by_email(&self, email: &EmailAddress) -> Result<Person, SecondFactorRecoveryError> {
        let found = self.accounts.account_credentials(email).await?;
        let account = found.and_then(|found| account_of(found.person)).ok_or(SecondFactorRecoveryError::NoAccount)?;
        self.remove_without_proof(account).await
    }

    async fn remove_without_proof(&self, account: AccountId) -> Result<Person, SecondFactorRecoveryError> {
        let ports = &self.sign_in.ports;
        ports.factors.remove_without_proof(account, ports.clock.now()).await?.ok_or(SecondFactorRecoveryError::Off)
    }
}
