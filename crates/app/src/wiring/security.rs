use std::sync::Arc;

use chrono::TimeDelta;
use plenum_adapter_security::{
    FactorCipher, HmacDeviceTokens, JwtTokens, KeyedLinkTokens, KeyedRefreshTokens, OsSecrets, ShortKey, SystemClock,
    TimeOrderedIds,
};
use plenum_clients::{AccessTokens, DeviceTokens, PasswordHasher, RefreshTokens, SecondFactorCipher};
use plenum_kernel::{Clock, NewIds, PersonalLinkTokens, Secrets};

use super::ProductSettings;

/// Time, ids, secrets, password hashes and tokens.
pub(super) struct SecurityPorts {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ids: Arc<dyn NewIds>,
    pub(super) secrets: Arc<dyn Secrets>,
    pub(super) hasher: Arc<dyn PasswordHasher>,
    pub(super) access_tokens: Arc<dyn AccessTokens>,
    pub(super) refresh_tokens: Arc<dyn RefreshTokens>,
    pub(super) link_tokens: Arc<dyn PersonalLinkTokens>,
    pub(super) device_tokens: Arc<dyn DeviceTokens>,
    pub(super) factor_cipher: Arc<dyn SecondFactorCipher>,
    pub(super) vote_key_patience: TimeDelta,
}

impl SecurityPorts {
    /// Derives all keys from the signing key of these settings.
    ///
    /// # Errors
    /// Fails when the signing key is too short.
    pub(super) fn new(settings: &ProductSettings) -> Result<Self, ShortKey> {
        let (signing_key, hasher) = (settings.signing_key.as_slice(), Arc::clone(&settings.hasher) as _);
        Ok(Self {
            clock: Arc::new(SystemClock),
            ids: Arc::new(TimeOrderedIds),
            secrets: Arc::new(OsSecrets),
            hasher,
            access_tokens: Arc::new(JwtTokens::new(signing_key)?),
            refresh_tokens: Arc::new(KeyedRefreshTokens::new(signing_key)),
            link_tokens: Arc::new(KeyedLinkTokens::new(signing_key)),
            device_tokens: Arc::new(HmacDeviceTokens::new(signing_key)),
            factor_cipher: Arc::new(FactorCipher::new(signing_key)),
            vote_key_patience: settings.vote_key_patience,
        })
    }
}
