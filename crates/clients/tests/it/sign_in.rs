//! Sign-ins, renewals and sign-outs.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::TimeDelta;
use plenum_clients::testkit::{
    InMemoryClients, InstantHasher, MockAccountStore, MockJoinLinkStore, MockPasswordHasher, MockSessionStore,
    NotedActs, NumberedAccessTokens, PlainDeviceTokens, PlainFactorCipher, PlainRefreshTokens, Samples,
};
use plenum_clients::{
    AccessClaims, AccessTokens, Account, AccountSignIn, AccountStore, CallerLiveness, Client, ClientKey, ClientStatus,
    ClientStore, EndUser, EndUserSignIn, EndUserStore, FoundJoin, FoundJoinLink, JoinAsk, JoinSignIn, NotedAct,
    OpenedSession, PasswordHasher, Portal, RefreshError, SessionOrigin, SessionState, SessionStore, SignInError,
    SignInPorts, SignInService, SignedIn, StoredCredentials, TokenPair, TokenRefusal, Username, Waiting,
};
use plenum_kernel::testkit::{CountingIds, CountingSecrets, StillClock};
use plenum_kernel::{ActingPerson, Clock, EmailAddress, Person, PortFailure, SignInTicket};
use uuid::Uuid;

/// The address of all callers.
const SOMEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

/// A super administrator, a client with its administrator, and a voter.
struct World {
    store: Arc<InMemoryClients>,
    clock: Arc<StillClock>,
    access_tokens: Arc<NumberedAccessTokens>,
    root: Account,
    admin: Account,
    client: Client,
    voter: EndUser,
}

impl World {
    async fn new() -> Self {
        let store = Arc::new(InMemoryClients::new());
        let samples = Samples::new();
        let root = samples.super_admin("root@example.org");
        AccountStore::add(&*store, root.clone()).await.unwrap();
        let client = samples.client("club");
        let admin = samples.admin_of(&client);
        ClientStore::add(&*store, client.clone(), admin.clone()).await.unwrap();
        let voter = samples.end_user(&client, "anna");
        let hash = InstantHasher::hash_of(Samples::PASSWORD);
        EndUserStore::add(&*store, voter.clone(), hash).await.unwrap();
        Self {
            store,
            clock: Arc::new(StillClock::new()),
            access_tokens: Arc::new(NumberedAccessTokens::default()),
            root,
            admin,
            client,
            voter,
        }
    }

    fn ports(&self) -> SignInPorts {
        SignInPorts {
            accounts: self.store.clone(),
            clients: self.store.clone(),
            profiles: self.store.clone(),
            sessions: self.store.clone(),
            passwords: self.store.clone(),
            factors: self.store.clone(),
            join_links: self.store.clone(),
            factor_cipher: Arc::new(PlainFactorCipher::default()),
            hasher: Arc::new(InstantHasher),
            access_tokens: self.access_tokens.clone(),
            refresh_tokens: Arc::new(PlainRefreshTokens),
            device_tokens: Arc::new(PlainDeviceTokens::default()),
            secrets: Arc::new(CountingSecrets::default()),
            clock: self.clock.clone(),
            ids: Arc::new(CountingIds::new()),
            trail: Arc::new(NotedActs::default()),
            code_mails: None,
        }
    }

    fn service(&self) -> SignInService {
        SignInService::new(self.ports())
    }

    fn voter_signs_in(&self) -> EndUserSignIn {
        EndUserSignIn {
            client: Some(ClientKey::Code(self.client.code.clone())),
            username: Some(self.voter.username.clone()),
            password: Samples::PASSWORD.to_owned(),
            remember_me: false,
            from: SOMEWHERE,
            device: None,
            device_tokens: Vec::new(),
            waiting: Waiting::default(),
        }
    }

    /// The person who acts with the access token of a pair.
    fn acting(&self, tokens: &TokenPair) -> ActingPerson {
        self.access_tokens.read(&tokens.access, self.clock.now()).unwrap().acting
    }

