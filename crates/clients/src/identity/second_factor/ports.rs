use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, Person, PortFailure};

use crate::{
    FactorConfirmation, NewFactor, RecoveryCodeHash, SealedSecret, SecondFactorProof, StoredFactor, TotpCode,
    TotpSecret, TotpStep,
};

/// Where second factors are kept. Each call is one transaction.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait SecondFactorStore: Send + Sync {
    /// The second factor of an account, be it on or not. `None` when there is none.
    async fn find(&self, account: AccountId) -> Result<Option<StoredFactor>, PortFailure>;

    /// Whose account this is. `None` when it is gone.
    async fn owner(&self, account: AccountId) -> Result<Option<Person>, PortFailure>;

    /// Stores a second factor that is not on yet, in place of another one that is not. MUST change nothing and say no when
    /// one is on, or the person is gone or has another password than was checked.
    async fn begin(&self, new: NewFactor) -> Result<bool, PortFailure>;

    /// Turns a second factor on with these recovery codes, and ends all other sessions of the person. The step counts as
    /// used. MUST change nothing and say no when there is none with this secret, or one is on.
    async fn confirm(&self, confirmation: FactorConfirmation) -> Result<bool, PortFailure>;

    /// Uses up the proof, and stores these recovery codes in place of all others. MUST change nothing and say no when the
    /// proof is not good, as in [`SessionStore::open`]; [`crate::SecondFactorProof::NotAsked`] is none.
    async fn renew_codes(
        &self,
        person: Person,
        proof: SecondFactorProof,
        codes: Vec<RecoveryCodeHash>,
        now: DateTime<Utc>,
    ) -> Result<bool, PortFailure>;

    /// Uses up the proof, and removes the second factor with its recovery codes. MUST change nothing and say no as
    /// [`Self::renew_codes`] does.
    async fn remove(&self, person: Person, proof: SecondFactorProof, now: DateTime<Utc>) -> Result<bool, PortFailure>;

    /// Removes the second factor of somebody who cannot prove that it is theirs, ends all their sessions, and says whose
    /// they are. `None`, and nothing changes, when none is on.
    async fn take_away(&self, account: AccountId, now: DateTime<Utc>) -> Result<Option<Person>, PortFailure>;
}

/// Makes the secrets of second factors, and seals them: a store alone gives none of them away.
pub trait SecondFactorCipher: Send + Sync {
    /// A random secret.
    fn new_secret(&self) -> TotpSecret;

    /// The secret as it is kept for this account.
    fn seal(&self, account: AccountId, secret: &TotpSecret) -> SealedSecret;

    /// What was sealed for this account. `None` when it was sealed for another one, by another key, or was changed.
    fn open(&self, account: AccountId, sealed: &SealedSecret) -> Option<TotpSecret>;

    /// The code of a step: HMAC-SHA-1 of its number (RFC 6238), cut by [`TotpCode::of_mac`].
    fn code(&self, secret: &TotpSecret, step: TotpStep) -> TotpCode;
}
