use std::fmt;

use aws_lc_rs::hmac::{HMAC_SHA256, Key, sign};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use plenum_clients::{RefreshTokenHash, RefreshTokens};
use sha2::{Digest, Sha256};

use crate::derived_key::derived_key;

/// Stores refresh tokens as SHA-256 hashes without a salt, because no table covers 256 random bits. The successor of a
/// token is its HMAC-SHA-256 with a key that is derived from the signing key. So a second use returns the same
/// successor, although the store has only its hash.
pub struct KeyedRefreshTokens(Key);

impl KeyedRefreshTokens {
    const PURPOSE: &[u8] = b"plenum refresh token successor v1";

    /// The tokens of the installation with this signing key.
    pub fn new(signing_key: &[u8]) -> Self {
        Self(Key::new(HMAC_SHA256, &derived_key(signing_key, Self::PURPOSE)))
    }
}

impl fmt::Debug for KeyedRefreshTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyedRefreshTokens(…)")
    }
}

impl RefreshTokens for KeyedRefreshTokens {
    fn hash(&self, token: &str) -> RefreshTokenHash {
        RefreshTokenHash(Sha256::digest(token.as_bytes()).to_vec())
    }

    fn successor(&self, token: &str) -> String {
        URL_SAFE_NO_PAD.encode(sign(&self.0, token.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_sha_256_of_the_token() {
        let hash = KeyedRefreshTokens::new(&[7; 32]).hash("abc");
        // The first test vector of FIPS 180-2.
        assert_eq!(hash.0[..4], [0xba, 0x78, 0x16, 0xbf]);
        assert_eq!(hash.0.len(), 32);
        assert_eq!(hash, KeyedRefreshTokens::new(&[8; 32]).hash("abc"));
    }

    #[test]
    fn each_token_has_one_successor_under_each_key() {
        let tokens = KeyedRefreshTokens::new(&[7; 32]);
        let successor = tokens.successor("abc");
        assert_eq!(URL_SAFE_NO_PAD.decode(&successor).unwrap().len(), 32);
        assert_eq!(successor, KeyedRefreshTokens::new(&[7; 32]).successor("abc"));
        assert_ne!(successor, tokens.successor("abd"));
        assert_ne!(successor, tokens.successor(&successor));
        assert_ne!(successor, KeyedRefreshTokens::new(&[8; 32]).successor("abc"));
        assert_ne!(
            URL_SAFE_NO_PAD.decode(&successor).unwrap(),
            tokens.hash("abc").0,
            "the stored hash does not reveal it"
        );
        assert_eq!(format!("{tokens:?}"), "KeyedRefreshTokens(…)");
    }
}
