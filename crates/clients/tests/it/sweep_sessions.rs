//! The removal of old sessions.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use chrono::TimeDelta;
use mockall::Sequence;
use mockall::predicate::eq;
use plenum_clients::testkit::{
    InMemoryClients, InstantHasher, MockSessionStore, NotedActs, NumberedAccessTokens, PlainDeviceTokens,
    PlainFactorCipher, PlainRefreshTokens, Samples,
};
use plenum_clients::{AccountSignIn, AccountStore, SessionService, SignInPorts, SignInService, Waiting};
use plenum_kernel::testkit::{CountingIds, CountingSecrets, StillClock};
use plenum_kernel::{Clock, PortFailure};

#[tokio::test]
async fn a_session_is_removed_a_day_after_its_end() {
    let store = Arc::new(InMemoryClients::new());
    let clock = Arc::new(StillClock::new());
    let root = Samples::new().super_admin("root@example.org");
    AccountStore::add(&*store, root.clone()).await.unwrap();
    let service = SignInService::new(SignInPorts {
        accounts: store.clone(),
        clients: store.clone(),
        profiles: store.clone(),
        sessions: store.clone(),
        passwords: store.clone(),
        factors: store.clone(),
        join_links: store.clone(),
        factor_cipher: Arc::new(PlainFactorCipher::default()),
        hasher: Arc::new(InstantHasher),
        access_tokens: Arc::new(NumberedAccessTokens::default()),
        refresh_tokens: Arc::new(PlainRefreshTokens),
        device_tokens: Arc::new(PlainDeviceTokens::default()),
        secrets: Arc::new(CountingSecrets::default()),
        clock: clock.clone(),
        ids: Arc::new(CountingIds::new()),
        trail: Arc::new(NotedActs::default()),
        code_mails: None,
    });
    for remember_me in [false, false, true] {
        let typed = AccountSignIn {
            email: Some(root.email.clone()),
            password: Samples::PASSWORD.to_owned(),
            remember_me,
            portal: None,
            from: IpAddr::V4(Ipv4Addr::LOCALHOST),
            device: None,
            device_tokens: Vec::new(),
            code: None,
            waiting: Waiting::default(),
        };
        service.sign_in_account(typed).await.ok().unwrap();
    }
    let service = SessionService::new(store.clone(), clock.clone());
    clock.advance(TimeDelta::days(2));
    assert_eq!((service.sweep().await.unwrap(), store.session_count()), (0, 3));
    clock.advance(TimeDelta::seconds(1));
    assert!(service.sweep().await.unwrap() > 0);
    assert_eq!(store.session_count(), 1, "the one that is remembered stays");
    assert_eq!(service.sweep().await.unwrap(), 0);
}

#[tokio::test]
async fn batches_are_removed_until_one_is_not_full() {
    let clock = Arc::new(StillClock::new());
    let before = clock.now() - SessionService::KEPT_FOR;
    let mut sessions = MockSessionStore::new();
    let mut order = Sequence::new();
    for gone in [1_500, 1_000, 999] {
        let sweep = sessions.expect_sweep().with(eq(before), eq(1_000)).once().in_sequence(&mut order);
        sweep.returning(move |_, _| Ok(gone));
    }
    assert_eq!(SessionService::new(Arc::new(sessions), clock).sweep().await.unwrap(), 3_499);
}

#[tokio::test]
async fn a_store_that_does_not_answer_is_not_asked_again() {
    let mut sessions = MockSessionStore::new();
    sessions.expect_sweep().once().returning(|_, _| Err(PortFailure::busy("the database")));
    let service = SessionService::new(Arc::new(sessions), Arc::new(StillClock::new()));
    assert!(service.sweep().await.is_err());
}