    async fn is_active(&self, tokens: &TokenPair) -> bool {
        self.store.session_state(self.acting(tokens).session).await.unwrap().unwrap().is_active
    }
}

fn account_signs_in(account: &Account) -> AccountSignIn {
    AccountSignIn {
        email: Some(account.email.clone()),
        password: Samples::PASSWORD.to_owned(),
        remember_me: false,
        portal: None,
        from: SOMEWHERE,
        device: None,
        device_tokens: Vec::new(),
        code: None,
        waiting: Waiting::default(),
    }
}

fn is_wrong(outcome: Result<SignedIn, SignInError>) -> bool {
    outcome.is_err_and(|error| matches!(error, SignInError::WrongCredentials))
}

#[tokio::test]
async fn everyone_signs_in_with_the_right_password() {
    let world = World::new().await;
    let service = world.service();
    for account in [&world.root, &world.admin] {
        let signed_in = service.sign_in_account(account_signs_in(account)).await.ok().unwrap();
        assert_eq!(world.acting(&signed_in.tokens).person, account.person());
        assert_eq!(signed_in.profile.person, account.person());
        assert_eq!(signed_in.profile.email.as_ref(), Some(&account.email));
    }
    let signed_in = service.sign_in_end_user(world.voter_signs_in()).await.ok().unwrap();
    let person = Person::EndUser { end_user: world.voter.id, client: world.client.id };
    assert_eq!(world.acting(&signed_in.tokens).person, person);
    assert_eq!(signed_in.profile.username, Some(world.voter.username.clone()));
    assert!(world.is_active(&signed_in.tokens).await);
    assert_eq!(world.store.session_count(), 3);
}

#[tokio::test]
async fn an_access_token_lasts_15_minutes() {
    let world = World::new().await;
    let signed_in = world.service().sign_in_end_user(world.voter_signs_in()).await.ok().unwrap();
    let read = |later: TimeDelta| world.access_tokens.read(&signed_in.tokens.access, world.clock.now() + later);
    assert_eq!(AccessClaims::LIFETIME, TimeDelta::minutes(15));
    assert!(read(AccessClaims::LIFETIME - TimeDelta::seconds(1)).is_ok());
    assert_eq!(read(AccessClaims::LIFETIME), Err(TokenRefusal::Expired));
}

#[tokio::test]
async fn a_wrong_password_opens_no_session() {
    let world = World::new().await;
    let service = world.service();
    let typed = AccountSignIn { password: "wrong".to_owned(), ..account_signs_in(&world.admin) };
    assert!(is_wrong(service.sign_in_account(typed).await));
    let typed = EndUserSignIn { password: "wrong".to_owned(), ..world.voter_signs_in() };
    assert!(is_wrong(service.sign_in_end_user(typed).await));
    assert_eq!(world.store.session_count(), 0);
}

/// A hasher that must be called exactly once, without a hash. So it takes as long as for a known name.
fn asked_once_without_a_hash() -> Arc<dyn PasswordHasher> {
    let mut hasher = MockPasswordHasher::new();
    hasher
        .expect_verify()
        .withf(|candidate, hash, _| candidate == Samples::PASSWORD && hash.is_none())
        .times(1)
        // Even with a faulty hasher, an unknown name cannot sign in.
        .returning(|_, _, _| Ok(true));
    Arc::new(hasher)
}

