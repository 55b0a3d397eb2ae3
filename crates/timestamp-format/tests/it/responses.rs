//! Requests, and the check of responses to them.

use chrono::{DateTime, Utc};
use plenum_timestamp_format::testkit::{Flaw, TestAuthority};
use plenum_timestamp_format::{BadResponse, BadToken, TimestampRequest};

pub(crate) fn noon() -> DateTime<Utc> {
    "2026-11-21T12:00:00.5Z".parse().unwrap()
}

fn request() -> TimestampRequest {
    TimestampRequest::new([7; 32], [0xff; 8])
}

#[test]
fn a_request_is_the_one_of_the_standard() {
    // `openssl ts -query -digest 0707… -sha256 -cert`, with this nonce.
    let mut expected =
        vec![0x30, 0x43, 2, 1, 1, 0x30, 0x31, 0x30, 0x0d, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 5, 0];
    expected.extend([4, 32]);
    expected.extend([7; 32]);
    expected.extend([2, 8, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1, 0xff]);
    assert_eq!(request().content(), expected);
}

#[test]
fn a_granted_response_contains_the_token() {
    let authority = TestAuthority::new("Test Timestamps");
    let response = authority.respond(&request().content(), noon(), None);
    let (content, token) = request().read(&response).unwrap();
    assert_eq!((token.authority.as_str(), token.at), ("Test Timestamps", noon()));
    assert_eq!(token.policy, "1.3.6.1.4.1.32473.1");
    assert!(response.ends_with(&content));
}

#[test]
fn every_flaw_of_a_response_is_found() {
    let authority = TestAuthority::new("Test Timestamps");
    let found = |flaw| request().read(&authority.respond(&request().content(), noon(), Some(flaw))).unwrap_err();
    let words = "the policy  is not known".to_owned();
    assert_eq!(found(Flaw::Refused), BadResponse::Refused { status: 2, words });
    assert_eq!(found(Flaw::OtherNonce), BadResponse::Nonce);
    assert_eq!(found(Flaw::NoNonce), BadResponse::Nonce);
    assert_eq!(found(Flaw::OtherImprint), BadResponse::Token(BadToken::Imprint));
    assert_eq!(found(Flaw::BrokenSignature), BadResponse::Token(BadToken::Signature));
    assert_eq!(found(Flaw::OtherDigest), BadResponse::Token(BadToken::Signature));
    assert_eq!(found(Flaw::NoCertificate), BadResponse::Token(BadToken::NoCertificate));
    assert_eq!(found(Flaw::NoToken), BadResponse::Malformed);
    for text in [&b""[..], b"<html>", &[0x30, 0x80, 0, 0], &[0x30, 3, 2, 1, 0]] {
        assert_eq!(request().read(text), Err(BadResponse::Malformed), "{text:?}");
    }
}

#[test]
fn a_refusal_names_status_and_words() {
    let authority = TestAuthority::new("Test Timestamps");
    let refused = request().read(&authority.respond(&request().content(), noon(), Some(Flaw::Refused))).unwrap_err();
    assert_eq!(refused.to_string(), "the authority refuses: status 2, \"the policy  is not known\"");
}
