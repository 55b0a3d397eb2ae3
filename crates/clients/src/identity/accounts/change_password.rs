use std::net::IpAddr;

use chrono::TimeDelta;
use plenum_kernel::{ActingPerson, PortFailure};

use crate::{Password, SignInError, Waiting};

/// What somebody who is signed in typed to get another password.
#[derive(Clone, Debug)]
pub struct OwnPasswordChange {
    /// Who, and in which session.
    pub acting: ActingPerson,
    /// The password that they have, as it was typed.
    pub current: String,
    /// The one that they want.
    pub new: Password,
    /// The address that they called from.
    pub from: IpAddr,
    /// How they wait.
    pub waiting: Waiting,
}

/// Why somebody did not get another password.
#[derive(Debug, thiserror::Error)]
pub enum ChangePasswordError {
    /// They typed another one than they have.
    #[error("the current password is wrong")]
    WrongPassword,
    /// They, or somebody else, typed too many wrong ones for this name or from this address.
    #[error("too many wrong passwords")]
    TooManyTries {
        /// When one more try is free.
        retry_after: TimeDelta,
    },
    /// They were removed a moment ago.
    #[error("the session has ended")]
    SessionEnded,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

impl From<SignInError> for ChangePasswordError {
    fn from(error: SignInError) -> Self {
        match error {
            // Of a second factor nobody is asked here.
            SignInError::WrongCredentials
            | SignInError::WrongPortal
            | SignInError::SecondFactorRequired
            | SignInError::SecondFactorWrong
            | SignInError::SecondFactorUnreadable => Self::WrongPassword,
            SignInError::TooManyTries { retry_after } => Self::TooManyTries { retry_after },
            SignInError::Port(failure) => Self::Port(failure),
        }
    }
}
