use std::net::IpAddr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{ClientId, Clock};

use super::failures::{Failures, Memory, note_until, refuse_too_many};
use crate::identity::rate_limiter::{counted_address, make_room};
use crate::identity::sign_in::attempt::{Attempt, Group, Key, Limit, Place, SignInName};
use crate::identity::sign_in::password_check::CheckUnderWay;
use crate::{ClientKey, DeviceId, SignInError};

/// The pace at which signing in may fail, for each name and each address. Sign-ins that succeed are not counted: a
/// hall that signs in at once is not held up. And everybody who gets in takes back a failure of their address, once in
/// a while: the larger the hall and the faster its passwords are checked, the more of its people mistype in a second.
///
/// Failures of a name are counted apart for each [`Place`], so that an attack on a name from elsewhere keeps its owner
/// out neither on a device nor at an address from which they have signed in before, nor in a hall where others of their
/// organization have. Each place has its limit, and so have all addresses together at which the name is not known.
///
/// It is asked three times, so that nobody is kept busy by who has had enough tries, and guesses in parallel tell no more
/// than the same number one by one:
/// - When somebody comes: who may not fail once more does not line up.
/// - When their turn has come, which may be minutes later. A name at its limit gives the turn up. An address at its limit
///   only lets it wait, because a hall stands behind it that has failed in nothing.
/// - After the slow check of the password, but then for the name alone: the turn was counted for the address.
///
/// What it knows stays in this process: each instance counts for itself.
pub(crate) struct SignInThrottle {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) capacity: usize,
    pub(super) memory: Mutex<Memory>,
}

impl SignInThrottle {
    /// For so many accounts and addresses failures are remembered, in some tens of megabytes.
    const CAPACITY: usize = 100_000;
    /// So seldom somebody takes back a failure of an address: who knows one password does not get free tries of others.
    const TAKES_BACK_EACH: TimeDelta = TimeDelta::hours(1);
    /// How long an address is known for a name after its last sign-in there.
    const KNOWN_FOR: TimeDelta = TimeDelta::days(30);
    /// How long an address is known for the others of a group: a day of meetings.
    const SHARED_FOR: TimeDelta = TimeDelta::hours(12);