#[tokio::test]
async fn an_unknown_name_costs_as_much_as_a_known_one() {
    let world = World::new().await;
    let service = || SignInService::new(SignInPorts { hasher: asked_once_without_a_hash(), ..world.ports() });
    let nobody = EmailAddress::parse("nobody@example.org").unwrap();
    for email in [Some(nobody), None] {
        let typed = AccountSignIn { email, ..account_signs_in(&world.admin) };
        assert!(is_wrong(service().sign_in_account(typed).await));
    }
    let unknown = Samples::new().client("nowhere");
    let right = world.voter_signs_in();
    for typed in [
        EndUserSignIn { client: None, ..right.clone() },
        EndUserSignIn { username: None, ..right.clone() },
        EndUserSignIn { client: Some(ClientKey::Code(unknown.code)), ..right.clone() },
        EndUserSignIn { client: Some(ClientKey::Id(unknown.id)), ..right.clone() },
        EndUserSignIn { username: Some(Username::parse("nobody").unwrap()), ..right.clone() },
    ] {
        assert!(is_wrong(service().sign_in_end_user(typed).await));
    }
    assert_eq!(world.store.session_count(), 0);
}

#[tokio::test]
async fn an_inactive_person_costs_as_much_as_an_active_one() {
    let world = World::new().await;
    let service = || {
        let mut hasher = MockPasswordHasher::new();
        hasher.expect_verify().times(1).returning(|_, _, _| Ok(true));
        SignInService::new(SignInPorts { hasher: Arc::new(hasher), ..world.ports() })
    };
    world.store.set_end_user_active(world.voter.id, false);
    assert!(is_wrong(service().sign_in_end_user(world.voter_signs_in()).await));
    world.store.set_end_user_active(world.voter.id, true);
    world.store.set_client_status(world.client.id, ClientStatus::Inactive);
    assert!(is_wrong(service().sign_in_end_user(world.voter_signs_in()).await));
    assert!(is_wrong(service().sign_in_account(account_signs_in(&world.admin)).await));
}

#[tokio::test]
async fn an_inactive_person_is_refused_like_a_wrong_password() {
    let world = World::new().await;
    let service = world.service();
    world.store.set_end_user_active(world.voter.id, false);
    assert!(is_wrong(service.sign_in_end_user(world.voter_signs_in()).await));

    world.store.set_end_user_active(world.voter.id, true);
    for status in [ClientStatus::Inactive, ClientStatus::Suspended] {
        world.store.set_client_status(world.client.id, status);
        assert!(is_wrong(service.sign_in_end_user(world.voter_signs_in()).await), "{status:?}");
        assert!(is_wrong(service.sign_in_account(account_signs_in(&world.admin)).await), "{status:?}");
    }
    assert_eq!(world.store.session_count(), 0);
    assert!(service.sign_in_account(account_signs_in(&world.root)).await.is_ok());
}

#[tokio::test]
async fn the_wrong_portal_opens_no_session() {
    let world = World::new().await;
    let mut sessions = MockSessionStore::new();
    sessions.expect_open().never();
    let service = SignInService::new(SignInPorts { sessions: Arc::new(sessions), ..world.ports() });
    for (account, portal) in [(&world.admin, Portal::SuperAdmin), (&world.root, Portal::Client)] {
        let typed = AccountSignIn { portal: Some(portal), ..account_signs_in(account) };
        assert!(matches!(service.sign_in_account(typed).await, Err(SignInError::WrongPortal)), "{portal:?}");
    }
}

#[tokio::test]
async fn a_wrong_password_at_the_wrong_portal_is_a_wrong_password() {
    let world = World::new().await;
    let typed = AccountSignIn {
        portal: Some(Portal::SuperAdmin),
        password: "wrong".to_owned(),
        ..account_signs_in(&world.admin)
    };
    assert!(is_wrong(world.service().sign_in_account(typed).await));
}

#[tokio::test]
async fn the_right_portal_signs_in() {
    let world = World::new().await;
    for (account, portal) in [(&world.root, Portal::SuperAdmin), (&world.admin, Portal::Client)] {
        let typed = AccountSignIn { portal: Some(portal), ..account_signs_in(account) };
        assert!(world.service().sign_in_account(typed).await.is_ok(), "{portal:?}");
    }
}

