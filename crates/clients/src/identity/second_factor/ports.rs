use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, Person, PortFailure};

use crate::{
    FactorConfirmation, NewFactor, RecoveryCodeHash, SealedSecret, SecondFactorProof, StoredFactor, TotpCode,
    TotpSecret, TotpStep,
};

/// Stores second factors. Each call is one transaction.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait SecondFactorStore: Send + Sync {
    /// Finds the second factor of an account, also one that is not on.
    async fn find(&self, account: AccountId) -> Result<Option<StoredFactor>, PortFailure>;

    /// Finds the owner of an account.
    async fn owner(&self, account: AccountId) -> Result<Option<Person>, PortFailure>;

    /// Stores a second factor that is not on, and replaces another one that is not on. MUST change nothing and return
    /// `false` when one is on, the person was removed, or the person has another password than the checked one.
    async fn begin(&self, new: NewFactor) -> Result<bool, PortFailure>;

    /// Turns a second factor on with these recovery codes, and ends all other sessions of the person. The step counts
    /// as used. MUST change nothing and return `false` when there is none with this secret, or one is on.
    async fn confirm(&self, confirmation: FactorConfirmation) -> Result<bool, PortFailure>;

    /// Uses the proof up, and replaces all recovery codes by these. MUST change nothing and return `false` when the
    /// proof is not valid, as in [`SessionStore::open`]. [`crate::SecondFactorProof::NotAsked`] is not valid.
    async fn renew_codes(
        &self,
        person: Person,
        proof: SecondFactorProof,
        codes: Vec<RecoveryCodeHash>,
        now: DateTime<Utc>,
    ) -> Result<bool, PortFailure>;

    /// Uses the proof up, and removes the second factor with its recovery codes. MUST change nothing and return `false`
    /// as [`Self::renew_codes`] does.
    async fn remove(&self, person: Person, proof: SecondFactorProof, now: DateTime<Utc>) -> Result<bool, PortFailure>;

    /// Removes the second factor of an account without a proof, ends all its sessions, and returns its owner. Returns
    /// `None`, and changes nothing, when none is on.
    async fn remove_without_proof(&self, account: AccountId, now: DateTime<Utc>)
    -> Result<Option<Person>, PortFailure>;
}

/// Makes and encrypts the secrets of second factors, so that the store alone does not reveal them.
pub trait SecondFactorCipher: Send + Sync {
    /// A new random secret.
    fn new_secret(&self) -> TotpSecret;

    /// Encrypts the secret for this account.
    fn seal(&self, account: AccountId, secret: &TotpSecret) -> SealedSecret;

    /// Decrypts a secret of this account. `None` when it was encrypted for another account or with another key, or was
    /// changed.
    fn open(&self, account: AccountId, sealed: &SealedSecret) -> Option<TotpSecret>;

    /// The code of a step: HMAC-SHA-1 of its number (RFC 6238), truncated by [`TotpCode::of_mac`].
    fn code(&self, secret: &TotpSecret, step: TotpStep) -> TotpCode;
}
