use chrono::TimeDelta;
use plenum_kernel::{PortFailure, SessionId};

/// The reason why a sign-in was refused.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// The name or the password is wrong, or the person is not active. The caller does not learn which.
    #[error("the name or the password is wrong")]
    WrongCredentials,
    /// The password is right, but the account belongs to another portal.
    #[error("access denied")]
    WrongPortal,
    /// The password is right, and the code of the second factor is missing.
    #[error("a code of the second factor is required")]
    SecondFactorRequired,
    /// The password is right, and the code is wrong or was used.
    #[error("the code is wrong, or was used already")]
    SecondFactorWrong,
    /// The password is right, but the secret of the second factor cannot be decrypted, because the signing key has
    /// changed.
    #[error("the code is wrong, or was used already")]
    SecondFactorUnreadable,
    /// There were too many failures for this name or from this address. The password may be right.
    #[error("too many failed sign-ins")]
    TooManyTries {
        /// The time until the next attempt is allowed.
        retry_after: TimeDelta,
    },
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why no new tokens were issued.
#[derive(Debug, thiserror::Error)]
pub enum RefreshError {
    /// The refresh token is unknown, used or expired, or its session has ended.
    #[error("the session has ended")]
    SessionEnded,
    /// The refresh token was stolen, so its session has just ended. The caller MUST announce the revocation, and respond
    /// as to [`Self::SessionEnded`].
    #[error("the session has ended, because its refresh token was stolen")]
    Stolen {
        /// The session that has ended.
        session: SessionId,
    },
    /// The session was renewed too often. The token stays valid.
    #[error("the session was renewed too often")]
    TooOften {
        /// The time until the next renewal is allowed.
        retry_after: TimeDelta,
    },
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}
