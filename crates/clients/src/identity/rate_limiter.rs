use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::Clock;

/// The pace at which something may be done, for each key: so often at once, then once more at a steady rate.
///
/// What it knows stays in this process: each instance counts for itself.
pub(crate) struct RateLimiter<K> {
    clock: Arc<dyn Clock>,
    at_once: i32,
    one_more_each: TimeDelta,
    /// When all that was done for a key will be forgotten.
    used_until: Mutex<HashMap<K, DateTime<Utc>>>,
}

impl<K: Clone + Eq + Hash> RateLimiter<K> {
    /// For so many keys it is remembered, in some megabytes.
    const CAPACITY: usize = 20_000;

    /// Nothing was done so far.
    pub(crate) fn new(clock: Arc<dyn Clock>, at_once: i32, one_more_each: TimeDelta) -> Self {
        Self { clock, at_once, one_more_each, used_until: Mutex::default() }
    }

    /// Counts that it is done once more.
    ///
    /// # Errors
    /// Says how long to wait when it was done too often.
    pub(crate) fn take(&self, key: &K) -> Result<(), TimeDelta> {
        let now = self.clock.now();
        let full = self.one_more_each * self.at_once;
        let mut used_until = self.used_until.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody waits longer because the system's clock was put back.
        let used = used_until.get(key).map_or(now, |used| now.max((*used).min(now + full)));
        let next = used + self.one_more_each;
        if next > now + full {
            return Err(next - full - now);
        }
        if used_until.len() >= Self::CAPACITY && !used_until.contains_key(key) {
            make_room(&mut used_until, Self::CAPACITY, now);
        }
        used_until.insert(key.clone(), next);
        Ok(())
    }

    /// Takes back that it was done once.
    pub(crate) fn give_back(&self, key: &K) {
        let mut used_until = self.used_until.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(used) = used_until.get_mut(key) {
            *used -= self.one_more_each;
        }
    }
}

/// An address as it is counted: an IPv6 subscriber has a whole /64 to choose addresses from.
pub(crate) fn counted_address(address: IpAddr) -> IpAddr {
    const NETWORK: u128 = !0 << 64;
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & NETWORK).into(),
        address @ IpAddr::V4(_) => address,
    }
}

/// Forgets what is over and, unless that is a tenth of the capacity, what will be over next: those are the ones who did
/// least, and not those who have used up what they may.
pub(crate) fn make_room<K: Eq + Hash>(times: &mut HashMap<K, DateTime<Utc>>, capacity: usize, now: DateTime<Utc>) {
    times.retain(|_, over_at| *over_at > now);
    // A tenth at a time, so that this is not done for each key of a flood.
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

    fn pace() -> (Arc<StillClock>, RateLimiter<u32>) {
        let clock = Arc::new(StillClock::new());
        (clock.clone(), RateLimiter::new(clock, 3, TimeDelta::minutes(20)))
    }

    #[test]
    fn so_often_at_once_and_then_once_more_each_time() {
        let (clock, pace) = pace();
        assert_eq!([pace.take(&1), pace.take(&1), pace.take(&1)], [Ok(()); 3]);
        assert_eq!(pace.take(&1), Err(TimeDelta::minutes(20)));
        assert_eq!(pace.take(&2), Ok(()), "another key");
        clock.advance(TimeDelta::minutes(19));
        assert_eq!(pace.take(&1), Err(TimeDelta::minutes(1)));
        clock.advance(TimeDelta::minutes(1));
        assert_eq!((pace.take(&1), pace.take(&1)), (Ok(()), Err(TimeDelta::minutes(20))));
        clock.advance(TimeDelta::days(1));
        assert_eq!([pace.take(&1), pace.take(&1), pace.take(&1)], [Ok(()); 3]);
        assert!(pace.take(&1).is_err());
    }

    #[test]
    fn what_is_given_back_may_be_done_once_more_and_no_more_than_that() {
        let (_, pace) = pace();
        pace.give_back(&1);
        assert_eq!([pace.take(&1), pace.take(&1), pace.take(&1)], [Ok(()); 3]);
        pace.give_back(&1);
        assert_eq!((pace.take(&1), pace.take(&1)), (Ok(()), Err(TimeDelta::minutes(20))));
        for _ in 0..10 {
            pace.give_back(&1);
        }
        assert_eq!([pace.take(&1), pace.take(&1), pace.take(&1)], [Ok(()); 3]);
        assert!(pace.take(&1).is_err());
    }

    #[test]
    fn nobody_waits_longer_because_the_clock_was_put_back() {
        let (clock, pace) = pace();
        assert_eq!([pace.take(&1), pace.take(&1), pace.take(&1)], [Ok(()); 3]);
        clock.advance(-TimeDelta::days(1));
        assert_eq!(pace.take(&1), Err(TimeDelta::minutes(20)));
    }

    #[test]
    fn a_flood_of_keys_takes_no_memory_and_frees_nobody_who_has_used_up_theirs() {
        let (_, pace) = pace();
        for _ in 0..3 {
            assert_eq!(pace.take(&0), Ok(()));
        }
        for key in 1..50_000 {
            assert_eq!(pace.take(&key), Ok(()));
        }
        assert!(pace.used_until.lock().unwrap().len() <= RateLimiter::<u32>::CAPACITY);
        assert!(pace.take(&0).is_err());
    }

    #[test]
    fn a_network_of_ipv6_counts_as_one() {
        let counted = |text: &str| counted_address(text.parse().unwrap());
        assert_eq!(counted("2001:db8::1"), counted("2001:db8::ffff:1"));
        assert_ne!(counted("2001:db8::1"), counted("2001:db8:0:1::1"));
        assert_ne!(counted("192.0.2.1"), counted("192.0.2.2"));
        assert_eq!(counted("::ffff:192.0.2.1"), counted("192.0.2.1"));
    }
}
