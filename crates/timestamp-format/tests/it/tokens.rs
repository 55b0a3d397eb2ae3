//! Tokens by themselves, and who vouches for them.

use plenum_timestamp_format::testkit::{KeyKind, Purpose, TestAuthority};
use plenum_timestamp_format::{Authorities, BadCertificates, BadToken, MAX_TOKEN_BYTES, TimestampToken};

use crate::responses::noon;

const HASH: [u8; 32] = [9; 32];

fn read(authority: &TestAuthority) -> Result<TimestampToken, BadToken> {
    TimestampToken::read(&authority.token(&HASH, noon()), &HASH)
}

#[test]
fn tokens_of_every_kind_of_key_are_read() {
    for kind in [KeyKind::Ecdsa, KeyKind::Rsa, KeyKind::Ed25519] {
        let authority = TestAuthority::with("Test", kind, Purpose::Timestamps);
        assert_eq!(read(&authority).map(|token| token.at), Ok(noon()), "{kind:?}");
        assert_eq!(read(&authority.naming_by_sha1()).map(|token| token.at), Ok(noon()), "{kind:?}");
    }
}

#[test]
fn a_certificate_that_is_made_for_something_else_is_refused() {
    for purpose in [Purpose::TimestampsAmongOthers, Purpose::Servers, Purpose::Unknown] {
        let authority = TestAuthority::with("Test", KeyKind::Ecdsa, purpose);
        assert_eq!(read(&authority), Err(BadToken::Purpose), "{purpose:?}");
    }
}

#[test]
fn a_token_is_about_one_hash_and_of_the_time_of_its_certificate() {
    let authority = TestAuthority::new("Test");
    let token = authority.token(&HASH, noon());
    assert_eq!(TimestampToken::read(&token, &[8; 32]), Err(BadToken::Imprint));
    let early = "1970-01-01T00:00:00Z".parse().unwrap();
    assert_eq!(TimestampToken::read(&authority.token(&HASH, early), &HASH), Err(BadToken::Validity));
    assert_eq!(TimestampToken::read(&vec![0; MAX_TOKEN_BYTES + 1], &HASH), Err(BadToken::TooLarge));
}

#[test]
fn an_authority_is_known_by_its_certificate_or_by_its_root() {
    let (authority, other) = (TestAuthority::new("Test"), TestAuthority::new("Test"));
    let token = read(&authority).unwrap();
    let vouched = |pem: &str| Authorities::from_pem(pem.as_bytes()).unwrap().vouch_for(&token);
    assert!(vouched(authority.root_pem()) && vouched(authority.certificate_pem()));
    assert!(!vouched(other.root_pem()) && !vouched(other.certificate_pem()));
    assert!(vouched(&format!("{}\n{}", other.root_pem(), authority.root_pem())));
}

#[test]
fn a_file_without_certificates_is_refused() {
    let damaged = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    for pem in ["", "no certificate", damaged] {
        assert_eq!(Authorities::from_pem(pem.as_bytes()), Err(BadCertificates), "{pem}");
    }
}
