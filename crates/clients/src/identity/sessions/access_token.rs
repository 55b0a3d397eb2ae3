use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::ActingPerson;

/// The claims of an access token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessClaims {
    /// The person and session that may act with it.
    pub acting: ActingPerson,
    /// The time of expiry, to the second.
    pub expires_at: DateTime<Utc>,
}

impl AccessClaims {
    /// The lifetime of an access token.
    pub const LIFETIME: TimeDelta = TimeDelta::minutes(15);
}

/// The reason why an access token is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenRefusal {
    /// The token has expired.
    #[error("the access token has expired")]
    Expired,
    /// The server has not issued the token: it is malformed, forged, or signed with another key or algorithm.
    #[error("the access token is not valid")]
    Invalid,
}

/// Issues and reads access tokens.
pub trait AccessTokens: Send + Sync {
    /// Issues a signed token with these claims.
    fn issue(&self, claims: &AccessClaims) -> String;

    /// Reads a token. Checks the signature first, then the time.
    ///
    /// # Errors
    /// MUST return [`TokenRefusal::Expired`] only for a token that this key has signed.
    fn read(&self, token: &str, now: DateTime<Utc>) -> Result<AccessClaims, TokenRefusal>;
}
