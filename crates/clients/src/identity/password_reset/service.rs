use std::net::IpAddr;
use std::sync::Arc;

use chrono::TimeDelta;
use plenum_kernel::{EmailAddress, Person, PortFailure};

use crate::identity::rate_limiter::{RateLimiter, counted_address};
use crate::{KnownPlace, Password, ResetPorts, ResetRequest, ResetRequests};

/// The reason why a reset link set no password.
#[derive(Debug, thiserror::Error)]
pub enum ResetPasswordError {
    /// The link is unknown, used or expired, or the account's password or address has changed. The caller does not
    /// learn which.
    #[error("this link is too old or was used already")]
    Void,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why a reset request was refused. No reason reveals whether the account exists.
#[derive(Debug, thiserror::Error)]
pub enum ForgottenPasswordError {
    /// The server cannot send mail.
    #[error("passwords cannot be reset by email here")]
    NotOffered,
    /// There were too many requests from this address.
    #[error("too many attempts")]
    TooManyTries {
        /// The time until the next request is allowed.
        retry_after: TimeDelta,
    },
    /// The queue is full.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Accepts reset requests, and sets passwords by reset links. A mail reports the result of a request.
///
/// Each request gets the same response after the same work, whether or not the account exists: the account is looked up
/// after the response. Voters have no reset links, because they need not have an address of their own. They ask their
/// organizer.
pub struct PasswordResetService {
    ports: ResetPorts,
    requests: Option<Arc<dyn ResetRequests>>,
    by_address: RateLimiter<IpAddr>,
    by_name: RateLimiter<EmailAddress>,
    by_caller: RateLimiter<(EmailAddress, IpAddr)>,
    by_owner: RateLimiter<(EmailAddress, KnownPlace)>,
}

impl PasswordResetService {
    /// The number of requests that an address may make at once. An office of organizers shares one address.
    const BY_ADDRESS_AT_ONCE: i32 = 20;
    const BY_ADDRESS_INTERVAL: TimeDelta = TimeDelta::minutes(1);
    /// The number of mails that an account gets at once, so that its mailbox is not flooded.
    const BY_NAME_AT_ONCE: i32 = 3;
    /// The number of these mails that one address may request. A place where the name is known has the same number of
    /// its own, so that the requests of strangers do not use up those of the owner.
    const BY_CALLER_AT_ONCE: i32 = 2;
    const BY_NAME_INTERVAL: TimeDelta = TimeDelta::minutes(20);

    /// A service by these ports. Requests go to this queue; without one, the service is not offered.
    pub fn new(ports: ResetPorts, requests: Option<Arc<dyn ResetRequests>>) -> Self {
        let clock = &ports.clock;
        Self {
            requests,
            by_address: RateLimiter::new(Arc::clone(clock), Self::BY_ADDRESS_AT_ONCE, Self::BY_ADDRESS_INTERVAL),
            by_name: RateLimiter::new(Arc::clone(clock), Self::BY_NAME_AT_ONCE, Self::BY_NAME_INTERVAL),
            by_caller: RateLimiter::new(Arc::clone(clock), Self::BY_CALLER_AT_ONCE, Self::BY_NAME_INTERVAL),
            by_owner: RateLimiter::new(Arc::clone(clock), Self::BY_CALLER_AT_ONCE, Self::BY_NAME_INTERVAL),
            ports,
        }
    }

    /// Whether this server offers reset links.
    pub fn is_offered(&self) -> bool {
        self.requests.is_some()
    }

    /// Accepts a request, perhaps from a place where the name has signed in before.
    ///
    /// # Errors
    /// Fails when no mail can be sent, there were too many requests from this address, or the queue is full.
    pub fn request(&self, request: ResetRequest, place: Option<KnownPlace>) -> Result<(), ForgottenPasswordError> {
        let requests = self.requests.as_ref().ok_or(ForgottenPasswordError::NotOffered)?;
        let is_from_known_place =
            place.is_some_and(|place| self.by_owner.take(&(request.email.clone(), place)).is_ok());
        if !is_from_known_place {
            let from = counted_address(request.from);
            self.by_address.take(&from).map_err(|retry_after| ForgottenPasswordError::TooManyTries { retry_after })?;
            let caller = (request.email.clone(), from);
            // The limit of the caller comes first, so that a caller at their limit uses up nothing of the account's.
            if self.by_caller.take(&caller).is_err() || self.by_name.take(&request.email).is_err() {
                // The caller does not learn that nothing is sent. Mails that were sent before still work.
                return Ok(());
            }
        }
        if requests.put(request) { Ok(()) } else { Err(PortFailure::busy("the queue of mail").into()) }
    }

    /// Sets the password of the account whose link has this token, ends all its sessions, and returns its owner.
    ///
    /// # Errors
    /// Fails when the link is void.
    pub async fn reset(&self, token: &str, new: Password) -> Result<Person, ResetPasswordError> {
        let token = self.ports.hash_token(token);
        if !self.ports.passwords.has_reset(&token, self.ports.clock.now()).await? {
            // Checked before the slow hash, so that invented tokens cost the server little.
            return Err(ResetPasswordError::Void);
        }
        let new = self.ports.hasher.hash(new).await?;
        let reset = self.ports.passwords.reset(&token, new, self.ports.clock.now()).await?;
        reset.ok_or(ResetPasswordError::Void)
    }
}