#[tokio::test]
async fn a_store_failure_is_not_a_wrong_password() {
    let world = World::new().await;
    let mut accounts = MockAccountStore::new();
    accounts.expect_account_credentials().returning(|_| Err(PortFailure::busy("the database")));
    let service = SignInService::new(SignInPorts { accounts: Arc::new(accounts), ..world.ports() });
    let outcome = service.sign_in_account(account_signs_in(&world.root)).await;
    assert!(matches!(outcome, Err(SignInError::Port(_))));
}

/// Sign-ins look people up in a separate store, which they may keep busy.
#[tokio::test]
async fn signed_in_people_do_not_queue_behind_sign_ins() {
    let world = World::new().await;
    let found = world.store.account_credentials(&world.root.email).await.unwrap();
    let mut accounts = MockAccountStore::new();
    accounts.expect_account_credentials().times(1).return_once(move |_| Ok(found));
    let service = SignInService::new(SignInPorts { accounts: Arc::new(accounts), ..world.ports() });
    let signed_in = service.sign_in_account(account_signs_in(&world.root)).await.unwrap();
    assert!(service.profile(signed_in.profile.person).await.unwrap().is_some());
}

#[tokio::test]
async fn a_refresh_returns_new_tokens_of_the_same_session() {
    let world = World::new().await;
    let service = world.service();
    let first = service.sign_in_end_user(world.voter_signs_in()).await.ok().unwrap().tokens;
    let acting = world.acting(&first);
    let mut tokens = first;
    for _ in 0..3 {
        world.clock.advance(TimeDelta::minutes(14));
        let next = service
            .refresh(&tokens.refresh, None, &SessionOrigin::default())
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        assert!(next.access != tokens.access && next.refresh != tokens.refresh);
        assert_eq!(world.acting(&next), acting);
        tokens = next;
    }
}

#[tokio::test]
async fn remember_me_lasts_30_days() {
    let world = World::new().await;
    for (remember_me, days) in [(false, 1), (true, 30)] {
        let service = world.service();
        let typed = EndUserSignIn { remember_me, ..world.voter_signs_in() };
        let tokens = service.sign_in_end_user(typed.clone()).await.ok().unwrap().tokens;
        world.clock.advance(TimeDelta::days(days) - TimeDelta::seconds(1));
        let tokens = service
            .refresh(&tokens.refresh, None, &SessionOrigin::default())
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        world.clock.advance(TimeDelta::days(days));
        assert!(matches!(
            service.refresh(&tokens.refresh, None, &SessionOrigin::default()).await,
            Err(RefreshError::SessionEnded)
        ));
    }
}

#[tokio::test]
async fn two_tabs_may_use_one_refresh_token_within_30_seconds() {
    let world = World::new().await;
    let service = world.service();
    let tokens = service.sign_in_end_user(world.voter_signs_in()).await.ok().unwrap().tokens;
    let one = service
        .refresh(&tokens.refresh, None, &SessionOrigin::default())
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    world.clock.advance(TimeDelta::seconds(30));
    let other = service
        .refresh(&tokens.refresh, None, &SessionOrigin::default())
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(world.acting(&one), world.acting(&other));
    assert_eq!(one.refresh, other.refresh, "both have the one successor");
    assert!(service.refresh(&one.refresh, None, &SessionOrigin::default()).await.is_ok());
}

#[tokio::test]
async fn a_renewal_whose_response_was_lost_may_be_repeated_hours_later() {
    let world = World::new().await;
    let service = world.service();
    let tokens = service.sign_in_end_user(world.voter_signs_in()).await.ok().unwrap().tokens;
    let renew = async |id| service.refresh(&tokens.refresh, Some(Uuid::from_u128(id)), &SessionOrigin::default()).await;
    let lost = renew(1).await.unwrap_or_else(|error| panic!("{error}"));
    let owner = world.acting(&lost);
    world.clock.advance(TimeDelta::hours(2));
    let repeated = renew(1).await.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((world.acting(&repeated), &repeated.refresh), (owner, &lost.refresh));

    let of_copy = renew(2).await;
    assert!(
        matches!(of_copy, Err(RefreshError::Stolen { session }) if session == owner.session),
        "a copy of the token has another id"
    );
    assert!(!world.is_active(&repeated).await);
}

