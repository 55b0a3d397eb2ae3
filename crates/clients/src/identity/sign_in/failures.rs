use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::net::IpAddr;

use chrono::{DateTime, TimeDelta, Utc};

use crate::SignInError;
use crate::identity::rate_limiter::make_room;
use crate::identity::sign_in::attempt::{Group, Key, SignInName};

/// The time at which all failures of each key have expired. Keys without failures are absent.
pub(super) type Failures = HashMap<Key, DateTime<Utc>>;

/// The state of a throttle.
#[derive(Default)]
pub(super) struct ThrottleState {
    pub(super) failures: Failures,
    /// The names that have taken back a failure of their address, and the time until which they may not do so again.
    pub(super) recent_sign_ins: HashMap<SignInName, DateTime<Utc>>,
    /// The number of checks of each name that wait or run. Names without checks are absent.
    pub(super) under_way: HashMap<Key, i32>,
    /// The number of turns of each address that were taken and are not settled. Each may become a failure.
    pub(super) turns: HashMap<Key, i32>,
    /// The addresses from which each name has signed in, and the time until which they are known.
    pub(super) known_at: HashMap<(SignInName, IpAddr), DateTime<Utc>>,
    /// The addresses from which members of each group have signed in, and the time until which they are known.
    pub(super) shared_at: HashMap<(Group, IpAddr), DateTime<Utc>>,
}

/// Decrements a count, and removes it at zero.
pub(super) fn count_down(counts: &mut HashMap<Key, i32>, key: &Key) {
    let Entry::Occupied(mut count) = counts.entry(key.clone()) else { return };
    *count.get_mut() -= 1;
    if *count.get() == 0 {
        count.remove();
    }
}

/// The time for which a key is stored, from now on.
#[derive(Clone, Copy)]
pub(super) struct Retention {
    pub(super) now: DateTime<Utc>,
    pub(super) duration: TimeDelta,
}

/// Stores a key for this time, and evicts others when the map is full.
pub(super) fn note_for<K: Eq + Hash>(
    times: &mut HashMap<K, DateTime<Utc>>,
    key: K,
    retention: Retention,
    capacity: usize,
) {
    let Retention { now, duration } = retention;
    if times.len() >= capacity && !times.contains_key(&key) {
        make_room(times, capacity, now);
    }
    times.insert(key, now + duration);
}

pub(super) fn refuse_too_many<'a>(
    failures: &mut Failures,
    keys: impl Iterator<Item = &'a Key>,
    now: DateTime<Utc>,
) -> Result<(), SignInError> {
    longest_wait(failures, keys, now).map_or(Ok(()), |retry_after| Err(SignInError::TooManyTries { retry_after }))
}

/// The time until all of the keys may fail once more. `None` when they may now.
pub(super) fn longest_wait<'a>(
    failures: &mut Failures,
    keys: impl Iterator<Item = &'a Key>,
    now: DateTime<Utc>,
) -> Option<TimeDelta> {
    keys.filter_map(|key| key.limit().wait(expires_at(failures, key, now), now)).max()
}

/// The time at which all failures of the key have expired; `now` if it has none.
pub(super) fn expires_at(failures: &mut Failures, key: &Key, now: DateTime<Utc>) -> DateTime<Utc> {
    let Some(expires_at) = failures.get_mut(key) else { return now };
    // A system clock that was set back must not extend the wait.
    *expires_at = (*expires_at).min(now + key.limit().full());
    now.max(*expires_at)
}
