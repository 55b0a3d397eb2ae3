use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, PortFailure, SignInTicket};

use crate::{
    AccessClaims, AccessTokens, DeviceId, DeviceMark, DeviceTokens, Password, PasswordHash, PasswordHasher,
    RefreshTokenHash, RefreshTokens, Renewal, SealedSecret, SecondFactorCipher, SignInQueue, TokenRefusal, TotpCode,
    TotpSecret, TotpStep, Turn, TurnAnswer,
};

/// A hasher that is instant and hides nothing.
#[derive(Debug, Default)]
pub struct InstantHasher;

impl InstantHasher {
    /// The "hash" of a password.
    pub fn hash_of(password: &str) -> PasswordHash {
        PasswordHash::new(format!("instant:{password}"))
    }
}

#[async_trait]
impl PasswordHasher for InstantHasher {
    async fn hash(&self, password: Password) -> Result<PasswordHash, PortFailure> {
        Ok(Self::hash_of(password.expose()))
    }

    async fn hash_random(&self, password: Password) -> Result<PasswordHash, PortFailure> {
        self.hash(password).await
    }

    async fn verify(&self, candidate: String, hash: Option<PasswordHash>, turn: Turn) -> Result<bool, PortFailure> {
        // There is no queue.
        if (turn.has_left)() || (turn.answer)() != TurnAnswer::Wanted {
            return Err(PortFailure::busy("a check without a caller"));
        }
        Ok(hash.is_some_and(|hash| hash == Self::hash_of(&candidate)))
    }

    fn queue(&self, _: Option<SignInTicket>) -> SignInQueue {
        SignInQueue { ahead: 0, wait: Duration::ZERO, is_own: false }
    }
}

/// Access tokens `access-1`, `access-2`, …. Only the value that issued them can read them.
#[derive(Debug, Default)]
pub struct NumberedAccessTokens(Mutex<HashMap<String, AccessClaims>>);

impl AccessTokens for NumberedAccessTokens {
    fn issue(&self, claims: &AccessClaims) -> String {
        let mut issued = self.0.lock().expect("no test panics while it holds the tokens");
        let token = format!("access-{}", issued.len() + 1);
        issued.insert(token.clone(), *claims);
        token
    }

    fn read(&self, token: &str, now: DateTime<Utc>) -> Result<AccessClaims, TokenRefusal> {
        let issued = self.0.lock().expect("no test panics while it holds the tokens");
        let claims = issued.get(token).ok_or(TokenRefusal::Invalid)?;
        if now < claims.expires_at { Ok(*claims) } else { Err(TokenRefusal::Expired) }
    }
}

/// Stores refresh tokens without a hash.
#[derive(Debug, Default)]
pub struct PlainRefreshTokens;

impl RefreshTokens for PlainRefreshTokens {
    fn hash(&self, token: &str) -> RefreshTokenHash {
        RefreshTokenHash(token.as_bytes().to_vec())
    }

    fn successor(&self, token: &str) -> String {
        format!("{token}+")
    }
}

impl PlainRefreshTokens {
    /// The exchange of a token for this successor, always by the same device.
    pub fn renewal(presented: &str, next: &str) -> Renewal {
        Self::renewal_by("a phone", presented, next)
    }

    /// The exchange of a token for this successor by this device.
    pub fn renewal_by(device: &str, presented: &str, next: &str) -> Renewal {
        let by = DeviceMark(device.as_bytes().to_vec());
        Renewal { presented: Self.hash(presented), next: Self.hash(next), by, id: None }
    }
}

/// Device tokens in plain text with the device and its name, without a signature.
#[derive(Debug, Default)]
pub struct PlainDeviceTokens(AtomicU8);

impl DeviceTokens for PlainDeviceTokens {
    fn issue(&self, name: &str, device: Option<DeviceId>, _: DateTime<Utc>) -> String {
        let DeviceId([number, ..]) = device.unwrap_or_else(|| DeviceId([self.0.fetch_add(1, Ordering::Relaxed); 16]));
        format!("device {number} of {name}")
    }

    fn is_genuine(&self, token: &str, _: DateTime<Utc>) -> bool {
        token.starts_with("device ")
    }

    fn read(&self, name: &str, token: &str, _: DateTime<Utc>) -> Option<DeviceId> {
        let (number, of) = token.strip_prefix("device ")?.split_once(" of ")?;
        let number = number.parse().ok()?;
        (of == name).then_some(DeviceId([number; DeviceId::BYTES]))
    }
}

/// Secrets that count, and a cipher that only adds the account. Codes derive from the secret and are easily guessed.
#[derive(Debug, Default)]
pub struct PlainFactorCipher {
    made: AtomicU8,
    /// The number of the key.
    key: u8,
}

impl PlainFactorCipher {
    /// A cipher with this key. It cannot decrypt secrets of other keys.
    pub fn with_key(key: u8) -> Self {
        Self { key, ..Self::default() }
    }

    fn seal_of(&self, account: AccountId) -> Vec<u8> {
        [&[self.key], account.as_uuid().as_bytes().as_slice()].concat()
    }
}

impl SecondFactorCipher for PlainFactorCipher {
    fn new_secret(&self) -> TotpSecret {
        TotpSecret::new([self.made.fetch_add(1, Ordering::Relaxed) + 1; TotpSecret::BYTES])
    }

    fn seal(&self, account: AccountId, secret: &TotpSecret) -> SealedSecret {
        SealedSecret([self.seal_of(account), secret.expose().to_vec()].concat())
    }

    fn open(&self, account: AccountId, sealed: &SealedSecret) -> Option<TotpSecret> {
        let secret = sealed.0.strip_prefix(self.seal_of(account).as_slice())?;
        secret.try_into().ok().map(TotpSecret::new)
    }

    fn code(&self, secret: &TotpSecret, step: TotpStep) -> TotpCode {
        let mut mac = *secret.expose();
        let [.., a, b, c, d] = step.0.to_be_bytes();
        // Truncated at its beginning.
        mac[..4].copy_from_slice(&[a, b ^ secret.expose()[0], c, d]);
        mac[19] = 0;
        TotpCode::of_mac(&mac)
    }
}