    /// Nobody has failed so far.
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self::with_capacity(clock, Self::CAPACITY)
    }

    pub(super) fn with_capacity(clock: Arc<dyn Clock>, capacity: usize) -> Self {
        Self { clock, capacity, memory: Mutex::default() }
    }

    /// An attempt with this name, or with what can be none, from this address and perhaps on a device that is known.
    pub(crate) fn attempt(&self, name: Option<SignInName>, from: IpAddr, device: Option<DeviceId>) -> Attempt {
        let place = match (&name, device) {
            (Some(_), Some(device)) => Place::KnownDevice(device),
            (Some(name), None) => self.place_of(name, counted_address(from)),
            (None, _) => Place::Elsewhere,
        };
        Attempt::new(name, from, place)
    }

    fn place_of(&self, name: &SignInName, from: IpAddr) -> Place {
        let (memory, now) = (self.memory(), self.clock.now());
        let is_known = |until: Option<&DateTime<Utc>>| until.is_some_and(|until| *until > now);
        if is_known(memory.known_at.get(&(name.clone(), from))) {
            Place::KnownAddress
        } else if is_known(memory.shared_at.get(&(name.group(), from))) {
            Place::SharedAddress
        } else {
            Place::Elsewhere
        }
    }

    /// Remembers that somebody of this client has signed in as was tried.
    pub(crate) fn remember(&self, attempt: &Attempt, client: Option<ClientId>) {
        let Some(name) = &attempt.name else { return };
        let (mut memory, now) = (self.memory(), self.clock.now());
        let key = (name.clone(), attempt.from);
        note_until(&mut memory.known_at, key, now + Self::KNOWN_FOR, self.capacity, now);
        let client = client.map(|client| Group::Client(ClientKey::Id(client)));
        for group in client.into_iter().chain([Group::Anybody]) {
            note_until(&mut memory.shared_at, (group, attempt.from), now + Self::SHARED_FOR, self.capacity, now);
        }
    }

    /// Whether the attempt may be made at all.
    ///
    /// # Errors
    /// `TooManyTries` when its account or its address has failed too often.
    pub(crate) fn check(&self, attempt: &Attempt) -> Result<(), SignInError> {
        refuse_too_many(&mut self.memory().failures, attempt.keys(), self.clock.now())
    }

    /// Whether the attempt may be made, whatever others at its address do.
    ///
    /// # Errors
    /// `TooManyTries` when its account has failed too often.
    pub(crate) fn check_name(&self, attempt: &Attempt) -> Result<(), SignInError> {
        refuse_too_many(&mut self.memory().failures, attempt.name_keys.iter(), self.clock.now())
    }

    /// Begins to check the attempt's password.
    ///
    /// # Errors
    /// `TooManyTries` when as many checks of its name as there may be wait or run already.
    pub(crate) fn begin(self: &Arc<Self>, attempt: Attempt) -> Result<CheckUnderWay, SignInError> {
        if let Some(name) = attempt.name_keys.last() {
            let mut memory = self.memory();
            let checks = memory.under_way.entry(name.clone()).or_default();
            if *checks >= Limit::CHECKS_OF_A_NAME {
                return Err(SignInError::TooManyTries { retry_after: Limit::NAME.one_more_each });
            }
            *checks += 1;
        }
        Ok(CheckUnderWay { pace: Arc::clone(self), attempt, has_turn: AtomicBool::new(false) })
    }

    pub(super) fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn take_back(&self, memory: &mut Memory, attempt: &Attempt, now: DateTime<Utc>) {
        let Some(name) = &attempt.name else { return };
        for key in &attempt.name_keys {
            memory.failures.remove(key);
        }
        let is_early = memory.let_in.get(name).is_some_and(|until| *until > now);
        let Some(healed_at) = memory.failures.get_mut(&attempt.address).filter(|_| !is_early) else { return };
        *healed_at -= attempt.address.limit().one_more_each;
        note_until(&mut memory.let_in, name.clone(), now + Self::TAKES_BACK_EACH, self.capacity, now);
    }

    pub(super) fn note(&self, failures: &mut Failures, key: &Key, now: DateTime<Utc>) {
        let one_more_each = key.limit().one_more_each;
        if let Some(healed_at) = failures.get_mut(key) {
            *healed_at = now.max(*healed_at) + one_more_each;
            return;
        }
        if failures.len() >= self.capacity {
            make_room(failures, self.capacity, now);
        }
        failures.insert(key.clone(), now + one_more_each);
    }
}

#[cfg(test)]
mod tests {
    use super::super::throttle_fixture::{RateLimiter, address, elsewhere, from, name, on, on_from, wait_of};
    use crate::{TurnAnswer, Username};
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    #[test]
    fn a_name_may_fail_ten_times_at_once_at_an_address_and_once_more_each_ten_seconds() {
        let pace = RateLimiter::new(1_000);
        let fail = || pace.fail(&on("anna@example.org", 1));
        for _ in 0..10 {
            assert_eq!(fail(), None);
        }
        assert_eq!(fail(), Some(TimeDelta::seconds(10)));
        pace.clock.advance(TimeDelta::milliseconds(9_999));
        assert_eq!(fail(), Some(TimeDelta::milliseconds(1)));
        pace.clock.advance(TimeDelta::milliseconds(1));
        assert_eq!(fail(), None);
        assert_eq!(fail(), Some(TimeDelta::seconds(10)));
        // An hour heals everything, and saves nothing up.
        pace.clock.advance(TimeDelta::hours(1));
        assert_eq!((0..20).filter(|_| fail().is_none()).count(), 10);
    }

    #[test]
    fn a_name_may_fail_thirty_times_at_once_at_all_addresses_where_it_is_not_known() {
        let pace = RateLimiter::new(1_000);
        let mut number = 0;
        let mut fail = || {
            number += 1;
            pace.fail(&on("anna@example.org", number))
        };
        assert_eq!((0..50).filter(|_| fail().is_none()).count(), 30);
        assert_eq!(fail(), Some(TimeDelta::seconds(10)));
        pace.clock.advance(TimeDelta::seconds(10));
        assert_eq!((fail(), fail()), (None, Some(TimeDelta::seconds(10))));
        // One address alone does not use that up.
        let pace = RateLimiter::new(1_000);
        assert_eq!(pace.failures_let_pass(&on("anna@example.org", 1)), 10);
        assert_eq!(pace.failures_let_pass(&on("anna@example.org", 2)), 10);
    }

