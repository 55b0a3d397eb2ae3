//! How often signing in may fail.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use async_trait::async_trait;
use chrono::TimeDelta;
use plenum_clients::testkit::{
    InMemoryClients, InstantHasher, MockPasswordHasher, NotedActs, NumberedAccessTokens, PlainDeviceTokens,
    PlainFactorCipher, PlainRefreshTokens, Samples,
};
use plenum_clients::{
    AccountSignIn, Client, ClientCode, ClientKey, ClientStatus, ClientStore, EndUserSignIn, EndUserStore, Password,
    PasswordHash, PasswordHasher, Portal, SignInError, SignInPorts, SignInQueue, SignInService, SignedIn, Turn,
    TurnAnswer, Username, Waiting,
};
use plenum_kernel::testkit::{CountingIds, CountingSecrets, StillClock};
use plenum_kernel::{EmailAddress, PortFailure, SignInTicket};
use tokio::sync::{Barrier, Notify};

const WRONG: &str = "another horse";

/// What came of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    In,
    Wrong,
    WrongPortal,
    /// Too many tries; so many seconds to wait.
    Wait(i64),
}

impl Outcome {
    fn of(outcome: Result<SignedIn, SignInError>) -> Self {
        match outcome {
            Ok(_) => Self::In,
            Err(SignInError::WrongCredentials) => Self::Wrong,
            Err(SignInError::WrongPortal) => Self::WrongPortal,
            Err(SignInError::TooManyTries { retry_after }) => Self::Wait(retry_after.num_seconds()),
            Err(SignInError::Port(failure)) => panic!("{failure}"),
            // Nobody here has turned a second factor on.
            Err(
                other @ (SignInError::SecondFactorRequired
                | SignInError::SecondFactorWrong
                | SignInError::SecondFactorUnreadable),
            ) => panic!("{other}"),
        }
    }
}

use Outcome::{In, Wait, Wrong, WrongPortal};

/// Two clients, `club` and `team`, each with an administrator and the voters Anna and Ben.
struct World {
    store: Arc<InMemoryClients>,
    clock: Arc<StillClock>,
    club: Client,
    admin: EmailAddress,
    addresses: AtomicU32,
}

impl World {
    async fn new() -> Self {
        let store = Arc::new(InMemoryClients::new());
        let samples = Samples::new();
        let mut admins = Vec::new();
        let mut clients = Vec::new();
        for code in ["club", "team"] {
            let client = samples.client(code);
            let admin = samples.admin_of(&client);
            admins.push(admin.email.clone());
            ClientStore::add(&*store, client.clone(), admin).await.unwrap();
            for username in ["Anna", "Ben"] {
                let hash = InstantHasher::hash_of(Samples::PASSWORD);
                EndUserStore::add(&*store, samples.end_user(&client, username), hash).await.unwrap();
            }
            clients.push(client);
        }
        let (club, admin) = (clients.swap_remove(0), admins.swap_remove(0));
        Self { store, clock: Arc::new(StillClock::new()), club, admin, addresses: AtomicU32::new(0) }
    }

    fn service(&self) -> SignInService {
        self.service_with(Arc::new(InstantHasher))
    }

    fn service_with(&self, hasher: Arc<dyn PasswordHasher>) -> SignInService {
        SignInService::new(SignInPorts {
            accounts: self.store.clone(),
            clients: self.store.clone(),
            profiles: self.store.clone(),
            sessions: self.store.clone(),
            passwords: self.store.clone(),
            factors: self.store.clone(),
            factor_cipher: Arc::new(PlainFactorCipher::default()),
            hasher,
            access_tokens: Arc::new(NumberedAccessTokens::default()),
            refresh_tokens: Arc::new(PlainRefreshTokens),
            device_tokens: Arc::new(PlainDeviceTokens::default()),
            secrets: Arc::new(CountingSecrets::default()),
            clock: self.clock.clone(),
            ids: Arc::new(CountingIds::new()),
            trail: Arc::new(NotedActs::default()),
        })
    }

    /// Where everybody calls from of whom nothing else is said.
    const HOME: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

    /// An address that nobody called from so far.
    fn elsewhere(&self) -> IpAddr {
        Ipv4Addr::from(0x0a00_0000 + self.addresses.fetch_add(1, Ordering::Relaxed)).into()
    }

