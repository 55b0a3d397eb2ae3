use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::net::IpAddr;
use std::time::Duration;

use tokio::time::Instant;

use super::counted::LookupKind;

/// The values that have been looked up with success in a network lately, as hashes with a random key.
pub(super) struct ValidValues {
    capacity: usize,
    key: RandomState,
    valid_until: HashMap<u64, Instant>,
}

impl ValidValues {
    /// The time for which a value is remembered after its last lookup: longer than the pauses of a desk.
    const LIFETIME: Duration = Duration::from_secs(30 * 60);

    /// No values.
    pub(super) fn new(capacity: usize) -> Self {
        Self { capacity, key: RandomState::new(), valid_until: HashMap::new() }
    }

    /// The name under which a value is remembered.
    pub(super) fn hash(&self, kind: LookupKind, network: IpAddr, value: &str) -> u64 {
        self.key.hash_one((kind, network, value))
    }

    /// Whether the value was valid lately.
    pub(super) fn has(&self, hash: u64) -> bool {
        self.valid_until.get(&hash).is_some_and(|valid_until| *valid_until > Instant::now())
    }

    /// Remembers a valid value, or forgets one that is no longer valid.
    pub(super) fn set(&mut self, hash: u64, is_valid: bool) {
        let now = Instant::now();
        if !is_valid {
            self.valid_until.remove(&hash);
            return;
        }
        if self.valid_until.len() >= self.capacity && !self.valid_until.contains_key(&hash) {
            self.valid_until.retain(|_, valid_until| *valid_until > now);
            if self.valid_until.len() >= self.capacity {
                return;
            }
        }
        self.valid_until.insert(hash, now + Self::LIFETIME);
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

    #[tokio::test(start_paused = true)]
    async fn a_value_is_valid_in_its_network_for_its_kind_until_it_fails_or_half_an_hour_has_passed() {
        let mut values = ValidValues::new(10);
        let desk = values.hash(LookupKind::Desk, HERE, "desk_a");
        values.set(desk, true);
        assert!(values.has(desk));
        assert!(!values.has(values.hash(LookupKind::Desk, THERE, "desk_a")));
        assert!(!values.has(values.hash(LookupKind::Invitation, HERE, "desk_a")));
        values.set(desk, false);
        assert!(!values.has(desk));
        values.set(desk, true);
        advance(Duration::from_secs(30 * 60)).await;
        assert!(!values.has(desk));
    }

    #[tokio::test(start_paused = true)]
    async fn the_capacity_is_kept_and_values_that_are_remembered_stay() {
        let mut values = ValidValues::new(2);
        (1..=3).for_each(|hash| values.set(hash, true));
        assert!(values.has(1) && values.has(2) && !values.has(3));
        values.set(1, true);
        assert!(values.has(1));
        advance(ValidValues::LIFETIME).await;
        values.set(3, true);
        assert_eq!(values.valid_until.len(), 1);
    }
}
