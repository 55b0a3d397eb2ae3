use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::ActingPerson;

/// What an access token says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessClaims {
    /// Who may act.
    pub acting: ActingPerson,
    /// Until when, to the second.
    pub expires_at: DateTime<Utc>,
}

impl AccessClaims {
    /// How long an access token lasts.
    pub const LIFETIME: TimeDelta = TimeDelta::minutes(15);
}

/// Why an access token is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenRefusal {
    /// It was good once.
    #[error("the access token has expired")]
    Expired,
    /// It was never ours: garbled, forged, signed with another key or algorithm.
    #[error("the access token is not valid")]
    Invalid,
}

/// Makes and reads access tokens.
pub trait AccessTokens: Send + Sync {
    /// Signs `claims`.
    fn issue(&self, claims: &AccessClaims) -> String;

    /// Checks the signature first, then the time.
    ///
    /// # Errors
    /// MUST return [`TokenRefusal::Expired`] only for a token that this key has signed.
    fn read(&self, token: &str, now: DateTime<Utc>) -> Result<AccessClaims, TokenRefusal>;
}
