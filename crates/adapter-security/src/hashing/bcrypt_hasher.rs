use std::io;
use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use plenum_clients::{Password, PasswordHash, PasswordHasher, SignInQueue, Turn};
use plenum_kernel::{PortFailure, SignInTicket};

use crate::hashing::job::Place;
use crate::hashing::threads::{HashingThreads, WHAT};

/// The cost of a hash, and the number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BcryptSettings {
    /// The work of a hash is 2 to the power of `cost`: from 4 (for tests) to 31.
    pub cost: u32,
    /// The number of hashes at the same time.
    pub threads: usize,
    /// The number of checks, and of new hashes, that may wait.
    pub queue: usize,
}

impl BcryptSettings {
    /// About 60 ms of one core.
    pub const DEFAULT_COST: u32 = 10;

    /// For random passwords: about 1 ms, the lowest cost of bcrypt.
    pub const RANDOM_COST: u32 = 4;

    /// The cost in this build. Debug builds hold only the accounts of tests, and slow hashes took two thirds of their time.
    const BUILD_COST: u32 = if cfg!(debug_assertions) { Self::RANDOM_COST } else { Self::DEFAULT_COST };

    /// A large hall at once. Later callers get a time to retry.
    pub const QUEUE: usize = 5_000;

    /// The estimated duration of a check before the first measurement: a slow hash and a quick one.
    fn guess(self) -> Duration {
        const OF_THE_LEAST: Duration = Duration::from_millis(1);
        OF_THE_LEAST * (1 << (self.cost - Self::RANDOM_COST)) + OF_THE_LEAST
    }
}

impl Default for BcryptSettings {
    /// All cores, of which these threads only use the idle time, and the cost of the build: the lowest in debug builds.
    fn default() -> Self {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Self { cost: Self::BUILD_COST, threads, queue: Self::QUEUE }
    }
}

/// The reason why the hasher did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartHasherError {
    /// bcrypt does not support this cost.
    #[error("the cost of a password hash must be from 4 to 31, not {0}")]
    Cost(u32),
    /// The system did not start a thread.
    #[error("a thread for password hashing could not be started")]
    Thread(#[from] io::Error),
}

/// Hashes passwords with bcrypt on threads of its own, with a lower priority than voting.
///
/// A burst of sign-ins waits in a bounded queue, in which callers can ask for their place. When the queue is full,
/// further callers get a time to retry.
pub struct BcryptHasher {
    cost: u32,
    threads: HashingThreads,
}

impl BcryptHasher {
    /// Starts the threads.
    ///
    /// # Errors
    /// Fails when the cost is out of range, or the system does not start a thread.
    pub fn start(settings: BcryptSettings) -> Result<Self, StartHasherError> {
        if !(4..=31).contains(&settings.cost) {
            return Err(StartHasherError::Cost(settings.cost));
        }
        let threads = HashingThreads::start(settings.threads, settings.queue, settings.guess())?;
        Ok(Self { cost: settings.cost, threads })
    }
}

#[async_trait]
impl PasswordHasher for BcryptHasher {
    async fn hash(&self, password: Password) -> Result<PasswordHash, PortFailure> {
        self.hash_at(self.cost, password).await
    }

    async fn hash_random(&self, password: Password) -> Result<PasswordHash, PortFailure> {
        self.hash_at(BcryptSettings::RANDOM_COST, password).await
    }

    async fn verify(&self, candidate: String, hash: Option<PasswordHash>, turn: Turn) -> Result<bool, PortFailure> {
        let can_match = can_be_password(&candidate);
        let may_match = hash.is_some() && can_match;
        // Thousands of texts that cannot be passwords are not stored while they wait for their answer.
        let candidate = if can_match { candidate } else { String::new() };
        let checks = checks_for(hash, self.cost);
        let is_match = self.threads.check(turn, move || check_each(&checks, &candidate)).await?;
        is_match.map(|is_match| is_match && may_match).map_err(|failure| PortFailure::new(WHAT, failure))
    }

    fn queue(&self, ticket: Option<SignInTicket>) -> SignInQueue {
        let Place { ahead, wait, is_own } = self.threads.place(ticket);
        SignInQueue { ahead, wait, is_own }
    }
}

