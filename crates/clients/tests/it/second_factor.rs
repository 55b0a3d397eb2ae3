//! The second factor, from its setup to its recovery.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use chrono::TimeDelta;
use plenum_clients::testkit::{
    InMemoryClients, InstantHasher, NotedActs, NumberedAccessTokens, PlainDeviceTokens, PlainFactorCipher,
    PlainRefreshTokens, Samples,
};
use plenum_clients::{
    Account, AccountSignIn, AccountStore, ClientStore, OwnPassword, Portal, SecondFactorCipher, SecondFactorError,
    SecondFactorRecoveryError, SecondFactorService, SecondFactorStore, SessionStore, SignInError, SignInPorts,
    SignInService, SignedIn, TotpStep, Waiting,
};
use plenum_kernel::testkit::{CountingIds, CountingSecrets, StillClock};
use plenum_kernel::{ActingPerson, Clock};

const WRONG: &str = "another horse";

/// The outcome of a sign-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    In,
    WrongPassword,
    WrongPortal,
    CodeRequired,
    WrongCode,
    Unreadable,
    /// Too many attempts, with the seconds to wait.
    Wait(i64),
}

use Outcome::{CodeRequired, In, Unreadable, Wait, WrongCode, WrongPassword, WrongPortal};

impl Outcome {
    fn of(outcome: Result<SignedIn, SignInError>) -> Self {
        match outcome {
            Ok(_) => In,
            Err(SignInError::WrongCredentials) => WrongPassword,
            Err(SignInError::WrongPortal) => WrongPortal,
            Err(SignInError::SecondFactorRequired) => CodeRequired,
            Err(SignInError::SecondFactorWrong) => WrongCode,
            Err(SignInError::SecondFactorUnreadable) => Unreadable,
            Err(SignInError::TooManyTries { retry_after }) => Wait(retry_after.num_seconds()),
            Err(SignInError::Port(failure)) => panic!("{failure}"),
        }
    }
}

/// A super administrator and the administrator of a client, each signed in.
struct World {
    store: Arc<InMemoryClients>,
    clock: Arc<StillClock>,
    cipher: Arc<PlainFactorCipher>,
    sign_in: Arc<SignInService>,
    service: SecondFactorService,
    root: Account,
    admin: Account,
    acting: ActingPerson,
}

impl World {
    async fn new() -> Self {
        let (store, clock) = (Arc::new(InMemoryClients::new()), Arc::new(StillClock::new()));
        let (samples, cipher) = (Samples::new(), Arc::new(PlainFactorCipher::default()));
        let root = samples.super_admin("root@example.org");
        AccountStore::add(&*store, root.clone()).await.unwrap();
        let client = samples.client("club");
        let admin = samples.admin_of(&client);
        ClientStore::add(&*store, client, admin.clone()).await.unwrap();
        let session = samples.session(admin.person(), "here");
        let acting = ActingPerson { session: session.id, person: admin.person() };
        assert!(store.open(session).await.unwrap());
        let sign_in = Arc::new(sign_in(&store, &clock, &cipher));
        let service = SecondFactorService::new(sign_in.clone(), store.clone());
        Self { store, clock, cipher, sign_in, service, root, admin, acting }
    }

    fn own(&self, password: &str) -> OwnPassword {
        let (password, waiting) = (password.to_owned(), Waiting::default());
        OwnPassword { acting: self.acting, password, from: elsewhere(1), waiting }
    }

    /// The code of the administrator's authenticator at this time.
    async fn code(&self) -> String {
        let factor = self.store.find_factor(&self.admin).await;
        let secret = self.cipher.open(self.admin.id, &factor.secret).unwrap();
        self.cipher.code(&secret, TotpStep::at(self.clock.now())).to_string()
    }

    /// A code that is not valid at this time.
    async fn wrong_code(&self) -> String {
        let code: u32 = self.code().await.parse().unwrap();
        format!("{:06}", (code + 500_000) % 1_000_000)
    }

    /// Turns the second factor on, and returns the recovery codes.
    async fn turn_on(&self) -> Vec<String> {
        self.service.begin(self.own(Samples::PASSWORD)).await.unwrap_or_else(|error| panic!("{error}"));
        let codes = self.service.confirm(self.acting, &self.code().await).await.unwrap();
        // The code of the confirmation opens no session.
        self.clock.advance(TimeDelta::seconds(30));
        codes.iter().map(plenum_clients::RecoveryCode::grouped).collect()
    }

    async fn sign_in(&self, password: &str, code: Option<&str>) -> Outcome {
        Outcome::of(self.sign_in.sign_in_account(self.typed(password, code)).await)
    }

