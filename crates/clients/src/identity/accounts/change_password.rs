use std::net::IpAddr;

use chrono::TimeDelta;
use plenum_kernel::{ActingPerson, PortFailure};

use crate::{Password, SignInError, Waiting};

/// A request of a signed-in person for another password.
#[derive(Clone, Debug)]
pub struct OwnPasswordChange {
    /// The person and their session.
    pub acting: ActingPerson,
    /// The current password, as typed.
    pub current: String,
    /// The new password.
    pub new: Password,
    /// The network address of the caller.
    pub from: IpAddr,
    /// The place of the request in the sign-in queue.
    pub waiting: Waiting,
}

/// The reason why a password was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangePasswordError {
    /// The current password is wrong.
    #[error("the current password is wrong")]
    WrongPassword,
    /// There were too many wrong passwords for this name or from this address.
    #[error("too many wrong passwords")]
    TooManyTries {
        /// The time until the next attempt is allowed.
        retry_after: TimeDelta,
    },
    /// The person was removed during the request.
    #[error("the session has ended")]
    SessionEnded,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

impl From<SignInError> for ChangePasswordError {
    fn from(error: SignInError) -> Self {
        match error {
            // A password change does not check the second factor.
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
