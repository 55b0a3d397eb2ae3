use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{PortFailure, SignInTicket};

use crate::{
    AccessClaims, AccessTokens, Password, PasswordHash, PasswordHasher, RefreshTokenHash, RefreshTokens, SignInQueue,
    TokenRefusal, Turn, TurnAnswer,
};

/// A hasher that takes no time and hides nothing.
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
        // There is no queue to wait in.
        if (turn.has_left)() || (turn.answer)() != TurnAnswer::Wanted {
            return Err(PortFailure::busy("a check that nobody waits for"));
        }
        Ok(hash.is_some_and(|hash| hash == Self::hash_of(&candidate)))
    }

    fn queue(&self, _: Option<SignInTicket>) -> SignInQueue {
        SignInQueue { ahead: 0, wait: Duration::ZERO, is_own: false }
    }
}

/// Access tokens `access-1`, `access-2`, …, which only the value that issued them can read.
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

/// Keeps refresh tokens as they are.
#[derive(Debug, Default)]
pub struct PlainRefreshTokens;

impl RefreshTokens for PlainRefreshTokens {
    fn hash(&self, token: &str) -> RefreshTokenHash {
        RefreshTokenHash(token.as_bytes().to_vec())
    }
}
