//! Password resets by mail.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use chrono::TimeDelta;
use plenum_clients::testkit::{
    InMemoryClients, InstantHasher, MockPasswordHasher, NotedActs, PlainRefreshTokens, Samples,
};
use plenum_clients::{
    Account, AccountStore, ClientStatus, ClientStore, DeviceId, ForgottenPasswordError, KnownPlace, Password,
    PasswordResetService, PasswordStore, ResetLetters, ResetPasswordError, ResetPorts, ResetRequest, ResetRequests,
};
use plenum_kernel::EmailAddress;
use plenum_kernel::testkit::{CountingSecrets, StillClock};

const NEW: &str = "battery staple";
const PAGE: &str = "https://vote.example.org/reset-password";

/// A client with its administrator.
struct World {
    store: Arc<InMemoryClients>,
    clock: Arc<StillClock>,
    admin: Account,
}

impl World {
    async fn new() -> Self {
        let store = Arc::new(InMemoryClients::new());
        let samples = Samples::new();
        let client = samples.client("club");
        let admin = samples.admin_of(&client);
        ClientStore::add(&*store, client, admin.clone()).await.unwrap();
        Self { store, clock: Arc::new(StillClock::new()), admin }
    }

    fn ports(&self) -> ResetPorts {
        ports(&self.store, &self.clock)
    }

    /// The token of a link that is sent to the administrator.
    async fn token(&self, letters: &ResetLetters) -> String {
        let letter = letters.letter_for(&request_of(&self.admin.email), PAGE).await.unwrap().unwrap();
        assert_eq!(letter.to, self.admin.email);
        let (_, token) = letter.text.split_once(&format!("{PAGE}#token=")).unwrap();
        token.lines().next().unwrap().to_owned()
    }

    async fn has_password(&self, password: &str) -> bool {
        let found = PasswordStore::of_person(&*self.store, self.admin.person()).await.unwrap().unwrap();
        found.password_hash == InstantHasher::hash_of(password)
    }
}

fn ports(store: &Arc<InMemoryClients>, clock: &Arc<StillClock>) -> ResetPorts {
    ResetPorts {
        accounts: store.clone(),
        passwords: store.clone(),
        hasher: Arc::new(InstantHasher),
        tokens: Arc::new(PlainRefreshTokens),
        secrets: Arc::new(CountingSecrets::default()),
        clock: clock.clone(),
        trail: Arc::new(NotedActs::default()),
    }
}

fn request_of(email: &EmailAddress) -> ResetRequest {
    ResetRequest { email: email.clone(), from: IpAddr::from([192, 0, 2, 1]) }
}

fn password(text: &str) -> Password {
    Password::parse(text).unwrap()
}

#[tokio::test]
async fn a_link_sets_a_new_password_once() {
    let world = World::new().await;
    let (letters, resets) = (ResetLetters::new(world.ports()), PasswordResetService::new(world.ports(), None));
    let token = world.token(&letters).await;
    assert_eq!(resets.reset(&token, password(NEW)).await.unwrap(), world.admin.person());
    assert!(world.has_password(NEW).await);
    let again = resets.reset(&token, password("another one")).await;
    assert!(matches!(again, Err(ResetPasswordError::Void)));
    assert!(world.has_password(NEW).await);
}

#[tokio::test]
async fn a_link_lasts_for_an_hour() {
    let world = World::new().await;
    let (letters, resets) = (ResetLetters::new(world.ports()), PasswordResetService::new(world.ports(), None));
    let token = world.token(&letters).await;
    world.clock.advance(TimeDelta::hours(1));
    assert!(matches!(resets.reset(&token, password(NEW)).await, Err(ResetPasswordError::Void)));
    let token = world.token(&letters).await;
    world.clock.advance(TimeDelta::hours(1) - TimeDelta::seconds(1));
    resets.reset(&token, password(NEW)).await.unwrap();
}

#[tokio::test]
async fn nothing_is_sent_for_an_unknown_or_inactive_account() {
    let world = World::new().await;
    let letters = ResetLetters::new(world.ports());
    let unknown = EmailAddress::parse("nobody@example.org").unwrap();
    assert_eq!(letters.letter_for(&request_of(&unknown), PAGE).await.unwrap(), None);
    world.store.set_client_status(world.admin.person().client().unwrap(), ClientStatus::Suspended);
    assert_eq!(letters.letter_for(&request_of(&world.admin.email), PAGE).await.unwrap(), None);
}

#[tokio::test]
async fn nothing_is_hashed_for_an_invented_token() {
    let world = World::new().await;
    let mut hasher = MockPasswordHasher::new();
    hasher.expect_hash().never();
    let resets = PasswordResetService::new(ResetPorts { hasher: Arc::new(hasher), ..world.ports() }, None);
    assert!(matches!(resets.reset("made up", password(NEW)).await, Err(ResetPasswordError::Void)));
}