#[cfg(feature = "testkit")]
impl BcryptHasher {
    /// Blocks all threads, so that all jobs wait.
    pub async fn hold(&self) -> crate::hashing::threads::HeldThreads {
        self.threads.hold().await
    }
}

impl BcryptHasher {
    async fn hash_at(&self, cost: u32, password: Password) -> Result<PasswordHash, PortFailure> {
        // bcrypt truncates nothing here: a `Password` has at most 72 bytes. The library's own check already refuses 72.
        let hash = self.threads.make(move || bcrypt::hash(password.expose(), cost)).await?;
        hash.map(PasswordHash::new).map_err(|failure| PortFailure::new(WHAT, failure))
    }
}

/// The hashes for one check: the real one, and a placeholder with the other cost.
///
/// So every sign-in takes the time of one slow and one quick hash. The duration does not reveal which names exist, or
/// which passwords come from an import.
fn checks_for(hash: Option<PasswordHash>, cost: u32) -> [PasswordHash; 2] {
    let Some(hash) = hash else { return [placeholder_hash(cost), placeholder_hash(BcryptSettings::RANDOM_COST)] };
    // An unreadable hash is not a quick one. The comparison reports it.
    let is_quick = cost_of(&hash).is_some_and(|its_cost| its_cost < cost);
    let beside = placeholder_hash(if is_quick { cost } else { BcryptSettings::RANDOM_COST });
    [hash, beside]
}

fn cost_of(hash: &PasswordHash) -> Option<u32> {
    hash.as_str().parse().ok().map(|parts: bcrypt::HashParts| parts.get_cost())
}

/// Compares the candidate with both hashes, and returns the result of the first.
fn check_each(checks: &[PasswordHash; 2], candidate: &str) -> Result<bool, bcrypt::BcryptError> {
    let [first, beside] = checks;
    let is_match = bcrypt::verify(candidate, first.as_str());
    // Only for its duration.
    std::hint::black_box(bcrypt::verify(candidate, beside.as_str())).ok();
    is_match
}

/// bcrypt ignores bytes after the 72nd, and repeats a key after a NUL: `abc` and `abc\0abc` have the same hash.
fn can_be_password(candidate: &str) -> bool {
    candidate.len() <= Password::MAX_BYTES && !candidate.contains('\0')
}