    fn account(&self, email: &str, password: &str) -> AccountSignIn {
        AccountSignIn {
            email: EmailAddress::parse(email).ok(),
            password: password.to_owned(),
            remember_me: false,
            portal: None,
            from: Self::HOME,
            device: None,
            device_tokens: Vec::new(),
            code: None,
            waiting: Waiting::default(),
        }
    }

    fn admin(&self, password: &str) -> AccountSignIn {
        self.account(self.admin.as_str(), password)
    }

    fn voter(&self, code: &str, username: &str, password: &str) -> EndUserSignIn {
        EndUserSignIn {
            client: Some(code_of(code)),
            username: Username::parse(username).ok(),
            password: password.to_owned(),
            remember_me: false,
            from: Self::HOME,
            device: None,
            device_tokens: Vec::new(),
            waiting: Waiting::default(),
        }
    }
}

fn code_of(code: &str) -> ClientKey {
    ClientKey::Code(ClientCode::parse(code).unwrap())
}

async fn account(service: &SignInService, typed: AccountSignIn) -> Outcome {
    Outcome::of(service.sign_in_account(typed).await)
}

async fn voter(service: &SignInService, typed: EndUserSignIn) -> Outcome {
    Outcome::of(service.sign_in_end_user(typed).await)
}

#[tokio::test]
async fn after_ten_wrong_tries_the_right_password_waits_too() {
    let world = World::new().await;
    let service = world.service();
    for _ in 0..10 {
        assert_eq!(account(&service, world.admin(WRONG)).await, Wrong);
    }
    assert_eq!(account(&service, world.admin(WRONG)).await, Wait(10));
    assert_eq!(account(&service, world.admin(Samples::PASSWORD)).await, Wait(10));
    world.clock.advance(TimeDelta::seconds(9));
    assert_eq!(account(&service, world.admin(Samples::PASSWORD)).await, Wait(1));
    world.clock.advance(TimeDelta::seconds(1));
    assert_eq!(account(&service, world.admin(Samples::PASSWORD)).await, In);
    // It took the failures back.
    for _ in 0..10 {
        assert_eq!(account(&service, world.admin(WRONG)).await, Wrong);
    }
}

#[tokio::test]
async fn a_name_that_nobody_has_runs_into_the_same_limit() {
    let world = World::new().await;
    let service = world.service();
    for (code, username) in [("club", "nobody"), ("no-such-club", "anna")] {
        for _ in 0..10 {
            assert_eq!(voter(&service, world.voter(code, username, WRONG)).await, Wrong);
        }
        assert_eq!(voter(&service, world.voter(code, username, WRONG)).await, Wait(10), "{code} {username}");
    }
    for _ in 0..10 {
        assert_eq!(account(&service, world.account("nobody@example.org", WRONG)).await, Wrong);
    }
    assert_eq!(account(&service, world.account("nobody@example.org", WRONG)).await, Wait(10));
}

#[tokio::test]
async fn who_is_not_active_runs_into_the_same_limit_with_the_right_password() {
    let world = World::new().await;
    let service = world.service();
    world.store.set_client_status(world.club.id, ClientStatus::Suspended);
    for _ in 0..10 {
        assert_eq!(voter(&service, world.voter("club", "anna", Samples::PASSWORD)).await, Wrong);
        assert_eq!(account(&service, world.admin(Samples::PASSWORD)).await, Wrong);
    }
    assert_eq!(voter(&service, world.voter("club", "anna", Samples::PASSWORD)).await, Wait(10));
    assert_eq!(account(&service, world.admin(Samples::PASSWORD)).await, Wait(10));
}

/// Else there would be a limit for each spelling, or how soon it comes would tell which names exist.
#[tokio::test]
async fn all_spellings_of_one_name_share_a_limit_whether_or_not_somebody_has_it() {
    for name in ["anna", "nobody"] {
        let world = World::new().await;
        let service = world.service();
        let spellings = [
            (code_of("club"), name.to_owned()),
            (code_of("CLUB"), name.to_uppercase()),
            (ClientKey::Id(world.club.id), format!(" {name} ")),
        ];
        let typed = |number: usize| {
            let (client, username) = spellings[number % spellings.len()].clone();
            EndUserSignIn { client: Some(client), ..world.voter("club", &username, WRONG) }
        };
        for number in 0..10 {
            assert_eq!(voter(&service, typed(number)).await, Wrong, "{name} {number}");
        }
        for number in 0..spellings.len() {
            assert_eq!(voter(&service, typed(number)).await, Wait(10), "{name} {number}");
        }
    }
}