    fn typed(&self, password: &str, code: Option<&str>) -> AccountSignIn {
        AccountSignIn {
            email: Some(self.admin.email.clone()),
            password: password.to_owned(),
            remember_me: false,
            portal: None,
            from: elsewhere(2),
            device: None,
            device_tokens: Vec::new(),
            code: code.map(str::to_owned),
            waiting: Waiting::default(),
        }
    }
}

trait FindFactor {
    async fn find_factor(&self, account: &Account) -> plenum_clients::StoredFactor;
}

impl FindFactor for InMemoryClients {
    async fn find_factor(&self, account: &Account) -> plenum_clients::StoredFactor {
        SecondFactorStore::find(self, account.id).await.unwrap().unwrap()
    }
}

fn sign_in(store: &Arc<InMemoryClients>, clock: &Arc<StillClock>, cipher: &Arc<PlainFactorCipher>) -> SignInService {
    SignInService::new(SignInPorts {
        accounts: store.clone(),
        clients: store.clone(),
        profiles: store.clone(),
        sessions: store.clone(),
        passwords: store.clone(),
        factors: store.clone(),
        join_links: store.clone(),
        factor_cipher: cipher.clone(),
        trail: Arc::new(NotedActs::default()),
        code_mails: None,
        hasher: Arc::new(InstantHasher),
        access_tokens: Arc::new(NumberedAccessTokens::default()),
        refresh_tokens: Arc::new(PlainRefreshTokens),
        device_tokens: Arc::new(PlainDeviceTokens::default()),
        secrets: Arc::new(CountingSecrets::default()),
        clock: clock.clone(),
        ids: Arc::new(CountingIds::new()),
    })
}

fn elsewhere(number: u8) -> IpAddr {
    Ipv4Addr::new(192, 0, 2, number).into()
}

#[tokio::test]
async fn it_is_required_after_its_confirmation() {
    let world = World::new().await;
    let set_up = world.service.begin(world.own(Samples::PASSWORD)).await.unwrap();
    assert_eq!(set_up.secret.len(), 32);
    assert!(set_up.uri.starts_with("otpauth://totp/Plenum:admin@club.example.org?secret="), "{}", set_up.uri);
    assert_eq!(world.sign_in(Samples::PASSWORD, None).await, In);
    let own = world.service.own(world.admin.id).await.unwrap();
    assert_eq!((own.is_on, own.recovery_codes_left), (false, 0));
    let wrong = world.service.confirm(world.acting, &world.wrong_code().await).await;
    assert!(matches!(wrong, Err(SecondFactorError::WrongCode)));
    let codes = world.turn_on().await;
    assert_eq!(codes.len(), 10);
    let own = world.service.own(world.admin.id).await.unwrap();
    assert_eq!((own.is_on, own.recovery_codes_left), (true, 10));

    assert_eq!(world.sign_in(Samples::PASSWORD, None).await, CodeRequired);
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&world.wrong_code().await)).await, WrongCode);
    assert_eq!(world.sign_in(Samples::PASSWORD, Some("no code")).await, WrongCode);
    assert_eq!(world.sign_in(WRONG, Some(&world.code().await)).await, WrongPassword);
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&world.code().await)).await, In);
}

#[tokio::test]
async fn a_code_works_once() {
    let world = World::new().await;
    world.turn_on().await;
    let code = world.code().await;
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&code)).await, In);
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&code)).await, WrongCode);
    world.clock.advance(TimeDelta::seconds(30));
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&code)).await, WrongCode);
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&world.code().await)).await, In);
}

#[tokio::test]
async fn the_code_of_the_confirmation_opens_no_session() {
    let world = World::new().await;
    world.service.begin(world.own(Samples::PASSWORD)).await.unwrap();
    let code = world.code().await;
    world.service.confirm(world.acting, &code).await.unwrap();
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&code)).await, WrongCode);
}

#[tokio::test]
async fn a_recovery_code_works_once_in_any_spelling() {
    let world = World::new().await;
    let codes = world.turn_on().await;
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&codes[3])).await, In);
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&codes[3])).await, WrongCode);
    let written = codes[4].to_uppercase().replace('-', " ");
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&written)).await, In);
    let own = world.service.own(world.admin.id).await.unwrap();
    assert_eq!(own.recovery_codes_left, 8);
}

