use std::net::IpAddr;
use std::sync::Arc;

use chrono::TimeDelta;
use plenum_kernel::{EmailAddress, Person, PortFailure};

use crate::identity::rate_limiter::{RateLimiter, counted_address};
use crate::{KnownPlace, Password, ResetPorts, ResetRequest, ResetRequests};

/// Why no password was set by a reset link.
#[derive(Debug, thiserror::Error)]
pub enum ResetPasswordError {
    /// It is unknown, used up, too old, or the account has another password or address by now: which one is nobody's
    /// business.
    #[error("this link is too old or was used already")]
    Void,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Why a wish for a new password was not taken. None of it tells whether there is such an account.
#[derive(Debug, thiserror::Error)]
pub enum ForgottenPasswordError {
    /// No mail can be sent.
    #[error("passwords cannot be reset by e-mail here")]
    NotOffered,
    /// Too many wishes came from this address.
    #[error("too many tries")]
    TooManyTries {
        /// When one more is free.
        retry_after: TimeDelta,
    },
    /// Too many wait.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Takes the wishes of people with an account who have forgotten their password. What comes of a wish they read in a mail.
///
/// Whoever asks gets the same answer after the same work, whether there is such an account or not: nobody looks before the
/// answer is given. Voters have no address that is theirs alone; they ask whoever organizes their meeting.
pub struct PasswordResetService {
    ports: ResetPorts,
    wishes: Option<Arc<dyn ResetRequests>>,
    by_address: RateLimiter<IpAddr>,
    by_name: RateLimiter<EmailAddress>,
    by_asker: RateLimiter<(EmailAddress, IpAddr)>,
    by_owner: RateLimiter<(EmailAddress, KnownPlace)>,
}

impl PasswordResetService {
    /// An office of organizers stands behind one address.
    const FROM_AN_ADDRESS_AT_ONCE: i32 = 20;
    const FROM_AN_ADDRESS_EACH: TimeDelta = TimeDelta::minutes(1);
    /// Nobody's mailbox is filled.
    const FOR_A_NAME_AT_ONCE: i32 = 3;
    /// One address does not use up what a name has in all. The same for each place where the name is known, beside that:
    /// whatever strangers ask for, the owner has mails of their own.
    const OF_AN_ASKER_AT_ONCE: i32 = 2;
    const FOR_A_NAME_EACH: TimeDelta = TimeDelta::minutes(20);

    /// Puts wishes here; without a place for them there is no such way.
    pub fn new(ports: ResetPorts, wishes: Option<Arc<dyn ResetRequests>>) -> Self {
        let clock = &ports.clock;
        Self {
            wishes,
            by_address: RateLimiter::new(Arc::clone(clock), Self::FROM_AN_ADDRESS_AT_ONCE, Self::FROM_AN_ADDRESS_EACH),
            by_name: RateLimiter::new(Arc::clone(clock), Self::FOR_A_NAME_AT_ONCE, Self::FOR_A_NAME_EACH),
            by_asker: RateLimiter::new(Arc::clone(clock), Self::OF_AN_ASKER_AT_ONCE, Self::FOR_A_NAME_EACH),
            by_owner: RateLimiter::new(Arc::clone(clock), Self::OF_AN_ASKER_AT_ONCE, Self::FOR_A_NAME_EACH),
            ports,
        }
    }

    /// Whether there is this way to a new password.
    pub fn is_offered(&self) -> bool {
        self.wishes.is_some()
    }

    /// Takes a wish, perhaps of somebody at a place where the name has signed in before.
    ///
    /// # Errors
    /// Fails when no mail can be sent, or too many wishes came from this address, or wait.
    pub fn request(&self, wish: ResetRequest, place: Option<KnownPlace>) -> Result<(), ForgottenPasswordError> {
        let wishes = self.wishes.as_ref().ok_or(ForgottenPasswordError::NotOffered)?;
        let is_of_owner = place.is_some_and(|place| self.by_owner.take(&(wish.email.clone(), place)).is_ok());
        if !is_of_owner {
            let from = counted_address(wish.from);
            self.by_address.take(&from).map_err(|retry_after| ForgottenPasswordError::TooManyTries { retry_after })?;
            let asker = (wish.email.clone(), from);
            // The asker first: whoever has used up their own takes nothing from others.
            if self.by_asker.take(&asker).is_err() || self.by_name.take(&wish.email).is_err() {
                // Not told: whoever annoys somebody need not know when to go on. The mails that were sent are still good.
                return Ok(());
            }
        }
        if wishes.put(wish) { Ok(()) } else { Err(PortFailure::busy("the queue of mail").into()) }
    }

    /// Sets the password of whoever has this token, ends all their sessions, and says whose they are.
    ///
    /// # Errors
    /// Fails when the token is not good, or no longer.
    pub async fn reset(&self, token: &str, new: Password) -> Result<Person, ResetPasswordError> {
        let token = self.ports.hash_token(token);
        if !self.ports.passwords.has_reset(&token, self.ports.clock.now()).await? {
            // Before the slow hash: made-up tokens are no way to keep the server busy.
            return Err(ResetPasswordError::Void);
        }
        let new = self.ports.hasher.hash(new).await?;
        let reset = self.ports.passwords.reset(&token, new, self.ports.clock.now()).await?;
        reset.ok_or(ResetPasswordError::Void)
    }
}
