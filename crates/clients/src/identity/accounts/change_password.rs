use std::net::IpAddr;

use chrono::TimeDelta;
use plenum_kernel::{ActingPerson, PortFailure};

use crate::{Password, PasswordChange, SignInError, SignInService, Waiting};

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

impl SignInService {
    /// Gives somebody the password that they want, and ends all their sessions but the one in which they ask. Wrong current
    /// passwords count as failed sign-ins do: whoever finds a screen left open guesses no faster than at the door.
    ///
    /// # Errors
    /// Fails when the current password is another one, or there were too many failures.
    pub async fn change_password(&self, change: OwnPasswordChange) -> Result<(), ChangePasswordError> {
        let OwnPasswordChange { acting, current, new, from, waiting } = change;
        let person = acting.person;
        let profile = self.profile(person).await?.ok_or(ChangePasswordError::SessionEnded)?;
        let attempt = self.own_attempt(&profile, from);
        self.admit(&attempt, &waiting)?;
        let found = self.ports.passwords.of_person(person).await?;
        let checked = self.check_password(attempt, found, current, waiting).await?.password_hash;
        let new = self.ports.hasher.hash(new).await?;
        let change = PasswordChange { person, checked, new, kept: acting.session, at: self.ports.clock.now() };
        let has_changed = self.ports.passwords.change(change).await?;
        // What was right a moment ago is not any more: somebody else has changed it.
        if has_changed { Ok(()) } else { Err(ChangePasswordError::WrongPassword) }
    }
}
