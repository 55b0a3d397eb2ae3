use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::net::IpAddr;

use chrono::{DateTime, TimeDelta, Utc};

use crate::SignInError;
use crate::identity::rate_limiter::make_room;
use crate::identity::sign_in::attempt::{Group, Key, SignInName};

/// When the failures of each key will have healed. Who has none is not there.
pub(super) type Failures = HashMap<Key, DateTime<Utc>>;

/// What a pace remembers.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) failures: Failures,
    /// Until when those who were let in take back no more failures of an address.
    pub(super) let_in: HashMap<SignInName, DateTime<Utc>>,
    /// How many checks of each name wait or run. Who has none is not there.
    pub(super) under_way: HashMap<Key, i32>,
    /// How many turns are taken from each address, and not settled yet. Each may become a failure.
    pub(super) turns: HashMap<Key, i32>,
    /// From which addresses each name has signed in, and until when that is remembered.
    pub(super) known_at: HashMap<(SignInName, IpAddr), DateTime<Utc>>,
    /// From which addresses somebody of each group has signed in, and until when that is remembered.
    pub(super) shared_at: HashMap<(Group, IpAddr), DateTime<Utc>>,
}

/// One less; who has none is not there.
pub(super) fn count_down(counts: &mut HashMap<Key, i32>, key: &Key) {
    let Entry::Occupied(mut count) = counts.entry(key.clone()) else { return };
    *count.get_mut() -= 1;
    if *count.get() == 0 {
        count.remove();
    }
}

/// Remembers a key until this time, and makes room where that is needed.
pub(super) fn note_until<K: Eq + Hash>(
    times: &mut HashMap<K, DateTime<Utc>>,
    key: K,
    until: DateTime<Utc>,
    capacity: usize,
    now: DateTime<Utc>,
) {
    if times.len() >= capacity && !times.contains_key(&key) {
        make_room(times, capacity, now);
    }
    times.insert(key, until);
}

pub(super) fn refuse_too_many<'a>(
    failures: &mut Failures,
    keys: impl Iterator<Item = &'a Key>,
    now: DateTime<Utc>,
) -> Result<(), SignInError> {
    longest_wait(failures, keys, now).map_or(Ok(()), |retry_after| Err(SignInError::TooManyTries { retry_after }))
}

/// How long it takes until all of them may fail once more; none when they may now.
pub(super) fn longest_wait<'a>(
    failures: &mut Failures,
    keys: impl Iterator<Item = &'a Key>,
    now: DateTime<Utc>,
) -> Option<TimeDelta> {
    keys.filter_map(|key| key.limit().wait(healed_at(failures, key, now), now)).max()
}

/// When all failures of the key will have healed; now, when it has none.
pub(super) fn healed_at(failures: &mut Failures, key: &Key, now: DateTime<Utc>) -> DateTime<Utc> {
    let Some(healed_at) = failures.get_mut(key) else { return now };
    // Nobody waits longer because the system's clock was put back.
    *healed_at = (*healed_at).min(now + key.limit().full());
    now.max(*healed_at)
}
