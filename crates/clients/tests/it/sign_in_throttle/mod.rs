//! The limits on failed sign-ins.

mod attacks;
mod limits;
mod simultaneous;

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

/// The outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    In,
    Wrong,
    WrongPortal,
    /// Too many attempts, with the seconds to wait.
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
            // No second factor is on in these tests.
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
            join_links: self.store.clone(),
            factor_cipher: Arc::new(PlainFactorCipher::default()),
            hasher,
            access_tokens: Arc::new(NumberedAccessTokens::default()),
            refresh_tokens: Arc::new(PlainRefreshTokens),
            device_tokens: Arc::new(PlainDeviceTokens::default()),
            secrets: Arc::new(CountingSecrets::default()),
            clock: self.clock.clone(),
            ids: Arc::new(CountingIds::new()),
            trail: Arc::new(NotedActs::default()),
            code_mails: None,
        })
    }

    /// The default address of callers.
    const HOME: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

    /// An address without earlier calls.
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