#[tokio::test]
async fn five_wrong_codes_delay_the_right_one_and_the_right_password_takes_none_back() {
    let world = World::new().await;
    let codes = world.turn_on().await;
    for _ in 0..5 {
        assert_eq!(world.sign_in(Samples::PASSWORD, None).await, CodeRequired);
        assert_eq!(world.sign_in(Samples::PASSWORD, Some(&world.wrong_code().await)).await, WrongCode);
    }
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&world.code().await)).await, Wait(300));
    world.clock.advance(TimeDelta::seconds(299));
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&world.code().await)).await, Wait(1));
    // The guesses of others do not lock out an owner with a recovery code.
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&codes[0])).await, In);
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&world.code().await)).await, Wait(1));
    world.clock.advance(TimeDelta::seconds(1));
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&world.wrong_code().await)).await, WrongCode);
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&world.code().await)).await, Wait(300));
    // A right code takes no wrong one back.
    world.clock.advance(TimeDelta::minutes(5));
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&world.code().await)).await, In);
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&world.wrong_code().await)).await, WrongCode);
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&world.code().await)).await, Wait(300));
}

#[tokio::test]
async fn the_right_password_without_a_code_takes_back_no_failure() {
    let world = World::new().await;
    world.turn_on().await;
    for _ in 0..5 {
        assert_eq!(world.sign_in(Samples::PASSWORD, None).await, CodeRequired);
        let typed = AccountSignIn { portal: Some(Portal::SuperAdmin), ..world.typed(Samples::PASSWORD, None) };
        assert_eq!(Outcome::of(world.sign_in.sign_in_account(typed).await), WrongPortal);
        for _ in 0..2 {
            assert_eq!(world.sign_in(WRONG, None).await, WrongPassword);
        }
    }
    assert_eq!(world.sign_in(WRONG, None).await, Wait(10));
    // The answer does not reveal that the password is right.
    assert_eq!(world.sign_in(Samples::PASSWORD, None).await, Wait(10));
}

#[tokio::test]
async fn the_right_password_alone_counts_as_a_failure_when_it_comes_too_often() {
    let world = World::new().await;
    world.turn_on().await;
    // Ten are allowed, and ten more count as failures.
    for number in 0..20 {
        assert_eq!(world.sign_in(Samples::PASSWORD, None).await, CodeRequired, "{number}");
    }
    assert_eq!(world.sign_in(Samples::PASSWORD, None).await, Wait(10));
}

#[tokio::test]
async fn both_factors_take_back_the_failures_of_the_name() {
    let world = World::new().await;
    world.turn_on().await;
    for _ in 0..3 {
        for _ in 0..9 {
            assert_eq!(world.sign_in(WRONG, None).await, WrongPassword);
        }
        assert_eq!(world.sign_in(Samples::PASSWORD, Some(&world.code().await)).await, In);
        world.clock.advance(TimeDelta::seconds(30));
    }
}

#[tokio::test]
async fn the_portal_is_checked_before_the_code() {
    let world = World::new().await;
    world.turn_on().await;
    let code = world.code().await;
    let typed = AccountSignIn { portal: Some(Portal::SuperAdmin), ..world.typed(Samples::PASSWORD, Some(&code)) };
    assert_eq!(Outcome::of(world.sign_in.sign_in_account(typed).await), WrongPortal);
    let typed = AccountSignIn { portal: Some(Portal::Client), ..world.typed(Samples::PASSWORD, Some(&code)) };
    assert_eq!(Outcome::of(world.sign_in.sign_in_account(typed).await), In);
}

#[tokio::test]
async fn with_another_key_only_recovery_codes_work() {
    let world = World::new().await;
    let codes = world.turn_on().await;
    let exchanged = Arc::new(sign_in(&world.store, &world.clock, &Arc::new(PlainFactorCipher::with_key(1))));
    let service = SecondFactorService::new(exchanged.clone(), world.store.clone());
    let sign_in =
        async |code: &str| Outcome::of(exchanged.sign_in_account(world.typed(Samples::PASSWORD, Some(code))).await);
    assert_eq!(sign_in(&world.code().await).await, Unreadable);
    assert_eq!(sign_in(&codes[0]).await, In);
    service.remove(world.own(Samples::PASSWORD), &codes[1]).await.unwrap();
    assert_eq!(world.sign_in(Samples::PASSWORD, None).await, In);
}

