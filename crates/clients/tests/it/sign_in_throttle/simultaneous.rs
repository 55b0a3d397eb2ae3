//! Sign-ins at the same time, and those that wait in the queue.

use super::*;

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
pub(super) async fn use_up_the_address(world: &World, service: &SignInService, from: IpAddr) {
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
    let waiting = Waiting { ticket: Some(SignInTicket::new(&CountingIds::new())), caller: None };
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
