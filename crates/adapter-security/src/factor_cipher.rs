use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::hkdf::{HKDF_SHA256, Salt};
use aws_lc_rs::hmac::{HMAC_SHA1_FOR_LEGACY_USE_ONLY, Key, sign};
use plenum_clients::{SealedSecret, SecondFactorCipher, TotpCode, TotpSecret, TotpStep};
use plenum_kernel::AccountId;

use crate::random::random;

/// Encrypts the secrets of second factors with AES-256-GCM, by a key that is derived from the signing key for this
/// purpose. An encrypted secret is a random nonce, the ciphertext and its tag. It can be decrypted for its account
/// only.
pub struct FactorCipher(LessSafeKey);

impl FactorCipher {
    const PURPOSE: &[u8] = b"plenum second factor v1";

    /// The cipher for this signing key.
    ///
    /// # Panics
    /// Never: HKDF returns as many bytes as the cipher needs.
    pub fn new(signing_key: &[u8]) -> Self {
        let extracted = Salt::new(HKDF_SHA256, &[]).extract(signing_key);
        let info = [Self::PURPOSE];
        let key = extracted.expand(&info, &AES_256_GCM).expect("one block is not too much to ask for");
        Self(LessSafeKey::new(UnboundKey::from(key)))
    }
}

impl fmt::Debug for FactorCipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FactorCipher(…)")
    }
}

/// The associated data that binds a secret to its account.
fn bound_to(account: AccountId) -> Aad<[u8; 16]> {
    Aad::from(*account.as_uuid().as_bytes())
}

impl SecondFactorCipher for FactorCipher {
    fn new_secret(&self) -> TotpSecret {
        TotpSecret::new(random())
    }

    fn seal(&self, account: AccountId, secret: &TotpSecret) -> SealedSecret {
        let nonce: [u8; NONCE_LEN] = random();
        let mut sealed = secret.expose().to_vec();
        self.0
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), bound_to(account), &mut sealed)
            .expect("20 bytes are not too many for the cipher");
        SealedSecret([nonce.as_slice(), &sealed].concat())
    }

    fn open(&self, account: AccountId, sealed: &SealedSecret) -> Option<TotpSecret> {
        let (nonce, sealed) = sealed.0.split_at_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut sealed = sealed.to_vec();
        let secret = self.0.open_in_place(nonce, bound_to(account), &mut sealed).ok()?;
        <[u8; TotpSecret::BYTES]>::try_from(&*secret).ok().map(TotpSecret::new)
    }

    fn code(&self, secret: &TotpSecret, step: TotpStep) -> TotpCode {
        // All authenticators support SHA-1, and many nothing else. Within HMAC it is not broken.
        let key = Key::new(HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret.expose());
        let tag = sign(&key, &step.0.to_be_bytes());
        let mac = tag.as_ref().try_into().expect("SHA-1 has 20 bytes");
        TotpCode::of_mac(&mac)
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    const SIGNING_KEY: &[u8] = &[7; 32];

    fn account() -> AccountId {
        AccountId::new(&CountingIds::new())
    }

    #[test]
    fn codes_are_those_of_rfc_6238() {
        let cipher = FactorCipher::new(SIGNING_KEY);
        let secret = TotpSecret::new(*b"12345678901234567890");
        // From its appendix B. The code is the last six of its eight digits.
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            let step = TotpStep::at(DateTime::from_timestamp(seconds, 0).unwrap());
            assert_eq!(cipher.code(&secret, step).to_string(), code, "{seconds}");
        }
    }

    #[test]
    fn a_secret_is_decrypted_for_its_account_and_with_its_key_only() {
        let (cipher, account) = (FactorCipher::new(SIGNING_KEY), account());
        let other = AccountId::from_uuid(uuid::Uuid::from_u128(!account.as_uuid().as_u128()));
        let secret = cipher.new_secret();
        let sealed = cipher.seal(account, &secret);
        assert_eq!(cipher.open(account, &sealed), Some(secret.clone()));
        assert_eq!(FactorCipher::new(SIGNING_KEY).open(account, &sealed), Some(secret));
        assert_eq!(cipher.open(other, &sealed), None);
        assert_eq!(FactorCipher::new(&[8; 32]).open(account, &sealed), None);
    }

    #[test]
    fn a_changed_or_truncated_ciphertext_is_refused() {
        let (cipher, account) = (FactorCipher::new(SIGNING_KEY), account());
        let sealed = cipher.seal(account, &cipher.new_secret()).0;
        assert_eq!(sealed.len(), 12 + 20 + 16);
        for place in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[place] ^= 1;
            assert_eq!(cipher.open(account, &SealedSecret(changed)), None, "{place}");
            assert_eq!(cipher.open(account, &SealedSecret(sealed[..place].to_vec())), None, "{place}");
        }
    }

    #[test]
    fn a_ciphertext_does_not_contain_the_secret_and_is_different_each_time() {
        let (cipher, account) = (FactorCipher::new(SIGNING_KEY), account());
        let secret = cipher.new_secret();
        assert_ne!(secret, cipher.new_secret());
        let (one, other) = (cipher.seal(account, &secret), cipher.seal(account, &secret));
        assert_ne!(one, other);
        assert!(!one.0.windows(4).any(|part| secret.expose().windows(4).any(|of_secret| of_secret == part)));
        assert_eq!(format!("{cipher:?}"), "FactorCipher(…)");
    }
}
