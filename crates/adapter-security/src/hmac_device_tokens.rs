use std::fmt;

use aws_lc_rs::hmac::{HMAC_SHA256, Key, sign, verify};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use plenum_clients::{DEVICE_TOKEN_LIFETIME, DeviceId, DeviceTokens};
use rand::TryRngCore;
use rand::rngs::OsRng;

use crate::derived_key::derived_key;

const TIME_BYTES: usize = 8;
const TAG_BYTES: usize = 16;

/// Device tokens signed with HMAC-SHA-256 by a key that is derived from the signing key. A token has the device, the
/// time, a keyed tag of the name, and the signature of these. The tag does not reveal the name to others on a shared
/// device.
pub struct HmacDeviceTokens {
    signing: Key,
    naming: Key,
}

impl HmacDeviceTokens {
    /// The precision of the time in a token. A repeated sign-in within it returns the same token.
    const RENEWED_EACH: TimeDelta = TimeDelta::days(100);
    const SIGNING: &[u8] = b"plenum device token v1";
    const NAMING: &[u8] = b"plenum device token name v1";

    /// The tokens of the installation with this signing key.
    pub fn new(signing_key: &[u8]) -> Self {
        let key = |purpose| Key::new(HMAC_SHA256, &derived_key(signing_key, purpose));
        Self { signing: key(Self::SIGNING), naming: key(Self::NAMING) }
    }

    fn tag(&self, name: &str) -> [u8; TAG_BYTES] {
        let mut tag = [0; TAG_BYTES];
        tag.copy_from_slice(&sign(&self.naming, name.as_bytes()).as_ref()[..TAG_BYTES]);
        tag
    }

    /// The device and the tag of a token that this installation has issued and that is not too old.
    fn open(&self, token: &str, now: DateTime<Utc>) -> Option<(DeviceId, [u8; TAG_BYTES])> {
        let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (content, signature) = bytes.split_at_checked(DeviceId::BYTES + TIME_BYTES + TAG_BYTES)?;
        verify(&self.signing, content, signature).ok()?;
        let (device, rest) = content.split_first_chunk()?;
        let (seconds, tag) = rest.split_first_chunk()?;
        let issued_at = DateTime::from_timestamp(i64::from_be_bytes(*seconds), 0)?;
        let age = now - issued_at;
        // Clocks of several instances differ by seconds.
        let is_good = age < DEVICE_TOKEN_LIFETIME && age > -TimeDelta::days(1);
        is_good.then_some((DeviceId(*device), tag.try_into().ok()?))
    }
}

impl fmt::Debug for HmacDeviceTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HmacDeviceTokens(…)")
    }
}

impl DeviceTokens for HmacDeviceTokens {
    /// Panics when the system supplies no randomness.
    fn issue(&self, name: &str, device: Option<DeviceId>, now: DateTime<Utc>) -> String {
        let DeviceId(device) = device.unwrap_or_else(|| {
            let mut bytes = [0; DeviceId::BYTES];
            rand::RngCore::fill_bytes(&mut OsRng.unwrap_err(), &mut bytes);
            DeviceId(bytes)
        });
        let seconds = now.timestamp() - now.timestamp().rem_euclid(Self::RENEWED_EACH.num_seconds());
        let content = [&device[..], &seconds.to_be_bytes(), &self.tag(name)].concat();
        let signature = sign(&self.signing, &content);
        URL_SAFE_NO_PAD.encode([&content, signature.as_ref()].concat())
    }

    fn is_genuine(&self, token: &str, now: DateTime<Utc>) -> bool {
        self.open(token, now).is_some()
    }

    fn read(&self, name: &str, token: &str, now: DateTime<Utc>) -> Option<DeviceId> {
        let (device, tag) = self.open(token, now)?;
        (tag == self.tag(name)).then_some(device)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens() -> HmacDeviceTokens {
        HmacDeviceTokens::new(&[7; 32])
    }

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000, 0).unwrap()
    }

    #[test]
    fn a_device_keeps_its_id_across_tokens() {
        let token = tokens().issue("anna", None, now());
        let device = tokens().read("anna", &token, now()).unwrap();
        assert_eq!(tokens().issue("anna", Some(device), now() + TimeDelta::seconds(1)), token);
        let later = now() + TimeDelta::days(250);
        let renewed = tokens().issue("anna", Some(device), later);
        assert_ne!(renewed, token);
        assert_eq!(tokens().read("anna", &renewed, later + TimeDelta::days(250)), Some(device));
        let other = tokens().issue("anna", None, now());
        assert_ne!(tokens().read("anna", &other, now()), Some(device));
    }

    #[test]
    fn a_token_is_valid_for_its_name_its_installation_and_a_limited_time() {
        let token = tokens().issue("anna", None, now());
        assert!(tokens().is_genuine(&token, now()));
        assert_eq!(tokens().read("ben", &token, now()), None);
        let elsewhere = HmacDeviceTokens::new(&[8; 32]);
        assert!(!elsewhere.is_genuine(&token, now()) && elsewhere.read("anna", &token, now()).is_none());
        for age in [DEVICE_TOKEN_LIFETIME, TimeDelta::days(-200)] {
            assert!(!tokens().is_genuine(&token, now() + age), "{age}");
        }
    }

    #[test]
    fn a_changed_truncated_or_invented_token_is_refused() {
        let token = tokens().issue("anna", None, now());
        let bytes = URL_SAFE_NO_PAD.decode(&token).unwrap();
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            for made_up in [&changed[..], &bytes[..place]] {
                let made_up = URL_SAFE_NO_PAD.encode(made_up);
                assert!(!tokens().is_genuine(&made_up, now()), "{place}");
                assert_eq!(tokens().read("anna", &made_up, now()), None, "{place}");
            }
        }
        for made_up in ["", "x", "ä", "a b", &"A".repeat(1_000)] {
            assert!(!tokens().is_genuine(made_up, now()), "{made_up}");
        }
    }

    #[test]
    fn a_token_does_not_reveal_its_name() {
        let content = |name| URL_SAFE_NO_PAD.decode(tokens().issue(name, Some(DeviceId([1; 16])), now())).unwrap();
        assert_eq!(content("anna").len(), content("anna.with.a.very.long.name@example.org").len());
        assert!(!content("anna").windows(4).any(|part| part == b"anna"));
        assert_eq!(format!("{:?}", tokens()), "HmacDeviceTokens(…)");
    }
}
