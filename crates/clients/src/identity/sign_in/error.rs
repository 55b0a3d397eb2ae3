use chrono::TimeDelta;
use plenum_kernel::PortFailure;

/// Why someone was not let in.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// Wrong name or password, or not active: which one is nobody's business.
    #[error("the name or the password is wrong")]
    WrongCredentials,
    /// The right password at the wrong portal.
    #[error("access denied")]
    WrongPortal,
    /// The right password, and a second factor is asked for.
    #[error("a code of the second factor is required")]
    SecondFactorRequired,
    /// The right password, and a code that is wrong or was used.
    #[error("the code is wrong, or was used already")]
    SecondFactorWrong,
    /// The right password, and a secret that cannot be read any more to check the code: the key was exchanged.
    #[error("the code is wrong, or was used already")]
    SecondFactorUnreadable,
    /// Too many failures on this account or from this address. The password may even be right.
    #[error("too many failed sign-ins")]
    TooManyTries {
        /// When one more try is free.
        retry_after: TimeDelta,
    },
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Why no new pair of tokens was given.
#[derive(Debug, thiserror::Error)]
pub enum RefreshError {
    /// The refresh token is unknown, used up, expired or ended.
    #[error("the session has ended")]
    SessionEnded,
    /// The session was renewed too often. The token is good as long as it was.
    #[error("the session was renewed too often")]
    TooOften {
        /// When one more renewal is free.
        retry_after: TimeDelta,
    },
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}
