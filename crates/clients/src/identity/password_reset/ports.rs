use std::sync::Arc;

use plenum_kernel::{Clock, Secrets};

use crate::{AccountStore, AuditTrail, PasswordHasher, PasswordStore, RefreshTokens, ResetRequest, ResetTokenHash};

/// Carries out the wishes of those who have forgotten their passwords, later.
pub trait ResetRequests: Send + Sync {
    /// Takes a wish; says no when too many wait. MUST NOT wait for anything, nor look whether there is such an account:
    /// whoever asks must not learn that by the time it takes.
    fn put(&self, wish: ResetRequest) -> bool;
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

impl ResetPorts {
    pub(crate) fn hash_token(&self, token: &str) -> ResetTokenHash {
        ResetTokenHash(self.tokens.hash(token).0)
    }
}