/// A well-formed hash for a name without one.
fn placeholder_hash(cost: u32) -> PasswordHash {
    PasswordHash::new(format!("$2b${cost:02}$LqWw4kYjYlFQeGm1cJc0Ke8N3kqVYz8m4p0tTSvJvM3nQXvGkq5iW"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hasher() -> BcryptHasher {
        BcryptHasher::start(BcryptSettings { cost: 4, threads: 1, queue: 8 }).unwrap()
    }

    async fn hash(hasher: &BcryptHasher, password: &str) -> Option<PasswordHash> {
        Some(hasher.hash(Password::parse(password).unwrap()).await.unwrap())
    }

    #[tokio::test]
    async fn only_the_right_password_matches() {
        let hasher = hasher();
        let hash = hash(&hasher, "correct horse").await;
        assert!(hasher.verify("correct horse".to_owned(), hash.clone(), Turn::anonymous()).await.unwrap());
        assert!(!hasher.verify("correct horsE".to_owned(), hash.clone(), Turn::anonymous()).await.unwrap());
        assert!(!hasher.verify(String::new(), hash, Turn::anonymous()).await.unwrap());
    }

    #[tokio::test]
    async fn each_hash_has_its_own_salt() {
        let hasher = hasher();
        assert_ne!(hash(&hasher, "correct horse").await, hash(&hasher, "correct horse").await);
    }

    #[tokio::test]
    async fn without_a_hash_no_password_matches() {
        assert!(!hasher().verify("correct horse".to_owned(), None, Turn::anonymous()).await.unwrap());
    }

    #[test]
    fn the_placeholder_hash_costs_as_much_as_any_other() {
        for cost in [4, 5, 10] {
            let hash = placeholder_hash(cost);
            let parts: bcrypt::HashParts = hash.as_str().parse().unwrap();
            assert_eq!(parts.get_cost(), cost);
        }
        // A malformed hash would be refused at once, without a comparison.
        assert!(!bcrypt::verify("correct horse", placeholder_hash(4).as_str()).unwrap());
    }

    #[tokio::test]
    async fn a_random_password_has_a_quick_hash_that_works() {
        let hasher = BcryptHasher::start(BcryptSettings { cost: 6, threads: 1, queue: 8 }).unwrap();
        let password = Password::parse("aB3$aB3$aB3$").unwrap();
        let quick = hasher.hash_random(password.clone()).await.unwrap();
        let slow = hasher.hash(password).await.unwrap();
        assert_eq!((cost_of(&quick), cost_of(&slow)), (Some(4), Some(6)));
        for hash in [quick, slow] {
            assert!(hasher.verify("aB3$aB3$aB3$".to_owned(), Some(hash.clone()), Turn::anonymous()).await.unwrap());
            assert!(!hasher.verify("aB3$aB3$aB3#".to_owned(), Some(hash), Turn::anonymous()).await.unwrap());
        }
    }

    #[test]
    fn every_sign_in_costs_the_same_for_both_kinds_of_hashes() {
        for stored in [None, Some(placeholder_hash(4)), Some(placeholder_hash(10))] {
            let mut costs = checks_for(stored.clone(), 10).map(|hash| cost_of(&hash));
            costs.sort_unstable();
            assert_eq!(costs, [Some(4), Some(10)], "{stored:?}");
            if stored.is_some() {
                assert_eq!(Some(&checks_for(stored.clone(), 10)[0]), stored.as_ref(), "the one that counts");
            }
        }
        // A hash from before the cost was raised.
        assert_eq!(checks_for(Some(placeholder_hash(8)), 10).map(|hash| cost_of(&hash)), [Some(8), Some(10)]);
    }

    #[tokio::test]
    async fn all_72_bytes_count_and_a_longer_candidate_is_wrong() {
        let hasher = hasher();
        let longest = "a".repeat(72);
        let hash = hash(&hasher, &longest).await;
        assert!(hasher.verify(longest.clone(), hash.clone(), Turn::anonymous()).await.unwrap());
        assert!(!hasher.verify(format!("{}b", "a".repeat(71)), hash.clone(), Turn::anonymous()).await.unwrap());
        assert!(!hasher.verify(longest + "a", hash, Turn::anonymous()).await.unwrap());
    }

    #[tokio::test]
    async fn a_password_repeated_after_a_nul_is_wrong() {
        let hasher = hasher();
        let hash = hash(&hasher, "correct horse").await;
        assert!(!hasher.verify("correct horse\0correct horse".to_owned(), hash, Turn::anonymous()).await.unwrap());
    }

    #[tokio::test]
    async fn a_damaged_hash_is_a_failure() {
        let damaged = Some(PasswordHash::new("nonsense".to_owned()));
        assert!(hasher().verify("correct horse".to_owned(), damaged, Turn::anonymous()).await.is_err());
    }

    #[test]
    fn an_unsupported_cost_is_refused() {
        for cost in [0, 3, 32] {
            let settings = BcryptSettings { cost, ..BcryptSettings::default() };
            assert!(matches!(BcryptHasher::start(settings), Err(StartHasherError::Cost(_))));
        }
    }

    #[test]
    fn the_default_uses_all_cores_and_a_queue_for_a_hall_and_only_debug_builds_hash_quickly() {
        let settings = BcryptSettings::default();
        let cost = if cfg!(debug_assertions) { 4 } else { 10 };
        assert_eq!((settings.cost, settings.queue), (cost, 5_000));
        assert_eq!(settings.threads, thread::available_parallelism().unwrap().get());
    }

    #[tokio::test]
    async fn the_queue_starts_empty_and_the_estimate_grows_with_the_cost() {
        let hasher = hasher();
        let queue = hasher.queue(None);
        assert_eq!((queue.ahead, queue.is_own), (0, false));
        let guess = |cost| BcryptSettings { cost, ..BcryptSettings::default() }.guess();
        assert_eq!(guess(10), Duration::from_millis(65));
        assert!(guess(31) > guess(30));
    }
}
