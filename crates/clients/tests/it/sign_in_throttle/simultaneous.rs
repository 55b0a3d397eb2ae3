//! Sign-ins at the same time, and those that wait in the queue.

use super::*;

/// A hasher that answers once this many callers wait.
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

/// Tries these passwords at once: all checks begin before the first one ends.
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
async fn only_ten_of_thirty_simultaneous_guesses_are_checked() {
    let outcomes = at_once(&World::new().await, &[WRONG; 30]).await;
    assert_eq!((count(&outcomes, Wrong), count(&outcomes, Wait(10))), (10, 20), "{outcomes:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_simultaneous_right_sign_ins_succeed() {
    let outcomes = at_once(&World::new().await, &[Samples::PASSWORD; 50]).await;
    assert_eq!(count(&outcomes, In), 50, "{outcomes:?}");
}

/// On one thread: each check is settled before the next turn.
#[tokio::test]
async fn a_queued_flood_costs_no_more_hashes_than_the_limit() {
    let hasher = Arc::new(SlowHasher::waiting_for(30));
    let outcomes = all_by(&World::new().await, Arc::clone(&hasher), &[WRONG; 30]).await;
    assert_eq!((count(&outcomes, Wrong), count(&outcomes, Wait(10))), (10, 20), "{outcomes:?}");
    assert_eq!(hasher.hashed.load(Ordering::Relaxed), 10);
}

/// A hasher in which the right password waits until the test asks for its turn. It checks all others at once.
#[derive(Default)]
struct PatientHasher {
    has_come: Notify,
    asks: Notify,
    has_answered: Notify,
    is_known: AtomicBool,
}

impl PatientHasher {
    /// Asks the waiting turn, and returns after its answer.
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

/// Starts a sign-in to the club with the right password, and returns when it waits in the queue.
async fn waiting_sign_in(
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

/// Makes as many failed attempts from this address as it may.
pub(super) async fn use_up_the_address(world: &World, service: &SignInService, from: IpAddr) {
    for number in 0..60 {
        let typed = AccountSignIn { from, ..world.account(&format!("nobody-{number}@example.org"), WRONG) };
        assert_eq!(account(service, typed).await, Wrong, "{number}");
    }
}

#[tokio::test]
async fn a_waiting_sign_in_succeeds_later_when_others_use_up_its_address() {
    let world = World::new().await;
    let hasher = Arc::new(PatientHasher::default());
    let service = Arc::new(world.service_with(hasher.clone()));
    let from = world.elsewhere();
    let typed = AccountSignIn { from, ..world.admin(Samples::PASSWORD) };
    let anna = waiting_sign_in(&service, &hasher, typed).await;
    use_up_the_address(&world, &service, from).await;
    hasher.ask().await;
    world.clock.advance(TimeDelta::milliseconds(500));
    hasher.ask().await;
    assert_eq!(anna.await.unwrap(), In);
}

#[tokio::test]
async fn a_waiting_sign_in_is_refused_with_a_delay_when_others_use_up_its_name() {
    let world = World::new().await;
    let hasher = Arc::new(PatientHasher::default());
    let service = Arc::new(world.service_with(hasher.clone()));
    let anna = waiting_sign_in(&service, &hasher, world.admin(Samples::PASSWORD)).await;
    for _ in 0..10 {
        assert_eq!(account(&service, world.admin(WRONG)).await, Wrong);
    }
    hasher.ask().await;
    assert_eq!(anna.await.unwrap(), Wait(10));
}

#[tokio::test]
async fn a_returning_caller_is_admitted_when_others_use_up_the_address() {
    let world = World::new().await;
    let hasher = Arc::new(PatientHasher::default());
    let service = Arc::new(world.service_with(hasher.clone()));
    let from = world.elsewhere();
    use_up_the_address(&world, &service, from).await;
    let waiting = Waiting { ticket: Some(SignInTicket::new(&CountingIds::new())), caller: None };
    let right = || AccountSignIn { from, waiting: waiting.clone(), ..world.admin(Samples::PASSWORD) };
    assert_eq!(account(&service, right()).await, Wait(0), "half a second");

    hasher.is_known.store(true, Ordering::Relaxed);
    let anna = waiting_sign_in(&service, &hasher, right()).await;
    world.clock.advance(TimeDelta::milliseconds(500));
    hasher.ask().await;
    assert_eq!(anna.await.unwrap(), In);
    // A name at its limit is refused, also with a place in the queue.
    world.clock.advance(TimeDelta::seconds(30));
    for _ in 0..10 {
        assert_eq!(account(&service, AccountSignIn { from, ..world.admin(WRONG) }).await, Wrong);
    }
    tokio::select! {
        outcome = account(&service, right()) => assert_eq!(outcome, Wait(10)),
        () = hasher.has_come.notified() => panic!("was let into the queue"),
    }
}
