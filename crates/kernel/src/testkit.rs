//! Ports that tests control.

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::election::{
    Abstentions, BallotOrder, Blank, ChoiceLimits, ElectionRule, Method, RefusedSeat, Repetition, TieRule,
};
use crate::{Clock, EndUserId, NewIds, PersonalLinkTokens, Seats, Secrets, Unit};

/// A clock that a test advances.
#[derive(Debug)]
pub struct StillClock(Mutex<DateTime<Utc>>);

impl StillClock {
    /// A clock at noon of 21 November 2026, UTC.
    pub fn new() -> Self {
        Self(Mutex::new(DateTime::from_timestamp(1_795_262_400, 0).expect("a valid time")))
    }

    /// Advances the clock by `duration`.
    pub fn advance(&self, duration: TimeDelta) {
        *self.0.lock().expect("no test panics while it holds the clock") += duration;
    }
}

impl Default for StillClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for StillClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().expect("no test panics while it holds the clock")
    }
}

/// The ids 1, 2, 3, … of a range that no other `CountingIds` of the process uses.
#[derive(Debug)]
pub struct CountingIds {
    range: u64,
    next: AtomicU64,
}

impl CountingIds {
    /// Starts a new range.
    pub fn new() -> Self {
        static RANGES: AtomicU64 = AtomicU64::new(1);
        Self { range: RANGES.fetch_add(1, Ordering::Relaxed), next: AtomicU64::new(1) }
    }
}

impl Default for CountingIds {
    fn default() -> Self {
        Self::new()
    }
}

impl NewIds for CountingIds {
    fn next_uuid(&self) -> Uuid {
        Uuid::from_u64_pair(self.range, self.next.fetch_add(1, Ordering::Relaxed))
    }
}

/// Predictable secrets: `token-1`, `password-2`, …
#[derive(Debug, Default)]
pub struct CountingSecrets(AtomicU64);

impl CountingSecrets {
    fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed) + 1
    }
}

impl Secrets for CountingSecrets {
    fn token(&self) -> String {
        format!("token-{}", self.next())
    }

    fn password(&self) -> String {
        format!("password-{}", self.next())
    }

    fn letters(&self, length: usize) -> String {
        "abcdefghijklmnopqrstuvwxyz".chars().cycle().skip(self.next() as usize).take(length).collect()
    }
}

/// Tokens of personal links in plain text: the seed and the owner.
#[derive(Debug, Default)]
pub struct PlainLinkTokens;

impl PersonalLinkTokens for PlainLinkTokens {
    fn token(&self, seed: &str, owner: EndUserId) -> String {
        format!("{seed}-{owner}")
    }
}

/// The seeds of a fuzz target, with the inputs of earlier findings: the files of `fuzz/seeds/<target>`.
///
/// # Panics
/// Panics when there are none, so that no test passes without them.
pub fn fuzz_seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let read = |file: fs::DirEntry| fs::read(file.path()).expect("a file that can be read");
    let seeds: Vec<_> = files.map(|file| read(file.expect("a folder that can be read"))).collect();
    assert!(!seeds.is_empty(), "{} is empty", folder.display());
    seeds
}

/// An election of one person by approval, counted by heads.
pub fn approval() -> ElectionRule {
    let limits = ChoiceLimits { least: 1, most: None, repeated: Repetition::CountsOnce };
    ElectionRule {
        method: Method::Approval(limits),
        list_names: Vec::new(),
        seats: Some(Seats::ONE),
        unit: Unit::Heads,
        ties: TieRule::Lot,
        abstentions: Abstentions::AreVotesCast,
        blank: Blank::Invalid,
        none_of_the_above: false,
        least_support: None,
        order: BallotOrder::AsEntered,
        candidates: Vec::new(),
        declined: RefusedSeat::NextMovesUp,
        follows: None,
    }
}
