//! The service over HTTP, against one in the test.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use plenum_adapter_security::OsSecrets;
use plenum_adapter_timestamps::testkit::{Behavior, TestService};
use plenum_adapter_timestamps::{HttpTimestamps, TimestampAddress};
use plenum_records::{AuthorityFailure, IssuedTimestamp, TimestampAuthority as _};
use plenum_timestamp_format::testkit::{Flaw, KeyKind, Purpose, TestAuthority};
use plenum_timestamp_format::{Authorities, TimestampToken};

fn noon() -> DateTime<Utc> {
    "2026-11-21T12:00:00Z".parse().unwrap()
}

async fn service() -> TestService {
    TestService::start(TestAuthority::new("Test Timestamps"), noon()).await
}

fn client(service: &TestService, authorities: Option<Arc<Authorities>>) -> HttpTimestamps {
    HttpTimestamps::new(service.address(), authorities, Arc::new(OsSecrets)).unwrap()
}

async fn timestamp(client: &HttpTimestamps) -> Result<IssuedTimestamp, AuthorityFailure> {
    client.timestamp(&"0a".repeat(32)).await
}

#[tokio::test]
async fn a_hash_is_timestamped() {
    let service = service().await;
    let issued = timestamp(&client(&service, None)).await.unwrap();
    assert_eq!((issued.authority.as_str(), issued.at), ("Test Timestamps", noon()));
    assert_eq!(TimestampToken::read(&issued.token, &[0x0a; 32]).map(|token| token.at), Ok(noon()));
}

#[tokio::test]
async fn every_failure_is_told_in_words() {
    let service = service().await;
    let client = client(&service, None);
    for (behavior, words) in [
        (Behavior::Flawed(Flaw::Refused), "the authority refuses: status 2, \"the policy  is not known\""),
        (Behavior::Flawed(Flaw::OtherNonce), "the nonce of the response differs from that of the request"),
        (Behavior::Flawed(Flaw::OtherImprint), "the token is not valid: it is about another hash"),
        (Behavior::Flawed(Flaw::BrokenSignature), "the token is not valid: its signature is not valid"),
        (Behavior::Huge, "its answer is larger than 66560 bytes"),
        (Behavior::Status(302), "it redirects to another address, with status 302"),
        (Behavior::Status(503), "it answers with status 503"),
    ] {
        service.set(behavior);
        assert_eq!(timestamp(&client).await, Err(AuthorityFailure(words.to_owned())), "{behavior:?}");
    }
    service.set(Behavior::Down);
    assert!(timestamp(&client).await.unwrap_err().0.starts_with("it cannot be reached"));
    assert_eq!(service.requests(), 8, "no redirect was followed");
}

#[tokio::test]
async fn a_service_that_never_answers_is_given_up() {
    let service = service().await;
    service.set(Behavior::Silent);
    let client = client(&service, None).with_timeout(Duration::from_millis(50));
    assert_eq!(timestamp(&client).await, Err(AuthorityFailure("it does not answer in time".to_owned())));
}

#[tokio::test]
async fn a_certificate_without_the_purpose_is_refused() {
    let authority = TestAuthority::with("Test", KeyKind::Ecdsa, Purpose::Servers);
    let service = TestService::start(authority, noon()).await;
    let words = "the token is not valid: its certificate is not made for timestamps, and for nothing else";
    assert_eq!(timestamp(&client(&service, None)).await, Err(AuthorityFailure(words.to_owned())));
}

#[tokio::test]
async fn only_known_authorities_are_believed_where_some_are_named() {
    let service = service().await;
    let known = |pem: &str| Some(Arc::new(Authorities::from_pem(pem.as_bytes()).unwrap()));
    assert!(timestamp(&client(&service, known(&service.root_pem()))).await.is_ok());
    let other = TestAuthority::new("Another");
    let refused = timestamp(&client(&service, known(other.root_pem()))).await.unwrap_err();
    assert!(refused.0.contains("no certificate of PLENUM_TIMESTAMP_CERTIFICATES vouches"), "{}", refused.0);
}

#[test]
fn an_encrypted_service_is_set_up_with_the_certificates_of_the_system() {
    let address = TimestampAddress::parse("https://user:secret@timestamps.example.org/tsa").unwrap();
    assert!(HttpTimestamps::new(address, None, Arc::new(OsSecrets)).is_ok());
}
