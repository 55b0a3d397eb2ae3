//! The invariants of access tokens, for any input. The tests below check them with random tokens, and so does the
//! target `tokens` of `fuzz/`.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::DateTime;
use plenum_clients::{AccessClaims, AccessTokens as _, TokenRefusal};
use plenum_kernel::{ActingPerson, ClientId, EndUserId, Person, SessionId};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::JwtTokens;

const KEY: &[u8] = b"a key of 32 bytes, and some more";
const OTHER_KEY: &[u8] = b"another key of 32 bytes and more";
const HEADER: &str = r#"{"typ":"JWT","alg":"HS256"}"#;
/// 21 November 2026, at noon.
const NOW: i64 = 1_795_262_400;

/// Checks `data` as a token, as the payload of a token with our signature, and as its header.
pub fn tokens(data: &[u8]) {
    token(&String::from_utf8_lossy(data));
    token(&signed(HEADER.as_bytes(), data));
    let good = good();
    let payload =
        good.split('.').nth(1).and_then(|part| URL_SAFE_NO_PAD.decode(part).ok()).expect("a token of this key");
    token(&signed(data, &payload));
}

/// An accepted or expired token has the signature of our key, and a token of another key is refused.
pub fn token(token: &str) {
    let now = DateTime::from_timestamp(NOW, 0).expect("a valid time");
    let (own, others) = (with(KEY), with(OTHER_KEY));
    let read = own.read(token, now);
    if read == Err(TokenRefusal::Invalid) {
        return;
    }
    let (signed, signature) = token.rsplit_once('.').expect("a token has parts");
    assert_eq!(
        URL_SAFE_NO_PAD.decode(signature).ok(),
        Some(hmac(signed.as_bytes())),
        "{token:?} has another signature"
    );
    assert_eq!(others.read(token, now), Err(TokenRefusal::Invalid), "{token:?}");
    if let Ok(claims) = read {
        assert!(claims.expires_at > now);
        assert_eq!(own.read(&own.issue(&claims), now), Ok(claims), "{token:?}");
    }
}

/// A token with one changed character is refused.
pub fn changed_token(place: usize, letter: char) {
    let good = good();
    let place = place % good.len();
    let changed: String =
        good.chars().enumerate().map(|(at, before)| if at == place { letter } else { before }).collect();
    let now = DateTime::from_timestamp(NOW, 0).expect("a valid time");
    assert_eq!(with(KEY).read(&changed, now).is_ok(), changed == good, "{changed}");
}

fn with(key: &[u8]) -> JwtTokens {
    JwtTokens::new(key).expect("a long key")
}

/// A voter's token, valid for 15 minutes.
fn good() -> String {
    let person = Person::EndUser {
        end_user: EndUserId::from_uuid(Uuid::from_u128(1)),
        client: ClientId::from_uuid(Uuid::from_u128(2)),
    };
    let acting = ActingPerson { session: SessionId::from_uuid(Uuid::from_u128(3)), person };
    let expires_at = DateTime::from_timestamp(NOW + 900, 0).expect("a valid time");
    with(KEY).issue(&AccessClaims { acting, expires_at })
}

/// Signs any header and payload with the key, as another program with the key could.
fn signed(header: &[u8], payload: &[u8]) -> String {
    let text = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(payload));
    let signature = URL_SAFE_NO_PAD.encode(hmac(text.as_bytes()));
    format!("{text}.{signature}")
}

/// HMAC-SHA-256 by RFC 2104, implemented independently.
fn hmac(message: &[u8]) -> Vec<u8> {
    let mut block = [0_u8; 64];
    block[..KEY.len()].copy_from_slice(KEY);
    let inner = Sha256::new().chain_update(block.map(|byte| byte ^ 0x36)).chain_update(message).finalize();
    Sha256::new().chain_update(block.map(|byte| byte ^ 0x5c)).chain_update(inner).finalize().to_vec()
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::fuzz_seeds;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;
    use serde_json::{Value, json};

    use super::*;

    fn any_value() -> impl Strategy<Value = Value> {
        prop_oneof![
            any::<i64>().prop_map(Value::from),
            any::<u128>().prop_map(|id| json!(Uuid::from_u128(id))),
            select(vec!["plenum", "HS256", "HS384", "none", "RS256", "JWT", "END_USER", "CLIENT", "SUPER_ADMIN"])
                .prop_map(Value::from),
            vec(any::<char>(), 0..10).prop_map(|letters| json!(String::from_iter(letters))),
            Just(Value::Null),
            Just(json!({ "kty": "oct", "k": "AA", "keys": [[1]] })),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn an_invalid_token_is_refused(data in vec(any::<u8>(), 0..200)) {
            tokens(&data);
        }

        #[test]
        fn a_changed_token_is_refused(place in any::<usize>(), letter in any::<char>(), code in select(
            ('0'..='9').chain('A'..='Z').chain('a'..='z').chain(['-', '_', '.', '=']).collect::<Vec<_>>()
        )) {
            changed_token(place, letter);
            changed_token(place, code);
        }

        #[test]
        fn any_signed_payload_is_read_or_refused(
            fields in vec((select(vec!["iss", "sub", "sid", "role", "cid", "iat", "exp", "x"]), any_value()), 0..3),
            headers in vec((select(vec!["alg", "typ", "kid", "jwk", "jku", "x5c", "crit", "b64"]), any_value()), 0..3),
        ) {
            let mut payload = json!({
                "iss": "plenum", "sub": Uuid::from_u128(1), "sid": Uuid::from_u128(3), "role": "END_USER",
                "cid": Uuid::from_u128(2), "iat": NOW, "exp": NOW + 900,
            });
            let mut header: Value = serde_json::from_str(HEADER).unwrap();
            for (name, value) in fields {
                payload[name] = value;
            }
            for (name, value) in headers {
                header[name] = value;
            }
            let made = signed(header.to_string().as_bytes(), payload.to_string().as_bytes());
            token(&made);
            if header["alg"] != "HS256" {
                let now = DateTime::from_timestamp(NOW, 0).unwrap();
                prop_assert_eq!(with(KEY).read(&made, now), Err(TokenRefusal::Invalid));
            }
        }
    }

    #[test]
    fn the_independent_signature_equals_the_librarys() {
        let good = good();
        let (signed, signature) = good.rsplit_once('.').unwrap();
        assert_eq!(URL_SAFE_NO_PAD.decode(signature).unwrap(), hmac(signed.as_bytes()));
    }

    #[test]
    fn the_invariants_hold_for_the_fuzzers_seeds() {
        fuzz_seeds("tokens").iter().for_each(|seed| tokens(seed));
    }
}
