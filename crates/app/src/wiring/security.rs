use std::sync::Arc;

use plenum_adapter_security::{
    BcryptHasher, FactorCipher, HmacDeviceTokens, JwtTokens, KeyedLinkTokens, KeyedRefreshTokens, OsSecrets, ShortKey,
    SystemClock, TimeOrderedIds,
};
use plenum_clients::{AccessTokens, DeviceTokens, PasswordHasher, RefreshTokens, SecondFactorCipher};
use plenum_kernel::{Clock, NewIds, PersonalLinkTokens, Secrets};

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
}

impl SecurityPorts {
    /// Derives all keys from the signing key.
    ///
    /// # Errors
    /// Fails when the signing key is too short.
    pub(super) fn new(signing_key: &[u8], hasher: Arc<BcryptHasher>) -> Result<Self, ShortKey> {
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
        })
    }
}
