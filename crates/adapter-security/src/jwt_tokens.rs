use std::fmt;

use chrono::{DateTime, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use plenum_clients::{AccessClaims, AccessTokens, TokenRefusal};
use plenum_kernel::{AccountId, ActingPerson, ClientId, EndUserId, Person, SessionId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

const ISSUER: &str = "plenum";

/// The signing key is too short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the signing key must have at least {min} bytes, not {0}", min = JwtTokens::MIN_KEY_BYTES)]
pub struct ShortKey(usize);

/// Access tokens as JSON Web Tokens with HMAC-SHA-256 signatures only.
pub struct JwtTokens {
    signing: EncodingKey,
    checking: DecodingKey,
    validation: Validation,
}

impl JwtTokens {
    /// The length of the hash (RFC 7518, 3.2).
    pub const MIN_KEY_BYTES: usize = 32;

    /// Tokens with signatures by `key`.
    ///
    /// # Errors
    /// Fails when the key is shorter than [`Self::MIN_KEY_BYTES`].
    pub fn new(key: &[u8]) -> Result<Self, ShortKey> {
        if key.len() < Self::MIN_KEY_BYTES {
            return Err(ShortKey(key.len()));
        }
        // The library only checks the algorithm and the signature. It would ask the system for the time, and it does
        // not find `exp` when serde_json keeps numbers exactly, as in this workspace.
        let mut validation = Validation::new(Algorithm::HS256);
        validation.required_spec_claims.clear();
        validation.validate_exp = false;
        validation.validate_aud = false;
        Ok(Self { signing: EncodingKey::from_secret(key), checking: DecodingKey::from_secret(key), validation })
    }
}

impl fmt::Debug for JwtTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JwtTokens(…)")
    }
}

impl AccessTokens for JwtTokens {
    fn issue(&self, claims: &AccessClaims) -> String {
        encode(&Header::new(Algorithm::HS256), &WireClaims::from(claims), &self.signing)
            .expect("plain fields can be written as JSON, and the key fits the algorithm")
    }

    fn read(&self, token: &str, now: DateTime<Utc>) -> Result<AccessClaims, TokenRefusal> {
        let read = decode::<WireClaims>(token, &self.checking, &self.validation).map_err(|_| TokenRefusal::Invalid)?;
        let claims = read.claims.into_claims().ok_or(TokenRefusal::Invalid)?;
        if now >= claims.expires_at {
            return Err(TokenRefusal::Expired);
        }
        Ok(claims)
    }
}

