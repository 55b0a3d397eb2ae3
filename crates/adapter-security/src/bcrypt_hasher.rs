use std::io;
use std::thread;

use async_trait::async_trait;
use plenum_clients::{Password, PasswordHash, PasswordHasher};
use plenum_kernel::PortFailure;

use crate::hashing_threads::{HashingThreads, WHAT};

/// How slowly, and on how many threads, passwords are hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BcryptSettings {
    /// The work of one hash is 2 to the power of `cost`: from 4 (for tests) to 31.
    pub cost: u32,
    /// How many hashes are made at the same time.
    pub threads: usize,
    /// How many more may wait for their turn.
    pub queue: usize,
}

impl BcryptSettings {
    /// About 60 ms of one core.
    pub const DEFAULT_COST: u32 = 10;

    /// About 15 seconds of waiting at the default cost; who comes later had better try again.
    const QUEUE_PER_THREAD: usize = 256;
}

impl Default for BcryptSettings {
    /// Leaves one core to voting.
    fn default() -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads = (cores - 1).max(1);
        Self { cost: Self::DEFAULT_COST, threads, queue: threads * Self::QUEUE_PER_THREAD }
    }
}

/// Why no passwords can be hashed.
#[derive(Debug, thiserror::Error)]
pub enum StartHasherError {
    /// bcrypt knows no such cost.
    #[error("the cost of a password hash must be from 4 to 31, not {0}")]
    Cost(u32),
    /// The system gave no thread.
    #[error("a thread for password hashing could not be started")]
    Thread(#[from] io::Error),
}

/// Hashes passwords with bcrypt on threads of its own, below the priority of voting.
///
/// A burst of sign-ins waits in a bounded queue; when that is full, the next one is told that hashing is busy.
#[derive(Debug)]
pub struct BcryptHasher {
    cost: u32,
    threads: HashingThreads,
}

impl BcryptHasher {
    /// Starts the threads.
    ///
    /// # Errors
    /// Fails when the cost is out of range or the system gives no thread.
    pub fn start(settings: BcryptSettings) -> Result<Self, StartHasherError> {
        if !(4..=31).contains(&settings.cost) {
            return Err(StartHasherError::Cost(settings.cost));
        }
        Ok(Self { cost: settings.cost, threads: HashingThreads::start(settings.threads, settings.queue)? })
    }
}

#[async_trait]
impl PasswordHasher for BcryptHasher {
    async fn hash(&self, password: Password) -> Result<PasswordHash, PortFailure> {
        let cost = self.cost;
        // Nothing is truncated: a `Password` has at most 72 bytes. The library's own check refuses 72 already.
        let hash = self.threads.run(move || bcrypt::hash(password.expose(), cost)).await?;
        hash.map(PasswordHash::new).map_err(|failure| PortFailure::new(WHAT, failure))
    }

    async fn verify(&self, candidate: String, hash: Option<PasswordHash>) -> Result<bool, PortFailure> {
        // Every wrong sign-in takes the same time, so that nobody learns from it which names exist.
        let may_match = hash.is_some() && can_be_password(&candidate);
        let hash = hash.unwrap_or_else(|| nobodys_hash(self.cost));
        let is_match = self.threads.run(move || bcrypt::verify(candidate, hash.as_str())).await?;
        is_match.map(|is_match| is_match && may_match).map_err(|failure| PortFailure::new(WHAT, failure))
    }
}

/// bcrypt reads 72 bytes and no further, and repeats a key behind a NUL: `abc` and `abc\0abc` have the same hash.
fn can_be_password(candidate: &str) -> bool {
    candidate.len() <= Password::MAX_BYTES && !candidate.contains('\0')
}

/// A well-formed hash that stands in for one that does not exist.
fn nobodys_hash(cost: u32) -> PasswordHash {
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
    async fn the_right_password_is_right_and_others_are_wrong() {
        let hasher = hasher();
        let hash = hash(&hasher, "correct horse").await;
        assert!(hasher.verify("correct horse".to_owned(), hash.clone()).await.unwrap());
        assert!(!hasher.verify("correct horsE".to_owned(), hash.clone()).await.unwrap());
        assert!(!hasher.verify(String::new(), hash).await.unwrap());
    }

    #[tokio::test]
    async fn each_hash_has_a_salt_of_its_own() {
        let hasher = hasher();
        assert_ne!(hash(&hasher, "correct horse").await, hash(&hasher, "correct horse").await);
    }

    #[tokio::test]
    async fn without_a_hash_the_answer_is_no() {
        assert!(!hasher().verify("correct horse".to_owned(), None).await.unwrap());
    }

    #[test]
    fn the_hash_of_nobody_costs_as_much_as_any_other() {
        for cost in [4, 5, 10] {
            let hash = nobodys_hash(cost);
            let parts: bcrypt::HashParts = hash.as_str().parse().unwrap();
            assert_eq!(parts.get_cost(), cost);
        }
        // A malformed one would be refused at once instead of being compared.
        assert!(!bcrypt::verify("correct horse", nobodys_hash(4).as_str()).unwrap());
    }

    #[tokio::test]
    async fn all_of_seventy_two_bytes_count_and_a_longer_candidate_is_wrong() {
        let hasher = hasher();
        let longest = "a".repeat(72);
        let hash = hash(&hasher, &longest).await;
        assert!(hasher.verify(longest.clone(), hash.clone()).await.unwrap());
        assert!(!hasher.verify(format!("{}b", "a".repeat(71)), hash.clone()).await.unwrap());
        assert!(!hasher.verify(longest + "a", hash).await.unwrap());
    }

    #[tokio::test]
    async fn a_password_repeated_behind_a_nul_is_wrong() {
        let hasher = hasher();
        let hash = hash(&hasher, "correct horse").await;
        assert!(!hasher.verify("correct horse\0correct horse".to_owned(), hash).await.unwrap());
    }

    #[tokio::test]
    async fn a_damaged_hash_is_a_failure_and_not_a_wrong_password() {
        let damaged = Some(PasswordHash::new("nonsense".to_owned()));
        assert!(hasher().verify("correct horse".to_owned(), damaged).await.is_err());
    }

    #[test]
    fn a_cost_that_bcrypt_does_not_know_is_refused() {
        for cost in [0, 3, 32] {
            let settings = BcryptSettings { cost, ..BcryptSettings::default() };
            assert!(matches!(BcryptHasher::start(settings), Err(StartHasherError::Cost(_))));
        }
    }

    #[test]
    fn the_default_leaves_a_core_to_voting() {
        let settings = BcryptSettings::default();
        assert_eq!(settings.cost, 10);
        assert!(settings.threads >= 1);
        assert!(settings.threads == 1 || settings.threads < thread::available_parallelism().unwrap().get());
    }
}
