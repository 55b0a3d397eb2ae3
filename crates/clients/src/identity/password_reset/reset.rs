use std::sync::Arc;

use chrono::TimeDelta;
use plenum_kernel::{Clock, Person, PortFailure, Secrets};

use crate::identity::password_reset::letter::write_letter;
use crate::{
    AccountStore, AuditTrail, NewReset, NotedAct, Password, PasswordHasher, PasswordStore, RefreshTokens, ResetLetter,
    ResetRequest, ResetTokenHash,
};

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

/// What a new password by mail needs of the outside.
#[derive(Clone)]
pub struct ResetPorts {
    /// Where accounts are looked up.
    pub accounts: Arc<dyn AccountStore>,
    /// Where passwords and reset links are kept.
    pub passwords: Arc<dyn PasswordStore>,
    /// Hashes passwords.
    pub hasher: Arc<dyn PasswordHasher>,
    /// Hashes the tokens of links.
    pub tokens: Arc<dyn RefreshTokens>,
    /// Makes the tokens of links.
    pub secrets: Arc<dyn Secrets>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Where links are noted.
    pub trail: Arc<dyn AuditTrail>,
}

/// Sends people with an account a link by which they set a new password, once.
pub struct PasswordResets {
    ports: ResetPorts,
}

impl PasswordResets {
    /// For how long a link is good.
    pub const LIFETIME: TimeDelta = TimeDelta::hours(1);

    /// Resets by these ports.
    pub fn new(ports: ResetPorts) -> Self {
        Self { ports }
    }

    /// What to send to whoever has this wish, with a link that leads to `page`. Nothing when there is no such account, or it
    /// may not sign in.
    ///
    /// # Errors
    /// Fails when a store does not answer.
    pub async fn letter_for(&self, wish: &ResetRequest, page: &str) -> Result<Option<ResetLetter>, PortFailure> {
        let found = self.ports.accounts.account_credentials(&wish.email).await?;
        let Some(found) = found.filter(|found| found.may_sign_in) else { return Ok(None) };
        let Some(profile) = self.ports.accounts.profile(found.person).await? else { return Ok(None) };
        let (token, now) = (self.ports.secrets.token(), self.ports.clock.now());
        let reset = NewReset {
            token: self.hash(&token),
            person: found.person,
            email: wish.email.clone(),
            password_hash: found.password_hash,
            made_at: now,
            expires_at: now + Self::LIFETIME,
        };
        let is_kept = self.ports.passwords.keep_reset(reset).await?;
        if is_kept {
            self.ports.trail.note(NotedAct::PasswordResetAsked(found.person, wish.from)).await?;
        }
        // What stands behind `#` is sent to no server, and so stands in no log of one.
        Ok(is_kept.then(|| write_letter(wish, &profile.name, &format!("{page}#token={token}"))))
    }

    /// Sets the password of whoever has this token, ends all their sessions, and says whose they are.
    ///
    /// # Errors
    /// Fails when the token is not good, or no longer.
    pub async fn reset(&self, token: &str, new: Password) -> Result<Person, ResetPasswordError> {
        let token = self.hash(token);
        if !self.ports.passwords.has_reset(&token, self.ports.clock.now()).await? {
            // Before the slow hash: made-up tokens are no way to keep the server busy.
            return Err(ResetPasswordError::Void);
        }
        let new = self.ports.hasher.hash(new).await?;
        let reset = self.ports.passwords.reset(&token, new, self.ports.clock.now()).await?;
        reset.ok_or(ResetPasswordError::Void)
    }

    fn hash(&self, token: &str) -> ResetTokenHash {
        ResetTokenHash(self.ports.tokens.hash(token).0)
    }
}