/// The claims of a token, with the names of RFC 7519 where it has one.
#[derive(Serialize, Deserialize)]
struct WireClaims {
    iss: String,
    sub: Uuid,
    sid: Uuid,
    role: WireRole,
    #[serde(skip_serializing_if = "Option::is_none")]
    cid: Option<Uuid>,
    iat: i64,
    exp: i64,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum WireRole {
    SuperAdmin,
    Client,
    EndUser,
}

impl From<&AccessClaims> for WireClaims {
    fn from(claims: &AccessClaims) -> Self {
        let (role, sub) = match claims.acting.person {
            Person::SuperAdmin { account } => (WireRole::SuperAdmin, account.as_uuid()),
            Person::ClientAdmin { account, .. } => (WireRole::Client, account.as_uuid()),
            Person::EndUser { end_user, .. } => (WireRole::EndUser, end_user.as_uuid()),
        };
        Self {
            iss: ISSUER.to_owned(),
            sub,
            sid: claims.acting.session.as_uuid(),
            role,
            cid: claims.acting.person.client().map(ClientId::as_uuid),
            iat: (claims.expires_at - AccessClaims::LIFETIME).timestamp(),
            exp: claims.expires_at.timestamp(),
        }
    }
}

impl WireClaims {
    /// The claims, or `None` for claims that this product never issues.
    fn into_claims(self) -> Option<AccessClaims> {
        let person = match (self.role, self.cid.map(ClientId::from_uuid)) {
            (WireRole::SuperAdmin, None) => Person::SuperAdmin { account: AccountId::from_uuid(self.sub) },
            (WireRole::Client, Some(client)) => Person::ClientAdmin { account: AccountId::from_uuid(self.sub), client },
            (WireRole::EndUser, Some(client)) => Person::EndUser { end_user: EndUserId::from_uuid(self.sub), client },
            (WireRole::SuperAdmin, Some(_)) | (WireRole::Client | WireRole::EndUser, None) => return None,
        };
        let acting = ActingPerson { session: SessionId::from_uuid(self.sid), person };
        let expires_at = DateTime::from_timestamp(self.exp, 0)?;
        (self.iss == ISSUER).then_some(AccessClaims { acting, expires_at })
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use chrono::TimeDelta;
    use plenum_kernel::Clock;
    use plenum_kernel::testkit::{CountingIds, StillClock};
    use serde_json::{Value, json};

    use super::*;

    const KEY: &[u8] = b"a key of 32 bytes, and some more";
    const OTHER_KEY: &[u8] = b"another key of 32 bytes and more";

    fn tokens() -> JwtTokens {
        JwtTokens::new(KEY).unwrap()
    }

    fn now() -> DateTime<Utc> {
        StillClock::new().now()
    }

    fn people() -> [Person; 3] {
        let ids = CountingIds::new();
        let client = ClientId::new(&ids);
        [
            Person::SuperAdmin { account: AccountId::new(&ids) },
            Person::ClientAdmin { account: AccountId::new(&ids), client },
            Person::EndUser { end_user: EndUserId::new(&ids), client },
        ]
    }

    fn claims_of(person: Person) -> AccessClaims {
        let session = SessionId::new(&CountingIds::new());
        AccessClaims { acting: ActingPerson { session, person }, expires_at: now() + AccessClaims::LIFETIME }
    }

    fn voter_claims() -> AccessClaims {
        claims_of(people()[2])
    }

    fn part(value: &Value) -> String {
        URL_SAFE_NO_PAD.encode(value.to_string())
    }

    fn payload(token: &str) -> Value {
        let part = token.split('.').nth(1).unwrap();
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
    }

    /// Signs any payload with the key, as another program with the key could.
    fn signed(algorithm: Algorithm, payload: &Value) -> String {
        encode(&Header::new(algorithm), payload, &EncodingKey::from_secret(KEY)).unwrap()
    }

    #[test]
    fn an_issued_token_is_read() {
        for person in people() {
            let claims = claims_of(person);
            let token = tokens().issue(&claims);
            assert_eq!(tokens().read(&token, now()), Ok(claims));
        }
    }

    #[test]
    fn a_token_carries_the_person_the_session_and_the_times_only() {
        let claims = voter_claims();
        let ActingPerson { session, person } = claims.acting;
        let Person::EndUser { end_user, client } = person else { unreachable!() };
        let expected = json!({
            "iss": "plenum",
            "sub": end_user.to_string(),
            "sid": session.to_string(),
            "role": "END_USER",
            "cid": client.to_string(),
            "iat": now().timestamp(),
            "exp": now().timestamp() + 900,
        });
        assert_eq!(payload(&tokens().issue(&claims)), expected);
    }

    #[test]
    fn a_token_is_valid_until_its_expiry() {
        let claims = voter_claims();
        let token = tokens().issue(&claims);
        assert!(tokens().read(&token, claims.expires_at - TimeDelta::milliseconds(1)).is_ok());
        assert_eq!(tokens().read(&token, claims.expires_at), Err(TokenRefusal::Expired));
    }

    #[test]
    fn a_token_without_a_signature_is_not_valid() {
        let payload = payload(&tokens().issue(&voter_claims()));
        for algorithm in ["none", "None", "NONE", ""] {
            let header = part(&json!({"alg": algorithm, "typ": "JWT"}));
            for token in [format!("{header}.{}.", part(&payload)), format!("{header}.{}", part(&payload))] {
                assert_eq!(tokens().read(&token, now()), Err(TokenRefusal::Invalid), "{algorithm:?}");
            }
        }
    }

    #[test]
    fn another_algorithm_is_not_valid_even_with_the_right_key() {
        let payload = payload(&tokens().issue(&voter_claims()));
        assert!(tokens().read(&signed(Algorithm::HS256, &payload), now()).is_ok());
        for algorithm in [Algorithm::HS384, Algorithm::HS512] {
            assert_eq!(tokens().read(&signed(algorithm, &payload), now()), Err(TokenRefusal::Invalid));
        }
    }

    #[test]
    fn another_key_is_not_valid_even_for_an_expired_token() {
        let claims = voter_claims();
        let token = JwtTokens::new(OTHER_KEY).unwrap().issue(&claims);
        assert_eq!(tokens().read(&token, now()), Err(TokenRefusal::Invalid));
        assert_eq!(tokens().read(&token, claims.expires_at + TimeDelta::days(1)), Err(TokenRefusal::Invalid));
    }

    #[test]
    fn a_changed_role_is_not_valid() {
        let token = tokens().issue(&voter_claims());
        let [header, _, signature] = token.split('.').collect::<Vec<_>>()[..] else { unreachable!() };
        let mut payload = payload(&token);
        payload["role"] = "CLIENT".into();
        let forged = format!("{header}.{}.{signature}", part(&payload));
        assert_eq!(tokens().read(&forged, now()), Err(TokenRefusal::Invalid));
    }

    #[test]
    fn garbage_is_not_valid() {
        let token = tokens().issue(&voter_claims());
        let cut = &token[..token.len() - 1];
        for garbage in
            ["", ".", "..", "...", "a.b.c", "Bearer", "ä.ö.ü", cut, &format!("{token}."), &format!(" {token}")]
        {
            assert_eq!(tokens().read(garbage, now()), Err(TokenRefusal::Invalid), "{garbage:?}");
        }
    }

    #[test]
    fn unknown_claims_are_not_valid_even_when_signed() {
        let good = payload(&tokens().issue(&voter_claims()));
        let changes = [
            ("iss", json!("somebody")),
            ("iss", Value::Null),
            ("sub", json!("no id")),
            ("sid", Value::Null),
            ("role", json!("ROOT")),
            ("role", json!("SUPER_ADMIN")),
            ("cid", Value::Null),
            ("exp", json!("tomorrow")),
            ("exp", Value::Null),
            ("exp", json!(i64::MAX)),
        ];
        for (name, value) in changes {
            let mut payload = good.clone();
            payload[name] = value.clone();
            let token = signed(Algorithm::HS256, &payload);
            assert_eq!(tokens().read(&token, now()), Err(TokenRefusal::Invalid), "{name}: {value}");
        }
    }

    #[test]
    fn a_short_key_is_refused() {
        assert_eq!(
            JwtTokens::new(&[7; 31]).unwrap_err().to_string(),
            "the signing key must have at least 32 bytes, not 31"
        );
        assert!(JwtTokens::new(&[7; 32]).is_ok());
    }
}