#[tokio::test]
async fn setup_needs_the_password_and_a_code_of_the_newest_secret() {
    let world = World::new().await;
    let nothing_begun = world.service.confirm(world.acting, "123456").await;
    assert!(matches!(nothing_begun, Err(SecondFactorError::Off)));
    let wrong = world.service.begin(world.own(WRONG)).await;
    assert!(matches!(wrong, Err(SecondFactorError::WrongPassword)));
    world.service.begin(world.own(Samples::PASSWORD)).await.unwrap();
    let of_the_first = world.code().await;
    world.service.begin(world.own(Samples::PASSWORD)).await.unwrap();
    let refused = world.service.confirm(world.acting, &of_the_first).await;
    assert!(matches!(refused, Err(SecondFactorError::WrongCode)));
    world.turn_on().await;
    let again = world.service.begin(world.own(Samples::PASSWORD)).await;
    assert!(matches!(again, Err(SecondFactorError::On)));
    let again = world.service.confirm(world.acting, &world.code().await).await;
    assert!(matches!(again, Err(SecondFactorError::On)));
}

#[tokio::test]
async fn removal_needs_both_factors() {
    let world = World::new().await;
    let off = world.service.remove(world.own(Samples::PASSWORD), "123456").await;
    assert!(matches!(off, Err(SecondFactorError::Off)));
    world.turn_on().await;
    let code = world.code().await;
    let remove = async |password: &str, code: &str| world.service.remove(world.own(password), code).await;
    assert!(matches!(remove(WRONG, &code).await, Err(SecondFactorError::WrongPassword)));
    let wrong = world.wrong_code().await;
    assert!(matches!(remove(Samples::PASSWORD, &wrong).await, Err(SecondFactorError::WrongCode)));
    assert_eq!(world.sign_in(Samples::PASSWORD, None).await, CodeRequired);
    remove(Samples::PASSWORD, &code).await.unwrap();
    assert_eq!(world.sign_in(Samples::PASSWORD, None).await, In);
}

#[tokio::test]
async fn wrong_codes_of_all_requests_share_a_limit() {
    let world = World::new().await;
    world.turn_on().await;
    let wrong = world.wrong_code().await;
    for _ in 0..3 {
        let refused = world.service.remove(world.own(Samples::PASSWORD), &wrong).await;
        assert!(matches!(refused, Err(SecondFactorError::WrongCode)));
    }
    for _ in 0..2 {
        let refused = world.service.renew_recovery_codes(world.own(Samples::PASSWORD), &wrong).await;
        assert!(matches!(refused, Err(SecondFactorError::WrongCode)));
    }
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&world.code().await)).await, Wait(300));
}

#[tokio::test]
async fn confirmations_share_the_limit_of_codes() {
    let world = World::new().await;
    world.service.begin(world.own(Samples::PASSWORD)).await.unwrap();
    let wrong = world.wrong_code().await;
    for _ in 0..5 {
        let refused = world.service.confirm(world.acting, &wrong).await;
        assert!(matches!(refused, Err(SecondFactorError::WrongCode)));
    }
    let waits = world.service.confirm(world.acting, &world.code().await).await;
    assert!(matches!(waits, Err(SecondFactorError::TooManyTries { .. })));
}

#[tokio::test]
async fn new_recovery_codes_replace_the_old_ones() {
    let world = World::new().await;
    let old = world.turn_on().await;
    let code = world.code().await;
    let new = world.service.renew_recovery_codes(world.own(Samples::PASSWORD), &code).await.unwrap();
    assert_eq!(new.len(), 10);
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&code)).await, WrongCode);
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&old[0])).await, WrongCode);
    assert_eq!(world.sign_in(Samples::PASSWORD, Some(&new[0].grouped())).await, In);
}

#[tokio::test]
async fn a_super_administrator_removes_a_lost_second_factor() {
    let world = World::new().await;
    let service = &world.service;
    assert!(matches!(service.recover(world.admin.id).await, Err(SecondFactorRecoveryError::Off)));
    world.turn_on().await;
    assert_eq!(service.recover(world.admin.id).await.unwrap(), world.admin.person());
    assert_eq!(world.sign_in(Samples::PASSWORD, None).await, In);
    assert!(!world.store.session_state(world.acting.session).await.unwrap().unwrap().is_active);
}

#[tokio::test]
async fn a_super_administrators_second_factor_is_removed_on_the_server_only() {
    let world = World::new().await;
    let service = &world.service;
    assert!(matches!(service.recover(world.root.id).await, Err(SecondFactorRecoveryError::ByCommandOnly)));
    assert!(matches!(service.recover_by_email(&world.root.email).await, Err(SecondFactorRecoveryError::Off)));
    let nobody = plenum_kernel::EmailAddress::parse("nobody@example.org").unwrap();
    assert!(matches!(service.recover_by_email(&nobody).await, Err(SecondFactorRecoveryError::NoAccount)));
    world.turn_on().await;
    assert_eq!(service.recover_by_email(&world.admin.email).await.unwrap(), world.admin.person());
}
