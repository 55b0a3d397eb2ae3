//! Changes of a person's own password, and their own sessions.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use chrono::TimeDelta;
use plenum_clients::testkit::{
    InMemoryClients, InstantHasher, MockPasswordHasher, MockPasswordStore, NotedActs, NumberedAccessTokens,
    PlainDeviceTokens, PlainFactorCipher, PlainRefreshTokens, Samples,
};
use plenum_clients::{
    AccountService, AccountSignIn, ChangePasswordError, Client, ClientKey, ClientStore, EndUserSignIn, EndUserStore,
    OwnPasswordChange, Password, PasswordStore, SessionService, SessionStore, SignInError, SignInPorts, SignInService,
    StoredCredentials, Username, Waiting,
};
use plenum_kernel::testkit::{CountingIds, CountingSecrets, StillClock};
use plenum_kernel::{ActingPerson, EmailAddress, Person, SessionId};

const SOMEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
const NEW: &str = "battery staple";

/// A client with its administrator and a voter, each with a session.
struct World {
    store: Arc<InMemoryClients>,
    clock: Arc<StillClock>,
    client: Client,
    email: EmailAddress,
    admin: ActingPerson,
    voter: ActingPerson,
    samples: Samples,
}

impl World {
    async fn new() -> Self {
        let store = Arc::new(InMemoryClients::new());
        let samples = Samples::new();
        let client = samples.client("club");
        let admin = samples.admin_of(&client);
        ClientStore::add(&*store, client.clone(), admin.clone()).await.unwrap();
        let voter = samples.end_user(&client, "anna");
        EndUserStore::add(&*store, voter.clone(), InstantHasher::hash_of(Samples::PASSWORD)).await.unwrap();
        let voter = Person::EndUser { end_user: voter.id, client: client.id };
        let mut acting = Vec::new();
        for person in [admin.person(), voter] {
            let session = samples.session(person, &format!("{person:?}"));
            assert!(store.open(session.clone()).await.unwrap());
            acting.push(ActingPerson { session: session.id, person });
        }
        let clock = Arc::new(StillClock::new());
        Self { store, clock, client, email: admin.email, admin: acting[0], voter: acting[1], samples }
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
            access_tokens: Arc::new(NumberedAccessTokens::default()),
            refresh_tokens: Arc::new(PlainRefreshTokens),
            device_tokens: Arc::new(PlainDeviceTokens::default()),
            secrets: Arc::new(CountingSecrets::default()),
            clock: self.clock.clone(),
            ids: Arc::new(CountingIds::new()),
            trail: Arc::new(NotedActs::default()),
            code_mails: None,
        }
    }

    fn service(&self, ports: SignInPorts) -> AccountService {
        AccountService::new(self.store.clone(), Arc::new(SignInService::new(ports)))
    }

    async fn password_of(&self, acting: ActingPerson) -> StoredCredentials {
        PasswordStore::of_person(&*self.store, acting.person).await.unwrap().unwrap()
    }
}

fn change(acting: ActingPerson, current: &str) -> OwnPasswordChange {
    OwnPasswordChange {
        acting,
        current: current.to_owned(),
        new: Password::parse(NEW).unwrap(),
        from: SOMEWHERE,
        waiting: Waiting::default(),
    }
}

#[tokio::test]
async fn a_password_change_keeps_the_acting_session() {
    let world = World::new().await;
    let service = world.service(world.ports());
    for acting in [world.admin, world.voter] {
        service.change_password(change(acting, Samples::PASSWORD)).await.unwrap();
        assert_eq!(world.password_of(acting).await.password_hash, InstantHasher::hash_of(NEW));
        assert!(world.store.session_state(acting.session).await.unwrap().unwrap().is_active);
    }
}

#[tokio::test]
async fn no_new_password_is_hashed_after_a_wrong_one() {
    let world = World::new().await;
    let mut hasher = MockPasswordHasher::new();
    hasher.expect_verify().times(1).returning(|_, _, _| Ok(false));
    hasher.expect_hash().never();
    let service = world.service(SignInPorts { hasher: Arc::new(hasher), ..world.ports() });
    let outcome = service.change_password(change(world.voter, Samples::PASSWORD)).await;
    assert!(matches!(outcome, Err(ChangePasswordError::WrongPassword)));
}

