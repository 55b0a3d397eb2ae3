use std::fmt;

use aws_lc_rs::hmac::{Context, HMAC_SHA256, Key};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use plenum_kernel::{EndUserId, PersonalLinkTokens};

use crate::derived_key::derived_key;

/// Tokens of personal links in mails: the HMAC-SHA-256 of owner and seed, with a key that is derived from the signing key.
/// The database has the seed and the hash of the token, so it alone opens no link.
pub struct KeyedLinkTokens(Key);

impl KeyedLinkTokens {
    const PURPOSE: &[u8] = b"plenum personal link in a mail v1";

    /// The tokens of the installation with this signing key.
    pub fn new(signing_key: &[u8]) -> Self {
        Self(Key::new(HMAC_SHA256, &derived_key(signing_key, Self::PURPOSE)))
    }
}

impl fmt::Debug for KeyedLinkTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyedLinkTokens(…)")
    }
}

impl PersonalLinkTokens for KeyedLinkTokens {
    fn token(&self, seed: &str, owner: EndUserId) -> String {
        let mut tag = Context::with_key(&self.0);
        // An id has a fixed length, so no other owner and seed have the same bytes.
        tag.update(owner.as_uuid().as_bytes());
        tag.update(seed.as_bytes());
        URL_SAFE_NO_PAD.encode(tag.sign())
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    #[test]
    fn a_token_depends_on_owner_seed_and_installation_and_reveals_none() {
        let ids = CountingIds::new();
        let (anna, ben) = (EndUserId::new(&ids), EndUserId::new(&ids));
        let tokens = KeyedLinkTokens::new(&[7; 32]);
        let token = tokens.token("seed", anna);
        assert_eq!(URL_SAFE_NO_PAD.decode(&token).unwrap().len(), 32);
        assert_eq!(token, KeyedLinkTokens::new(&[7; 32]).token("seed", anna));
        assert_ne!(token, tokens.token("seed", ben));
        assert_ne!(token, tokens.token("other", anna));
        assert_ne!(token, KeyedLinkTokens::new(&[8; 32]).token("seed", anna));
        assert_eq!(format!("{tokens:?}"), "KeyedLinkTokens(…)");
    }
}