    #[test]
    fn each_place_of_a_name_has_a_limit_of_its_own() {
        let pace = RateLimiter::new(1_000);
        let (anna, home, hall) = (name("anna@example.org"), elsewhere(1), elsewhere(2));
        let device = DeviceId([7; 16]);
        // Anna has signed in at home, and somebody else in the hall.
        pace.pace.remember(&pace.pace.attempt(Some(anna.clone()), home, None), None);
        pace.pace.remember(&pace.pace.attempt(Some(name("ben@example.org")), hall, None), None);
        let attempt = |from, device| pace.pace.attempt(Some(anna.clone()), from, device);
        for number in 10..50 {
            pace.fail(&attempt(elsewhere(number), None));
        }
        assert!(pace.fail(&attempt(elsewhere(99), None)).is_some(), "an attack meets its limit");
        for (from, device) in [(home, None), (hall, None), (elsewhere(98), Some(device))] {
            let attempt = attempt(from, device);
            assert_eq!(pace.failures_let_pass(&attempt), 10, "{attempt:?}");
            assert_eq!(pace.fail(&attempt), Some(TimeDelta::seconds(10)));
        }
        // Halls are many as well, and have a limit in all.
        for number in 100..140 {
            let hall = elsewhere(number);
            pace.pace.remember(&pace.pace.attempt(Some(name("ben@example.org")), hall, None), None);
            pace.fail(&attempt(hall, None));
        }
        let new_hall = elsewhere(200);
        pace.pace.remember(&pace.pace.attempt(Some(name("ben@example.org")), new_hall, None), None);
        assert!(pace.fail(&attempt(new_hall, None)).is_some());
        assert_eq!(pace.fail(&attempt(elsewhere(98), Some(DeviceId([8; 16])))), None);
    }

    #[test]
    fn a_place_is_known_for_a_while_and_to_its_own_people() {
        let pace = RateLimiter::new(1_000);
        let ids = CountingIds::new();
        let (club, other) = (ClientId::new(&ids), ClientId::new(&ids));
        let voter = |client: ClientId, username: &str| {
            SignInName::end_user(&ClientKey::Id(client), &Username::parse(username).unwrap())
        };
        let (home, hall) = (address("2001:db8::1"), address("192.0.2.1"));
        let place = |name: &SignInName, from| pace.pace.attempt(Some(name.clone()), from, None).place;
        pace.pace.remember(&pace.pace.attempt(Some(voter(club, "Anna")), home, None), Some(club));
        // The organizer of the club makes the hall known, too.
        pace.pace.remember(&pace.pace.attempt(Some(name("admin@example.org")), hall, None), Some(club));
        assert_eq!(place(&voter(club, "anna"), address("2001:db8::ffff")), Place::KnownAddress);
        assert_eq!(place(&voter(club, "ben"), home), Place::SharedAddress);
        assert_eq!(place(&voter(club, "ben"), hall), Place::SharedAddress);
        assert_eq!(place(&voter(other, "anna"), home), Place::Elsewhere);
        assert_eq!(place(&name("other@example.org"), home), Place::SharedAddress, "for accounts, anybody's");
        assert_eq!(place(&voter(club, "anna"), address("192.0.2.2")), Place::Elsewhere);
        pace.clock.advance(TimeDelta::hours(12));
        assert_eq!(place(&voter(club, "ben"), hall), Place::Elsewhere);
        assert_eq!(place(&voter(club, "anna"), home), Place::KnownAddress);
        pace.clock.advance(TimeDelta::days(30));
        assert_eq!(place(&voter(club, "anna"), home), Place::Elsewhere);
    }

    #[test]
    fn an_address_may_fail_sixty_times_at_once_and_twice_more_each_second() {
        let pace = RateLimiter::new(1_000);
        let hall = from("192.0.2.1");
        assert_eq!(pace.failures_let_pass(&hall), 60);
        assert_eq!(pace.fail(&hall), Some(TimeDelta::milliseconds(500)));
        pace.clock.advance(TimeDelta::seconds(1));
        assert_eq!(pace.failures_let_pass(&hall), 2);
        assert_eq!(pace.failures_let_pass(&from("192.0.2.2")), 60);
    }

    #[test]
    fn a_hall_in_which_one_in_ten_mistypes_is_not_held_up() {
        let pace = RateLimiter::new(10_000);
        for number in 0..2_000 {
            let attempt = on_from(&format!("voter-{number}@example.org"), address("192.0.2.1"));
            if number % 10 == 0 {
                assert_eq!(pace.fail(&attempt), None, "{number}");
            }
            assert_eq!(wait_of(pace.pace.check(&attempt)), None, "{number}");
            pace.let_in(&attempt);
            pace.clock.advance(TimeDelta::milliseconds(60));
        }
    }