#[tokio::test]
async fn a_password_that_changed_during_the_check_is_wrong() {
    let world = World::new().await;
    let found = world.password_of(world.voter).await;
    let mut passwords = MockPasswordStore::new();
    passwords.expect_of_person().returning(move |_| Ok(Some(found.clone())));
    passwords.expect_change().times(1).returning(|_| Ok(false));
    let service = world.service(SignInPorts { passwords: Arc::new(passwords), ..world.ports() });
    let outcome = service.change_password(change(world.voter, Samples::PASSWORD)).await;
    assert!(matches!(outcome, Err(ChangePasswordError::WrongPassword)));
}

#[tokio::test]
async fn password_changes_and_sign_ins_share_their_limits() {
    let world = World::new().await;
    let sign_in = Arc::new(SignInService::new(world.ports()));
    let service = AccountService::new(world.store.clone(), sign_in.clone());
    for acting in [world.admin, world.voter] {
        for _ in 0..10 {
            let outcome = service.change_password(change(acting, "wrong")).await;
            assert!(matches!(outcome, Err(ChangePasswordError::WrongPassword)));
        }
        let outcome = service.change_password(change(acting, Samples::PASSWORD)).await;
        assert!(matches!(outcome, Err(ChangePasswordError::TooManyTries { .. })));
    }
    let account = AccountSignIn {
        email: Some(world.email.clone()),
        password: Samples::PASSWORD.to_owned(),
        remember_me: false,
        portal: None,
        from: SOMEWHERE,
        device: None,
        device_tokens: Vec::new(),
        code: None,
        waiting: Waiting::default(),
    };
    let end_user = EndUserSignIn {
        client: Some(ClientKey::Code(world.client.code.clone())),
        username: Username::parse("ANNA").ok(),
        password: Samples::PASSWORD.to_owned(),
        remember_me: false,
        from: SOMEWHERE,
        device: None,
        device_tokens: Vec::new(),
        waiting: Waiting::default(),
    };
    let outcomes = [sign_in.sign_in_account(account).await, sign_in.sign_in_end_user(end_user).await];
    assert!(outcomes.into_iter().all(|outcome| matches!(outcome, Err(SignInError::TooManyTries { .. }))));
    world.clock.advance(TimeDelta::minutes(2));
    service.change_password(change(world.voter, Samples::PASSWORD)).await.unwrap();
}

#[tokio::test]
async fn the_session_of_a_removed_person_has_ended() {
    let world = World::new().await;
    let service = world.service(world.ports());
    ClientStore::remove(&*world.store, world.client.id, world.samples.now()).await.unwrap();
    let outcome = service.change_password(change(world.voter, Samples::PASSWORD)).await;
    assert!(matches!(outcome, Err(ChangePasswordError::SessionEnded)));
}

#[tokio::test]
async fn people_end_their_sessions_with_or_without_the_acting_one() {
    let world = World::new().await;
    let sessions = SessionService::new(world.store.clone(), world.clock.clone());
    let person = world.voter.person;
    let mut others = Vec::new();
    for token in ["laptop", "tablet", "watch"] {
        let session = world.samples.session(person, token);
        assert!(world.store.open(session.clone()).await.unwrap());
        others.push(session.id);
    }
    let listed: Vec<SessionId> = sessions.list(person).await.unwrap().into_iter().map(|session| session.id).collect();
    assert_eq!(listed, [others[2], others[1], others[0], world.voter.session]);
    assert!(sessions.end(person, others[0]).await.unwrap());
    assert!(!sessions.end(person, world.admin.session).await.unwrap());
    assert_eq!(sessions.end_everywhere(world.voter, true).await.unwrap(), 2);
    assert_eq!(sessions.list(person).await.unwrap().len(), 1);
    assert_eq!(sessions.end_everywhere(world.voter, false).await.unwrap(), 1);
    assert_eq!(sessions.list(person).await.unwrap(), []);
    assert_eq!(sessions.list(world.admin.person).await.unwrap().len(), 1);
}
