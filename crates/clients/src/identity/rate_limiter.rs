use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::Clock;

/// A rate limit for each key: a number of actions at once, then one more at a fixed interval.
///
/// The counts stay in this process, so each instance counts for itself.
pub(crate) struct RateLimiter<K> {
    clock: Arc<dyn Clock>,
    burst: i32,
    interval: TimeDelta,
    /// The time at which all actions of a key are forgotten.
    used_until: Mutex<HashMap<K, DateTime<Utc>>>,
}

impl<K: Clone + Eq + Hash> RateLimiter<K> {
    /// The most keys that are stored, which takes a few megabytes.
    const CAPACITY: usize = 20_000;

    /// A limiter without actions.
    pub(crate) fn new(clock: Arc<dyn Clock>, burst: i32, interval: TimeDelta) -> Self {
        Self { clock, burst, interval, used_until: Mutex::default() }
    }

    /// Counts one action.
    ///
    /// # Errors
    /// Returns the time to wait when the limit is reached.
    pub(crate) fn take(&self, key: &K) -> Result<(), TimeDelta> {
        let now = self.clock.now();
        let full = self.interval * self.burst;
        let mut used_until = self.used_until.lock().unwrap_or_else(PoisonError::into_inner);
        // A system clock that was set back must not extend the wait.
        let used = used_until.get(key).map_or(now, |used| now.max((*used).min(now + full)));
        let next = used + self.interval;
        if next > now + full {
            return Err(next - full - now);
        }
        if used_until.len() >= Self::CAPACITY && !used_until.contains_key(key) {
            make_room(&mut used_until, Self::CAPACITY, now);
        }
        used_until.insert(key.clone(), next);
        Ok(())
    }

    /// Takes one counted action back.
    pub(crate) fn give_back(&self, key: &K) {
        let mut used_until = self.used_until.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(used) = used_until.get_mut(key) {
            *used -= self.interval;
        }
    }
}

/// The address for which actions are counted. An IPv6 subscriber can choose any address of a /64 network, so the
/// network counts as one.
pub(crate) fn counted_address(address: IpAddr) -> IpAddr {
    const NETWORK: u128 = !0 << 64;
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & NETWORK).into(),
        address @ IpAddr::V4(_) => address,
    }
}

/// Removes expired entries. If that frees less than a tenth of the capacity, also removes the entries that expire next:
/// those keys have acted least, while keys at their limit stay.
pub(crate) fn make_room<K: Eq + Hash>(times: &mut HashMap<K, DateTime<Utc>>, capacity: usize, now: DateTime<Utc>) {
    times.retain(|_, over_at| *over_at > now);
    // A tenth at a time, so that a flood of keys does not repeat this for each key.
    let kept = capacity - (capacity / 10).max(1);
    let mut surplus = times.len().saturating_sub(kept);
    if surplus == 0 {
        return;
    }
    let mut sorted: Vec<_> = times.values().copied().collect();
    let (_, last_to_go, _) = sorted.select_nth_unstable(surplus - 1);
    times.retain(|_, over_at| {
        let goes = surplus > 0 && *over_at <= *last_to_go;
        surplus -= usize::from(goes);
        !goes
    });
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::StillClock;

    use super::*;

    fn limiter() -> (Arc<StillClock>, RateLimiter<u32>) {
        let clock = Arc::new(StillClock::new());
        (clock.clone(), RateLimiter::new(clock, 3, TimeDelta::minutes(20)))
    }

    #[test]
    fn a_key_may_act_three_times_at_once_and_then_at_a_fixed_interval() {
        let (clock, limiter) = limiter();
        assert_eq!([limiter.take(&1), limiter.take(&1), limiter.take(&1)], [Ok(()); 3]);
        assert_eq!(limiter.take(&1), Err(TimeDelta::minutes(20)));
        assert_eq!(limiter.take(&2), Ok(()), "another key");
        clock.advance(TimeDelta::minutes(19));
        assert_eq!(limiter.take(&1), Err(TimeDelta::minutes(1)));
        clock.advance(TimeDelta::minutes(1));
        assert_eq!((limiter.take(&1), limiter.take(&1)), (Ok(()), Err(TimeDelta::minutes(20))));
        clock.advance(TimeDelta::days(1));
        assert_eq!([limiter.take(&1), limiter.take(&1), limiter.take(&1)], [Ok(()); 3]);
        assert!(limiter.take(&1).is_err());
    }

    #[test]
    fn an_action_that_is_given_back_is_allowed_once_more() {
        let (_, limiter) = limiter();
        limiter.give_back(&1);
        assert_eq!([limiter.take(&1), limiter.take(&1), limiter.take(&1)], [Ok(()); 3]);
        limiter.give_back(&1);
        assert_eq!((limiter.take(&1), limiter.take(&1)), (Ok(()), Err(TimeDelta::minutes(20))));
        for _ in 0..10 {
            limiter.give_back(&1);
        }
        assert_eq!([limiter.take(&1), limiter.take(&1), limiter.take(&1)], [Ok(()); 3]);
        assert!(limiter.take(&1).is_err());
    }

    #[test]
    fn a_clock_that_was_set_back_makes_nobody_wait_longer() {
        let (clock, limiter) = limiter();
        assert_eq!([limiter.take(&1), limiter.take(&1), limiter.take(&1)], [Ok(()); 3]);
        clock.advance(-TimeDelta::days(1));
        assert_eq!(limiter.take(&1), Err(TimeDelta::minutes(20)));
    }

    #[test]
    fn a_flood_of_keys_stays_within_the_capacity_and_frees_no_key_at_its_limit() {
        let (_, limiter) = limiter();
        for _ in 0..3 {
            assert_eq!(limiter.take(&0), Ok(()));
        }
        for key in 1..50_000 {
            assert_eq!(limiter.take(&key), Ok(()));
        }
        assert!(limiter.used_until.lock().unwrap().len() <= RateLimiter::<u32>::CAPACITY);
        assert!(limiter.take(&0).is_err());
    }

    #[test]
    fn an_ipv6_network_counts_as_one_address() {
        let counted = |text: &str| counted_address(text.parse().unwrap());
        assert_eq!(counted("2001:db8::1"), counted("2001:db8::ffff:1"));
        assert_ne!(counted("2001:db8::1"), counted("2001:db8:0:1::1"));
        assert_ne!(counted("192.0.2.1"), counted("192.0.2.2"));
        assert_eq!(counted("::ffff:192.0.2.1"), counted("192.0.2.1"));
    }
}