    #[test]
    fn a_hall_whose_passwords_are_checked_quickly_is_not_held_up_either() {
        let pace = RateLimiter::new(10_000);
        for number in 0..5_000 {
            let attempt = on_from(&format!("voter-{number}@example.org"), address("192.0.2.1"));
            if number % 10 == 0 {
                assert_eq!(pace.fail(&attempt), None, "{number}");
            }
            pace.let_in(&attempt);
            pace.clock.advance(TimeDelta::milliseconds(2));
        }
    }

    #[test]
    fn who_is_let_in_again_and_again_takes_back_one_failure_of_the_address() {
        let pace = RateLimiter::new(1_000);
        let anna = on_from("anna@example.org", address("192.0.2.1"));
        let hall = from("192.0.2.1");
        assert_eq!((0..30).filter(|_| pace.fail(&hall).is_none()).count(), 30);
        for _ in 0..5 {
            pace.let_in(&anna);
        }
        assert_eq!(pace.failures_let_pass(&hall), 31);
    }

    #[test]
    fn after_an_hour_and_no_sooner_somebody_takes_back_another_failure_of_the_address() {
        let pace = RateLimiter::new(1_000);
        let anna = on_from("anna@example.org", address("192.0.2.1"));
        let hall = from("192.0.2.1");
        let let_pass_after_a_success = || {
            assert_eq!((0..30).filter(|_| pace.fail(&hall).is_none()).count(), 30);
            pace.let_in(&anna);
            pace.failures_let_pass(&hall)
        };
        assert_eq!(let_pass_after_a_success(), 31);
        // Whatever failed has long healed by then.
        pace.clock.advance(TimeDelta::hours(1) - TimeDelta::milliseconds(1));
        assert_eq!(let_pass_after_a_success(), 30);
        pace.clock.advance(TimeDelta::minutes(1));
        assert_eq!(let_pass_after_a_success(), 31);
    }

    #[test]
    fn a_success_takes_back_the_failures_of_the_account_and_one_of_the_address() {
        let pace = RateLimiter::new(1_000);
        let anna = on_from("anna@example.org", address("192.0.2.1"));
        for _ in 0..6 {
            for _ in 0..9 {
                assert_eq!(pace.fail(&anna), None);
            }
            pace.let_in(&anna);
        }
        assert_eq!(pace.failures_let_pass(&from("192.0.2.1")), 7);
        assert_eq!(pace.begin(&anna).take_turn(), TurnAnswer::NotYet);
    }

    #[test]
    fn what_has_healed_is_forgotten_when_room_is_needed() {
        let pace = RateLimiter::new(4);
        for number in 0..4 {
            assert_eq!(pace.fail(&Attempt::new(None, elsewhere(number), Place::Elsewhere)), None);
        }
        assert_eq!(pace.remembered(), 4);
        pace.clock.advance(TimeDelta::milliseconds(500));
        assert_eq!(pace.fail(&Attempt::new(None, elsewhere(4), Place::Elsewhere)), None);
        assert_eq!(pace.remembered(), 1);
    }

    #[test]
    fn a_flood_of_names_neither_grows_without_end_nor_washes_away_who_has_failed_most() {
        let pace = RateLimiter::new(40);
        for _ in 0..10 {
            assert_eq!(pace.fail(&on("anna@example.org", 1)), None);
        }
        for number in 10..1_000 {
            assert_eq!(pace.fail(&on(&format!("nobody-{number}@example.org"), number)), None);
            assert!(pace.remembered() <= 40, "{}", pace.remembered());
        }
        assert!(pace.remembered() >= 36, "{}", pace.remembered());
        assert_eq!(pace.fail(&on("anna@example.org", 1)), Some(TimeDelta::seconds(10)));
    }

    #[test]
    fn nobody_waits_longer_because_the_clock_was_put_back() {
        let pace = RateLimiter::new(100);
        let hall = from("192.0.2.1");
        assert_eq!(pace.failures_let_pass(&hall), 60);
        pace.clock.advance(TimeDelta::hours(-1));
        assert_eq!(pace.fail(&hall), Some(TimeDelta::milliseconds(500)));
        pace.clock.advance(TimeDelta::milliseconds(500));
        assert_eq!(pace.fail(&hall), None);
    }
}