#[tokio::test]
async fn a_stolen_refresh_token_ends_the_session() {
    let world = World::new().await;
    let service = world.service();
    let tokens = service.sign_in_end_user(world.voter_signs_in()).await.ok().unwrap().tokens;
    let elsewhere = service.sign_in_end_user(world.voter_signs_in()).await.ok().unwrap().tokens;
    let next = service
        .refresh(&tokens.refresh, None, &SessionOrigin::default())
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    world.clock.advance(TimeDelta::seconds(31));

    let stolen = service.refresh(&tokens.refresh, None, &SessionOrigin::default()).await;
    let ended = world.acting(&next).session;
    assert!(matches!(stolen, Err(RefreshError::Stolen { session }) if session == ended));
    assert!(matches!(
        service.refresh(&tokens.refresh, None, &SessionOrigin::default()).await,
        Err(RefreshError::SessionEnded)
    ));
    assert!(matches!(
        service.refresh(&next.refresh, None, &SessionOrigin::default()).await,
        Err(RefreshError::SessionEnded)
    ));
    assert!(!world.is_active(&next).await);
    assert!(world.is_active(&elsewhere).await, "another sign-in of the same person is another session");
    assert!(service.refresh(&elsewhere.refresh, None, &SessionOrigin::default()).await.is_ok());
}

#[tokio::test]
async fn a_sign_out_ends_the_refresh_token_at_once() {
    let world = World::new().await;
    let service = world.service();
    let tokens = service.sign_in_end_user(world.voter_signs_in()).await.ok().unwrap().tokens;
    service.sign_out(world.acting(&tokens).session).await.unwrap();
    assert!(matches!(
        service.refresh(&tokens.refresh, None, &SessionOrigin::default()).await,
        Err(RefreshError::SessionEnded)
    ));
    assert!(!world.is_active(&tokens).await);
}

#[tokio::test]
async fn a_deactivated_person_gets_no_new_tokens() {
    let world = World::new().await;
    let service = world.service();
    let tokens = service.sign_in_end_user(world.voter_signs_in()).await.ok().unwrap().tokens;
    world.store.set_client_status(world.client.id, ClientStatus::Suspended);
    assert!(matches!(
        service.refresh(&tokens.refresh, None, &SessionOrigin::default()).await,
        Err(RefreshError::SessionEnded)
    ));
    // The token was not used up: it works after the suspension.
    world.store.set_client_status(world.client.id, ClientStatus::Active);
    assert!(service.refresh(&tokens.refresh, None, &SessionOrigin::default()).await.is_ok());
}

#[tokio::test]
async fn an_invented_refresh_token_is_refused() {
    let world = World::new().await;
    for token in ["", "made up", "token-1"] {
        assert!(
            matches!(
                world.service().refresh(token, None, &SessionOrigin::default()).await,
                Err(RefreshError::SessionEnded)
            ),
            "{token}"
        );
    }
}

#[derive(Debug)]
struct Left;

impl CallerLiveness for Left {
    fn is_there(&self) -> bool {
        false
    }
}

#[tokio::test]
async fn a_caller_who_has_left_is_not_signed_in() {
    let world = World::new().await;
    let service = world.service();
    let waiting = Waiting { ticket: None, caller: Some(Arc::new(Left)) };
    let outcome = service.sign_in_end_user(EndUserSignIn { waiting, ..world.voter_signs_in() }).await;
    assert!(matches!(outcome, Err(SignInError::Port(_))));
    assert_eq!(world.store.session_count(), 0);
    // That was not a failure.
    assert!(service.sign_in_end_user(world.voter_signs_in()).await.is_ok());
}

