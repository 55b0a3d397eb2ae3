use std::sync::Arc;

use plenum_kernel::{Clock, Secrets};

use crate::{AccountStore, AuditTrail, PasswordHasher, PasswordStore, RefreshTokens, ResetRequest, ResetTokenHash};

/// Processes reset requests in the background.
pub trait ResetRequests: Send + Sync {
    /// Queues a request. Returns `false` when the queue is full. MUST NOT wait, and MUST NOT look up the account: the
    /// duration must not reveal whether it exists.
    fn put(&self, request: ResetRequest) -> bool;
}

/// The ports that password resets need.
#[derive(Clone)]
pub struct ResetPorts {
    /// Finds accounts.
    pub accounts: Arc<dyn AccountStore>,
    /// Stores passwords and reset links.
    pub passwords: Arc<dyn PasswordStore>,
    /// Hashes passwords.
    pub hasher: Arc<dyn PasswordHasher>,
    /// Hashes the tokens of links.
    pub tokens: Arc<dyn RefreshTokens>,
    /// Supplies the tokens of links.
    pub secrets: Arc<dyn Secrets>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Records reset links.
    pub trail: Arc<dyn AuditTrail>,
}

impl ResetPorts {
    pub(crate) fn hash_token(&self, token: &str) -> ResetTokenHash {
        ResetTokenHash(self.tokens.hash(token).0)
    }
}