#[tokio::test]
async fn nobody_else_is_held_up() {
    let world = World::new().await;
    let service = world.service();
    let from = world.elsewhere();
    for _ in 0..10 {
        let typed = EndUserSignIn { from, ..world.voter("club", "anna", WRONG) };
        assert_eq!(voter(&service, typed).await, Wrong);
    }
    for (code, username) in [("club", "ben"), ("team", "anna")] {
        let typed = EndUserSignIn { from, ..world.voter(code, username, Samples::PASSWORD) };
        assert_eq!(voter(&service, typed).await, In, "{code} {username}");
    }
    let typed = AccountSignIn { from, ..world.admin(Samples::PASSWORD) };
    assert_eq!(account(&service, typed).await, In);
    let right = || world.voter("club", "anna", Samples::PASSWORD);
    assert_eq!(voter(&service, EndUserSignIn { from, ..right() }).await, Wait(10));
    assert_eq!(voter(&service, right()).await, In, "one address alone keeps nobody out elsewhere");
}

#[tokio::test]
async fn an_address_that_tries_many_names_is_held_up() {
    let world = World::new().await;
    let service = world.service();
    let from = world.elsewhere();
    for number in 0..60 {
        // Also what can be no name at all.
        let email = if number % 2 == 0 { format!("nobody-{number}@example.org") } else { "no address".to_owned() };
        let typed = AccountSignIn { from, ..world.account(&email, WRONG) };
        assert_eq!(account(&service, typed).await, Wrong, "{number}");
    }
    let right = || AccountSignIn { from, ..world.admin(Samples::PASSWORD) };
    assert_eq!(account(&service, right()).await, Wait(0), "half a second");
    assert_eq!(account(&service, world.admin(Samples::PASSWORD)).await, In, "from another address");
    world.clock.advance(TimeDelta::milliseconds(500));
    assert_eq!(account(&service, right()).await, In);
}

#[tokio::test]
async fn two_thousand_right_sign_ins_of_one_account_from_one_address_pass() {
    let world = World::new().await;
    let service = world.service();
    let from = world.elsewhere();
    for _ in 0..2_000 {
        let typed = EndUserSignIn { from, ..world.voter("club", "anna", Samples::PASSWORD) };
        assert_eq!(voter(&service, typed).await, In);
    }
}

#[tokio::test]
async fn the_wrong_portal_is_no_failure_and_no_way_past_the_limit() {
    let world = World::new().await;
    let service = world.service();
    let at_the_other_portal =
        |password: &str| AccountSignIn { portal: Some(Portal::SuperAdmin), ..world.admin(password) };
    for _ in 0..20 {
        assert_eq!(account(&service, at_the_other_portal(Samples::PASSWORD)).await, WrongPortal);
    }
    for _ in 0..10 {
        assert_eq!(account(&service, at_the_other_portal(WRONG)).await, Wrong);
    }
    assert_eq!(account(&service, at_the_other_portal(Samples::PASSWORD)).await, Wait(10));
    assert_eq!(account(&service, world.admin(Samples::PASSWORD)).await, Wait(10));
}