#[tokio::test]
async fn a_turn_carries_the_ticket_of_its_sign_in() {
    let world = World::new().await;
    let ticket = Some(SignInTicket::new(&CountingIds::new()));
    let mut hasher = MockPasswordHasher::new();
    hasher.expect_verify().withf(move |_, _, turn| turn.ticket == ticket).times(1).returning(|_, _, _| Ok(true));
    let service = SignInService::new(SignInPorts { hasher: Arc::new(hasher), ..world.ports() });
    let waiting = Waiting { ticket, caller: None };
    assert!(service.sign_in_end_user(EndUserSignIn { waiting, ..world.voter_signs_in() }).await.is_ok());
}

#[tokio::test]
async fn failures_of_known_people_are_recorded_up_to_the_limit() {
    let world = World::new().await;
    let trail = Arc::new(NotedActs::default());
    let service = SignInService::new(SignInPorts { trail: trail.clone(), ..world.ports() });
    let unknown = Username::parse("nobody").unwrap();
    let of_nobody = EndUserSignIn { username: Some(unknown), ..world.voter_signs_in() };
    assert!(is_wrong(service.sign_in_end_user(of_nobody).await));
    service.sign_in_end_user(world.voter_signs_in()).await.ok().unwrap();
    assert_eq!(trail.all(), []);
    for _ in 0..20 {
        let wrong = EndUserSignIn { password: "a wrong one".to_owned(), ..world.voter_signs_in() };
        service.sign_in_end_user(wrong).await.err().unwrap();
    }
    let person = Person::EndUser { end_user: world.voter.id, client: world.client.id };
    assert_eq!(trail.all(), vec![NotedAct::SignInFailed(person); 10]);
}

#[tokio::test]
async fn a_link_that_is_used_up_while_it_is_looked_for_finds_the_session_of_its_sign_in() {
    let world = World::new().await;
    let person = Person::EndUser { end_user: world.voter.id, client: world.client.id };
    let link = FoundJoinLink {
        credentials: StoredCredentials {
            person,
            password_hash: InstantHasher::hash_of(Samples::PASSWORD),
            may_sign_in: true,
        },
        name: world.voter.name.clone(),
        username: world.voter.username.clone(),
        client: world.client.id,
        client_code: world.client.code.clone(),
        client_name: "Rowing Club".to_owned(),
        email: None,
        meeting: None,
        asks: JoinAsk::Nothing,
    };
    let session = OpenedSession {
        id: Samples::new().session_id(),
        session_state: SessionState { person, is_active: true },
        started_at: world.clock.now(),
        is_renewed: false,
    };
    // The other request of the sign-in opens its session after whatever is read first.
    let is_used_up = Arc::new(AtomicBool::new(false));
    let (mut join_links, mut sessions) = (MockJoinLinkStore::new(), MockSessionStore::new());
    let used = is_used_up.clone();
    join_links.expect_find().returning(move |_, _| Ok((!used.swap(true, Ordering::SeqCst)).then(|| link.clone())));
    sessions.expect_opened_with().returning(move |_| Ok(is_used_up.swap(true, Ordering::SeqCst).then_some(session)));
    let service = SignInService::new(SignInPorts {
        join_links: Arc::new(join_links),
        sessions: Arc::new(sessions),
        ..world.ports()
    });
    let typed = JoinSignIn {
        token: "the only link".to_owned(),
        attempt_id: Some(Uuid::from_u128(1)),
        password: None,
        code: None,
        remember_me: false,
        from: SOMEWHERE,
        device: None,
        device_tokens: Vec::new(),
        waiting: Waiting::default(),
    };
    let found = service.find_join(&typed).await.unwrap();
    assert!(matches!(found, Some(FoundJoin::Opened { session: found, .. }) if found == session));
}