#[tokio::test]
async fn a_super_administrator_gets_a_link_too() {
    let world = World::new().await;
    let root = Samples::new().super_admin("root@example.org");
    AccountStore::add(&*world.store, root.clone()).await.unwrap();
    let letters = ResetLetters::new(world.ports());
    let letter = letters.letter_for(&request_of(&root.email), PAGE).await.unwrap().unwrap();
    assert_eq!((letter.to, letter.to_name.as_str()), (root.email, "Ada Lovelace"));
}

/// Records all requests, and refuses them when it is full.
#[derive(Default)]
struct RecordedRequests {
    requests: Mutex<Vec<ResetRequest>>,
    is_full: bool,
}

impl ResetRequests for RecordedRequests {
    fn put(&self, request: ResetRequest) -> bool {
        self.requests.lock().unwrap().push(request);
        !self.is_full
    }
}

fn service(recorded: &Arc<RecordedRequests>, clock: &Arc<StillClock>) -> PasswordResetService {
    PasswordResetService::new(ports(&Arc::default(), clock), Some(recorded.clone()))
}

fn numbered(number: u32) -> ResetRequest {
    request_of(&EmailAddress::parse(&format!("somebody-{number}@example.org")).unwrap())
}

#[test]
fn an_account_gets_three_mails_at_once_and_all_callers_get_the_same_response() {
    let (recorded, clock) = (Arc::new(RecordedRequests::default()), Arc::new(StillClock::new()));
    let service = service(&recorded, &clock);
    let request =
        |from: u8| service.request(ResetRequest { from: IpAddr::from([198, 51, 100, from]), ..numbered(1) }, None);
    let mails = || recorded.requests.lock().unwrap().len();
    // One caller leaves one mail for others.
    for _ in 0..6 {
        request(1).unwrap();
    }
    assert_eq!(mails(), 2);
    for stranger in 2..8 {
        request(stranger).unwrap();
    }
    assert_eq!(mails(), 3);
    clock.advance(TimeDelta::minutes(20));
    request(8).unwrap();
    request(9).unwrap();
    assert_eq!(mails(), 4);
}

#[test]
fn a_known_place_has_its_own_limit() {
    let (recorded, clock) = (Arc::new(RecordedRequests::default()), Arc::new(StillClock::new()));
    let service = service(&recorded, &clock);
    let mails = || recorded.requests.lock().unwrap().len();
    for stranger in 0..20 {
        service.request(ResetRequest { from: IpAddr::from([198, 51, 100, stranger]), ..numbered(1) }, None).unwrap();
    }
    assert_eq!(mails(), 3);
    let places = [KnownPlace::Address(IpAddr::from([192, 0, 2, 1])), KnownPlace::Device(DeviceId([7; 16]))];
    for (number, place) in places.into_iter().enumerate() {
        for _ in 0..5 {
            service.request(numbered(1), Some(place)).unwrap();
        }
        assert_eq!(mails(), 3 + 2 * (number + 1), "and no more than that");
    }
    // Also when the address has reached its limit.
    for number in 100..120 {
        let _ = service.request(numbered(number), None);
    }
    assert!(service.request(numbered(120), None).is_err());
    let before = mails();
    service.request(numbered(2), Some(places[1])).unwrap();
    assert_eq!(mails(), before + 1);
}

#[test]
fn an_address_may_request_20_times_at_once() {
    let (recorded, clock) = (Arc::new(RecordedRequests::default()), Arc::new(StillClock::new()));
    let service = service(&recorded, &clock);
    for number in 0..20 {
        service.request(numbered(number), None).unwrap();
    }
    let refused = service.request(numbered(20), None);
    let wait = TimeDelta::minutes(1);
    assert!(matches!(refused, Err(ForgottenPasswordError::TooManyTries { retry_after }) if retry_after == wait));
    let elsewhere = ResetRequest { from: IpAddr::from([192, 0, 2, 2]), ..numbered(20) };
    service.request(elsewhere, None).unwrap();
    clock.advance(wait);
    service.request(numbered(21), None).unwrap();
}

#[test]
fn missing_mail_and_a_full_queue_are_reported() {
    let clock = Arc::new(StillClock::new());
    let full = Arc::new(RecordedRequests { is_full: true, ..RecordedRequests::default() });
    assert!(matches!(service(&full, &clock).request(numbered(1), None), Err(ForgottenPasswordError::Port(_))));
    let none = PasswordResetService::new(ports(&Arc::default(), &clock), None);
    assert!(!none.is_offered());
    assert!(matches!(none.request(numbered(1), None), Err(ForgottenPasswordError::NotOffered)));
}