#[tokio::test]
async fn who_has_to_wait_costs_no_hash() {
    let world = World::new().await;
    let mut hasher = MockPasswordHasher::new();
    hasher.expect_verify().times(10).returning(|_, _, _| Ok(false));
    let service = world.service_with(Arc::new(hasher));
    for number in 0..30 {
        let outcome = account(&service, world.admin(WRONG)).await;
        assert_eq!(outcome == Wrong, number < 10, "{number}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_hasher_that_does_not_answer_is_no_failure() {
    let world = World::new().await;
    let mut hasher = MockPasswordHasher::new();
    hasher.expect_verify().returning(|_, _, _| Err(PortFailure::busy("hashing")));
    let service = world.service_with(Arc::new(hasher));
    for _ in 0..30 {
        let outcome = service.sign_in_account(world.admin(Samples::PASSWORD)).await;
        assert!(matches!(outcome, Err(SignInError::Port(_))));
    }
}

/// Answers nobody before so many ask at the same time.
struct SlowHasher {
    all: Barrier,
    hashed: AtomicU32,
}

impl SlowHasher {
    fn waiting_for(number: usize) -> Self {
        Self { all: Barrier::new(number), hashed: AtomicU32::new(0) }
    }
}

#[async_trait]
impl PasswordHasher for SlowHasher {
    async fn hash(&self, password: Password) -> Result<PasswordHash, PortFailure> {
        InstantHasher.hash(password).await
    }

    async fn hash_random(&self, password: Password) -> Result<PasswordHash, PortFailure> {
        InstantHasher.hash_random(password).await
    }

    async fn verify(&self, candidate: String, hash: Option<PasswordHash>, turn: Turn) -> Result<bool, PortFailure> {
        self.all.wait().await;
        if (turn.answer)() == TurnAnswer::Wanted {
            self.hashed.fetch_add(1, Ordering::Relaxed);
        }
        InstantHasher.verify(candidate, hash, turn).await
    }

    fn queue(&self, ticket: Option<SignInTicket>) -> SignInQueue {
        InstantHasher.queue(ticket)
    }
}

/// Tries these passwords so that all of them are being hashed before the first one is done.
async fn at_once(world: &World, passwords: &[&str]) -> Vec<Outcome> {
    all_by(world, Arc::new(SlowHasher::waiting_for(passwords.len())), passwords).await
}

async fn all_by(world: &World, hasher: Arc<SlowHasher>, passwords: &[&str]) -> Vec<Outcome> {
    let service = Arc::new(world.service_with(hasher));
    let trying: Vec<_> = passwords
        .iter()
        .map(|password| {
            let (service, typed) = (Arc::clone(&service), world.admin(password));
            tokio::spawn(async move { account(&service, typed).await })
        })
        .collect();
    let mut outcomes = Vec::new();
    for one in trying {
        outcomes.push(one.await.unwrap());
    }
    outcomes
}

fn count(outcomes: &[Outcome], wanted: Outcome) -> usize {
    outcomes.iter().filter(|outcome| **outcome == wanted).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thirty_guesses_at_once_are_worth_ten() {
    let outcomes = at_once(&World::new().await, &[WRONG; 30]).await;
    assert_eq!((count(&outcomes, Wrong), count(&outcomes, Wait(10))), (10, 20), "{outcomes:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_right_sign_ins_at_once_pass() {
    let outcomes = at_once(&World::new().await, &[Samples::PASSWORD; 50]).await;
    assert_eq!(count(&outcomes, In), 50, "{outcomes:?}");
}

/// On one thread, where each is settled before the next one's turn.
#[tokio::test]
async fn a_flood_that_was_let_in_costs_no_more_hashes_than_are_let_pass() {
    let hasher = Arc::new(SlowHasher::waiting_for(30));
    let outcomes = all_by(&World::new().await, Arc::clone(&hasher), &[WRONG; 30]).await;
    assert_eq!((count(&outcomes, Wrong), count(&outcomes, Wait(10))), (10, 20), "{outcomes:?}");
    assert_eq!(hasher.hashed.load(Ordering::Relaxed), 10);
}

/// A queue in which the right password waits, and is asked only when the test says so; all others are checked at once.
#[derive(Default)]
struct PatientHasher {
    has_come: Notify,
    asks: Notify,
    has_answered: Notify,
    is_known: AtomicBool,
}

impl PatientHasher {
    /// Asks whoever waits, and comes back when they have answered.
    async fn ask(&self) {
        self.asks.notify_one();
        self.has_answered.notified().await;
    }
}

#[async_trait]
impl PasswordHasher for PatientHasher {
    async fn hash(&self, password: Password) -> Result<PasswordHash, PortFailure> {
        InstantHasher.hash(password).await
    }

    async fn hash_random(&self, password: Password) -> Result<PasswordHash, PortFailure> {
        InstantHasher.hash_random(password).await
    }

    async fn verify(&self, candidate: String, hash: Option<PasswordHash>, turn: Turn) -> Result<bool, PortFailure> {
        if candidate == Samples::PASSWORD {
            self.has_come.notify_one();
            loop {
                self.asks.notified().await;
                let answer = (turn.answer)();
                self.has_answered.notify_one();
                match answer {
                    TurnAnswer::NotYet => {}
                    TurnAnswer::Wanted => break,
                    TurnAnswer::Gone => return Err(PortFailure::busy("a turn that was given up")),
                }
            }
        }
        InstantHasher.verify(candidate, hash, turn).await
    }

    fn queue(&self, ticket: Option<SignInTicket>) -> SignInQueue {
        let is_own = ticket.is_some() && self.is_known.load(Ordering::Relaxed);
        SignInQueue { is_own, ..InstantHasher.queue(ticket) }
    }
}

/// Someone of the club with the right password, who stands in the queue when this comes back.
async fn who_waits(
    service: &Arc<SignInService>,
    hasher: &PatientHasher,
    typed: AccountSignIn,
) -> tokio::task::JoinHandle<Outcome> {
    let service = Arc::clone(service);
    let mut waiting = tokio::spawn(async move { account(&service, typed).await });
    tokio::select! {
        () = hasher.has_come.notified() => waiting,
        outcome = &mut waiting => panic!("was not let into the queue: {outcome:?}"),
    }
}

/// Somebody at this address tries as many names as are let pass.
async fn use_up_the_address(world: &World, service: &SignInService, from: IpAddr) {
    for number in 0..60 {
        let typed = AccountSignIn { from, ..world.account(&format!("nobody-{number}@example.org"), WRONG) };
        assert_eq!(account(service, typed).await, Wrong, "{number}");
    }
}

#[tokio::test]
async fn who_waits_when_others_use_up_their_address_waits_on_and_gets_in() {
    let world = World::new().await;
    let hasher = Arc::new(PatientHasher::default());
    let service = Arc::new(world.service_with(hasher.clone()));
    let from = world.elsewhere();
    let typed = AccountSignIn { from, ..world.admin(Samples::PASSWORD) };
    let anna = who_waits(&service, &hasher, typed).await;
    use_up_the_address(&world, &service, from).await;
    hasher.ask().await;
    world.clock.advance(TimeDelta::milliseconds(500));
    hasher.ask().await;
    assert_eq!(anna.await.unwrap(), In);
}

#[tokio::test]
async fn who_waits_when_others_use_up_their_name_is_told_how_long() {
    let world = World::new().await;
    let hasher = Arc::new(PatientHasher::default());
    let service = Arc::new(world.service_with(hasher.clone()));
    let anna = who_waits(&service, &hasher, world.admin(Samples::PASSWORD)).await;
    for _ in 0..10 {
        assert_eq!(account(&service, world.admin(WRONG)).await, Wrong);
    }
    hasher.ask().await;
    assert_eq!(anna.await.unwrap(), Wait(10));
}

#[tokio::test]
async fn who_comes_back_to_their_place_is_not_turned_away_for_others_at_the_address() {
    let world = World::new().await;
    let hasher = Arc::new(PatientHasher::default());
    let service = Arc::new(world.service_with(hasher.clone()));
    let from = world.elsewhere();
    use_up_the_address(&world, &service, from).await;
    let waiting = Waiting { ticket: Some(SignInTicket::new(&CountingIds::new())), waiter: None };
    let right = || AccountSignIn { from, waiting: waiting.clone(), ..world.admin(Samples::PASSWORD) };
    assert_eq!(account(&service, right()).await, Wait(0), "half a second");

    hasher.is_known.store(true, Ordering::Relaxed);
    let anna = who_waits(&service, &hasher, right()).await;
    world.clock.advance(TimeDelta::milliseconds(500));
    hasher.ask().await;
    assert_eq!(anna.await.unwrap(), In);
    // Whose name has failed too often is, also with a place.
    world.clock.advance(TimeDelta::seconds(30));
    for _ in 0..10 {
        assert_eq!(account(&service, AccountSignIn { from, ..world.admin(WRONG) }).await, Wrong);
    }
    tokio::select! {
        outcome = account(&service, right()) => assert_eq!(outcome, Wait(10)),
        () = hasher.has_come.notified() => panic!("was let into the queue"),
    }
}

/// Twenty wrong passwords a second from changing addresses, for almost a minute; how many of them were checked.
async fn attack(world: &World, attempt: impl AsyncFn(IpAddr) -> Outcome) -> usize {
    let mut checked = 0;
    for _ in 0..20 * 59 {
        match attempt(world.elsewhere()).await {
            Wrong => checked += 1,
            Wait(_) => {}
            other => panic!("{other:?}"),
        }
        world.clock.advance(TimeDelta::milliseconds(50));
    }
    checked
}

#[tokio::test]
async fn an_attack_on_an_account_keeps_its_owner_out_of_no_place_that_is_known() {
    let world = World::new().await;
    let service = world.service();
    let (home, hall) = (world.elsewhere(), world.elsewhere());
    let from = |from| AccountSignIn { from, ..world.admin(Samples::PASSWORD) };
    let device_token = service.sign_in_account(from(home)).await.ok().unwrap().device_token;
    let other = EndUserSignIn { from: hall, ..world.voter("club", "anna", Samples::PASSWORD) };
    assert_eq!(voter(&service, other).await, In);

    let wrong = async |from| account(&service, AccountSignIn { from, ..world.admin(WRONG) }).await;
    let checked = attack(&world, wrong).await;
    assert!((30..=36).contains(&checked), "an attack meets a limit in all: {checked}");
    assert_eq!(account(&service, from(world.elsewhere())).await, Wait(1), "a place that nobody knows");
    assert_eq!(account(&service, from(home)).await, In);
    assert_eq!(account(&service, from(hall)).await, In);
    let known = AccountSignIn { device_tokens: vec!["x".to_owned(), device_token], ..from(world.elsewhere()) };
    assert_eq!(account(&service, known.clone()).await, In);
    // With a known device ten wrong passwords are let pass as well, and no more.
    let guess = AccountSignIn { password: WRONG.to_owned(), ..known };
    for _ in 0..10 {
        assert_eq!(account(&service, guess.clone()).await, Wrong);
    }
    assert_eq!(account(&service, guess).await, Wait(10));
}

#[tokio::test]
async fn an_attack_on_a_voter_keeps_them_out_of_no_place_that_is_known() {
    let world = World::new().await;
    let service = world.service();
    let (home, hall) = (world.elsewhere(), world.elsewhere());
    let from = |from| EndUserSignIn { from, ..world.voter("club", "anna", Samples::PASSWORD) };
    let device_token = service.sign_in_end_user(from(home)).await.ok().unwrap().device_token;
    // Only the organizer has signed in at the hall.
    assert_eq!(account(&service, AccountSignIn { from: hall, ..world.admin(Samples::PASSWORD) }).await, In);

    let wrong = async |from| voter(&service, EndUserSignIn { from, ..world.voter("club", "anna", WRONG) }).await;
    let checked = attack(&world, wrong).await;
    assert!((30..=36).contains(&checked), "an attack meets a limit in all: {checked}");
    assert_eq!(voter(&service, from(world.elsewhere())).await, Wait(1), "a place that nobody knows");
    assert_eq!(voter(&service, from(home)).await, In);
    assert_eq!(voter(&service, from(hall)).await, In);
    let known = EndUserSignIn { device_tokens: vec![device_token.clone()], ..from(world.elsewhere()) };
    assert_eq!(voter(&service, known).await, In);
    // A device is known for the name that signed in there, and for no other one.
    let of_another = EndUserSignIn { device_tokens: vec![device_token], ..world.voter("club", "ben", WRONG) };
    let wrong = async |from| voter(&service, EndUserSignIn { from, ..of_another.clone() }).await;
    assert!(attack(&world, wrong).await <= 36);
}

#[tokio::test]
async fn a_known_device_gets_in_from_an_address_at_which_others_fail() {
    let world = World::new().await;
    let service = world.service();
    let first = service.sign_in_end_user(world.voter("club", "anna", Samples::PASSWORD)).await.ok().unwrap();
    let from = world.elsewhere();
    use_up_the_address(&world, &service, from).await;
    let right = EndUserSignIn { from, ..world.voter("club", "anna", Samples::PASSWORD) };
    assert_eq!(voter(&service, right.clone()).await, Wait(0), "half a second");
    let device_tokens = vec![first.device_token];
    assert_eq!(voter(&service, EndUserSignIn { device_tokens, ..right }).await, In);
}

#[tokio::test]
async fn whoever_set_a_password_by_mail_gets_in_during_an_attack() {
    let world = World::new().await;
    let service = world.service();
    let signed_in = service.sign_in_account(world.admin(Samples::PASSWORD)).await.ok().unwrap();
    let person = signed_in.profile.person;
    attack(&world, async |from| account(&service, AccountSignIn { from, ..world.admin(WRONG) }).await).await;
    let device_tokens = vec![service.device_token_of(person).await.unwrap().unwrap()];
    let typed = AccountSignIn { from: world.elsewhere(), device_tokens, ..world.admin(Samples::PASSWORD) };
    assert_eq!(account(&service, typed).await, In);
}
