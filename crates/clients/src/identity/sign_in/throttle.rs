use std::net::IpAddr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{ClientId, Clock};

use super::failures::{Failures, Retention, ThrottleState, note_for, refuse_too_many};
use crate::identity::rate_limiter::{counted_address, make_room};
use crate::identity::sign_in::attempt::{Attempt, Group, Key, Limit, Place, SignInName};
use crate::identity::sign_in::password_check::PasswordCheck;
use crate::{ClientKey, DeviceId, SignInError};

/// Limits the failures of sign-ins, for each name and each address. Successful sign-ins do not count, so a hall that
/// signs in at once is not limited. Each success also takes back a failure of its address once in a while: the larger
/// the hall, and the faster its passwords are checked, the more of its people mistype in a second.
///
/// Failures of a name count separately for each [`Place`]. So an attack on a name from elsewhere does not lock out its
/// owner on a known device, at a known address, or in a hall where others of their organization have signed in. Each
/// place has its limit, and so have all addresses together at which the name is not known.
///
/// An attempt asks it three times, so that an attempt beyond the limit costs little, and parallel guesses are limited
/// like sequential ones:
/// - Before it joins the queue: an attempt beyond the limit does not join.
/// - When its turn has come, perhaps minutes later: a name at its limit gives the turn up. An address at its limit only
///   delays the turn, because the address may be that of a hall without failures of its own.
/// - After the slow check of the password, for the name alone: the turn was counted for the address.
///
/// The state stays in this process, so each instance counts for itself.
pub(crate) struct SignInThrottle {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) capacity: usize,
    pub(super) state: Mutex<ThrottleState>,
}

impl SignInThrottle {
    /// The most names and addresses whose failures are stored, which takes some tens of megabytes.
    const CAPACITY: usize = 100_000;
    /// The interval at which a name may take back a failure of an address. With one known password, an attacker must
    /// not gain free attempts for others.
    const TAKES_BACK_EACH: TimeDelta = TimeDelta::hours(1);
    /// The time for which an address is known for a name after its last sign-in there.
    const KNOWN_FOR: TimeDelta = TimeDelta::days(30);
    /// The time for which an address is known for the others of a group: a day of meetings.
    const SHARED_FOR: TimeDelta = TimeDelta::hours(12);

    /// A throttle without failures.
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self::with_capacity(clock, Self::CAPACITY)
    }

    pub(super) fn with_capacity(clock: Arc<dyn Clock>, capacity: usize) -> Self {
        Self { clock, capacity, state: Mutex::default() }
    }

    /// An attempt with this name, from this address and perhaps on a known device. `None` stands for text that cannot
    /// be a name.
    pub(crate) fn attempt(&self, name: Option<SignInName>, from: IpAddr, device: Option<DeviceId>) -> Attempt {
        let place = match (&name, device) {
            (Some(_), Some(device)) => Place::KnownDevice(device),
            (Some(name), None) => self.place_of(name, counted_address(from)),
            (None, _) => Place::Elsewhere,
        };
        Attempt::new(name, from, place)
    }

    fn place_of(&self, name: &SignInName, from: IpAddr) -> Place {
        let (state, now) = (self.state(), self.clock.now());
        let is_known = |until: Option<&DateTime<Utc>>| until.is_some_and(|until| *until > now);
        if is_known(state.known_at.get(&(name.clone(), from))) {
            Place::KnownAddress
        } else if is_known(state.shared_at.get(&(name.group(), from))) {
            Place::SharedAddress
        } else {
            Place::Elsewhere
        }
    }

    /// Records a successful sign-in, perhaps of this client.
    pub(crate) fn remember(&self, attempt: &Attempt, client: Option<ClientId>) {
        let Some(name) = &attempt.name else { return };
        let (mut state, now) = (self.state(), self.clock.now());
        let key = (name.clone(), attempt.from);
        note_for(&mut state.known_at, key, Retention { now, duration: Self::KNOWN_FOR }, self.capacity);
        let client = client.map(|client| Group::Client(ClientKey::Id(client)));
        for group in client.into_iter().chain([Group::Anybody]) {
            let retention = Retention { now, duration: Self::SHARED_FOR };
            note_for(&mut state.shared_at, (group, attempt.from), retention, self.capacity);
        }
    }

    /// Checks whether the attempt is allowed.
    ///
    /// # Errors
    /// `TooManyTries` when its name or its address has failed too often.
    pub(crate) fn check(&self, attempt: &Attempt) -> Result<(), SignInError> {
        refuse_too_many(&mut self.state().failures, attempt.keys(), self.clock.now())
    }

    /// Checks whether the attempt is allowed, without the limit of its address.
    ///
    /// # Errors
    /// `TooManyTries` when its name has failed too often.
    pub(crate) fn check_name(&self, attempt: &Attempt) -> Result<(), SignInError> {
        refuse_too_many(&mut self.state().failures, attempt.name_keys.iter(), self.clock.now())
    }

    /// Begins the password check of the attempt.
    ///
    /// # Errors
    /// `TooManyTries` when too many checks of its name wait or run.
    pub(crate) fn begin(self: &Arc<Self>, attempt: Attempt) -> Result<PasswordCheck, SignInError> {
        if let Some(name) = attempt.name_keys.last() {
            let mut state = self.state();
            let checks = state.under_way.entry(name.clone()).or_default();
            if *checks >= Limit::CHECKS_OF_A_NAME {
                return Err(SignInError::TooManyTries { retry_after: Limit::NAME.interval });
            }
            *checks += 1;
        }
        Ok(PasswordCheck { throttle: Arc::clone(self), attempt, has_turn: AtomicBool::new(false) })
    }

    pub(super) fn state(&self) -> MutexGuard<'_, ThrottleState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn take_back(&self, state: &mut ThrottleState, attempt: &Attempt, now: DateTime<Utc>) {
        let Some(name) = &attempt.name else { return };
        for key in &attempt.name_keys {
            state.failures.remove(key);
        }
        let is_early = state.recent_sign_ins.get(name).is_some_and(|until| *until > now);
        let Some(expires_at) = state.failures.get_mut(&attempt.address).filter(|_| !is_early) else { return };
        *expires_at -= attempt.address.limit().interval;
        let retention = Retention { now, duration: Self::TAKES_BACK_EACH };
        note_for(&mut state.recent_sign_ins, name.clone(), retention, self.capacity);
    }

    pub(super) fn note(&self, failures: &mut Failures, key: &Key, now: DateTime<Utc>) {
        let interval = key.limit().interval;
        if let Some(expires_at) = failures.get_mut(key) {
            *expires_at = now.max(*expires_at) + interval;
            return;
        }
        if failures.len() >= self.capacity {
            make_room(failures, self.capacity, now);
        }
        failures.insert(key.clone(), now + interval);
    }
}

#[cfg(test)]
mod tests {
    use super::super::throttle_fixture::{ThrottleFixture, address, elsewhere, from, name, on, on_from, wait_of};
    use crate::{TurnAnswer, Username};
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    #[test]
    fn a_name_may_fail_10_times_at_an_address_and_then_every_10_seconds() {
        let fixture = ThrottleFixture::new(1_000);
        let fail = || fixture.fail(&on("anna@example.org", 1));
        for _ in 0..10 {
            assert_eq!(fail(), None);
        }
        assert_eq!(fail(), Some(TimeDelta::seconds(10)));
        fixture.clock.advance(TimeDelta::milliseconds(9_999));
        assert_eq!(fail(), Some(TimeDelta::milliseconds(1)));
        fixture.clock.advance(TimeDelta::milliseconds(1));
        assert_eq!(fail(), None);
        assert_eq!(fail(), Some(TimeDelta::seconds(10)));
        // An hour clears all failures, and saves up no extra attempts.
        fixture.clock.advance(TimeDelta::hours(1));
        assert_eq!((0..20).filter(|_| fail().is_none()).count(), 10);
    }

    #[test]
    fn a_name_may_fail_30_times_at_all_unknown_addresses_together() {
        let fixture = ThrottleFixture::new(1_000);
        let mut number = 0;
        let mut fail = || {
            number += 1;
            fixture.fail(&on("anna@example.org", number))
        };
        assert_eq!((0..50).filter(|_| fail().is_none()).count(), 30);
        assert_eq!(fail(), Some(TimeDelta::seconds(10)));
        fixture.clock.advance(TimeDelta::seconds(10));
        assert_eq!((fail(), fail()), (None, Some(TimeDelta::seconds(10))));
        // One address alone does not use up that limit.
        let fixture = ThrottleFixture::new(1_000);
        assert_eq!(fixture.allowed_failures(&on("anna@example.org", 1)), 10);
        assert_eq!(fixture.allowed_failures(&on("anna@example.org", 2)), 10);
    }

    #[test]
    fn each_place_of_a_name_has_its_own_limit() {
        let fixture = ThrottleFixture::new(1_000);
        let (anna, home, hall) = (name("anna@example.org"), elsewhere(1), elsewhere(2));
        let device = DeviceId([7; 16]);
        // Anna has signed in at home, and another person in the hall.
        fixture.throttle.remember(&fixture.throttle.attempt(Some(anna.clone()), home, None), None);
        fixture.throttle.remember(&fixture.throttle.attempt(Some(name("ben@example.org")), hall, None), None);
        let attempt = |from, device| fixture.throttle.attempt(Some(anna.clone()), from, device);
        for number in 10..50 {
            fixture.fail(&attempt(elsewhere(number), None));
        }
        assert!(fixture.fail(&attempt(elsewhere(99), None)).is_some(), "an attack meets its limit");
        for (from, device) in [(home, None), (hall, None), (elsewhere(98), Some(device))] {
            let attempt = attempt(from, device);
            assert_eq!(fixture.allowed_failures(&attempt), 10, "{attempt:?}");
            assert_eq!(fixture.fail(&attempt), Some(TimeDelta::seconds(10)));
        }
        // All halls together have a limit, too.
        for number in 100..140 {
            let hall = elsewhere(number);
            fixture.throttle.remember(&fixture.throttle.attempt(Some(name("ben@example.org")), hall, None), None);
            fixture.fail(&attempt(hall, None));
        }
        let new_hall = elsewhere(200);
        fixture.throttle.remember(&fixture.throttle.attempt(Some(name("ben@example.org")), new_hall, None), None);
        assert!(fixture.fail(&attempt(new_hall, None)).is_some());
        assert_eq!(fixture.fail(&attempt(elsewhere(98), Some(DeviceId([8; 16])))), None);
    }

    #[test]
    fn a_place_is_known_for_a_while_and_within_its_group() {
        let fixture = ThrottleFixture::new(1_000);
        let ids = CountingIds::new();
        let (club, other) = (ClientId::new(&ids), ClientId::new(&ids));
        let voter = |client: ClientId, username: &str| {
            SignInName::end_user(&ClientKey::Id(client), &Username::parse(username).unwrap())
        };
        let (home, hall) = (address("2001:db8::1"), address("192.0.2.1"));
        let place = |name: &SignInName, from| fixture.throttle.attempt(Some(name.clone()), from, None).place;
        fixture.throttle.remember(&fixture.throttle.attempt(Some(voter(club, "Anna")), home, None), Some(club));
        // The organizer of the club makes the hall known, too.
        fixture.throttle.remember(&fixture.throttle.attempt(Some(name("admin@example.org")), hall, None), Some(club));
        assert_eq!(place(&voter(club, "anna"), address("2001:db8::ffff")), Place::KnownAddress);
        assert_eq!(place(&voter(club, "ben"), home), Place::SharedAddress);
        assert_eq!(place(&voter(club, "ben"), hall), Place::SharedAddress);
        assert_eq!(place(&voter(other, "anna"), home), Place::Elsewhere);
        assert_eq!(place(&name("other@example.org"), home), Place::SharedAddress, "for accounts, anybody's");
        assert_eq!(place(&voter(club, "anna"), address("192.0.2.2")), Place::Elsewhere);
        fixture.clock.advance(TimeDelta::hours(12));
        assert_eq!(place(&voter(club, "ben"), hall), Place::Elsewhere);
        assert_eq!(place(&voter(club, "anna"), home), Place::KnownAddress);
        fixture.clock.advance(TimeDelta::days(30));
        assert_eq!(place(&voter(club, "anna"), home), Place::Elsewhere);
    }

    #[test]
    fn an_address_may_fail_60_times_and_then_twice_a_second() {
        let fixture = ThrottleFixture::new(1_000);
        let hall = from("192.0.2.1");
        assert_eq!(fixture.allowed_failures(&hall), 60);
        assert_eq!(fixture.fail(&hall), Some(TimeDelta::milliseconds(500)));
        fixture.clock.advance(TimeDelta::seconds(1));
        assert_eq!(fixture.allowed_failures(&hall), 2);
        assert_eq!(fixture.allowed_failures(&from("192.0.2.2")), 60);
    }

    #[test]
    fn a_hall_where_one_in_ten_mistypes_is_not_limited() {
        let fixture = ThrottleFixture::new(10_000);
        for number in 0..2_000 {
            let attempt = on_from(&format!("voter-{number}@example.org"), address("192.0.2.1"));
            if number % 10 == 0 {
                assert_eq!(fixture.fail(&attempt), None, "{number}");
            }
            assert_eq!(wait_of(fixture.throttle.check(&attempt)), None, "{number}");
            fixture.sign_in(&attempt);
            fixture.clock.advance(TimeDelta::milliseconds(60));
        }
    }

    #[test]
    fn a_hall_whose_passwords_are_checked_fast_is_not_limited() {
        let fixture = ThrottleFixture::new(10_000);
        for number in 0..5_000 {
            let attempt = on_from(&format!("voter-{number}@example.org"), address("192.0.2.1"));
            if number % 10 == 0 {
                assert_eq!(fixture.fail(&attempt), None, "{number}");
            }
            fixture.sign_in(&attempt);
            fixture.clock.advance(TimeDelta::milliseconds(2));
        }
    }

    #[test]
    fn repeated_sign_ins_take_back_one_failure_of_the_address() {
        let fixture = ThrottleFixture::new(1_000);
        let anna = on_from("anna@example.org", address("192.0.2.1"));
        let hall = from("192.0.2.1");
        assert_eq!((0..30).filter(|_| fixture.fail(&hall).is_none()).count(), 30);
        for _ in 0..5 {
            fixture.sign_in(&anna);
        }
        assert_eq!(fixture.allowed_failures(&hall), 31);
    }

    #[test]
    fn a_name_takes_back_another_failure_of_the_address_after_an_hour() {
        let fixture = ThrottleFixture::new(1_000);
        let anna = on_from("anna@example.org", address("192.0.2.1"));
        let hall = from("192.0.2.1");
        let allowed_after_a_success = || {
            assert_eq!((0..30).filter(|_| fixture.fail(&hall).is_none()).count(), 30);
            fixture.sign_in(&anna);
            fixture.allowed_failures(&hall)
        };
        assert_eq!(allowed_after_a_success(), 31);
        // All failures have expired at that time.
        fixture.clock.advance(TimeDelta::hours(1) - TimeDelta::milliseconds(1));
        assert_eq!(allowed_after_a_success(), 30);
        fixture.clock.advance(TimeDelta::minutes(1));
        assert_eq!(allowed_after_a_success(), 31);
    }

    #[test]
    fn a_success_takes_back_the_failures_of_the_account_and_one_of_the_address() {
        let fixture = ThrottleFixture::new(1_000);
        let anna = on_from("anna@example.org", address("192.0.2.1"));
        for _ in 0..6 {
            for _ in 0..9 {
                assert_eq!(fixture.fail(&anna), None);
            }
            fixture.sign_in(&anna);
        }
        assert_eq!(fixture.allowed_failures(&from("192.0.2.1")), 7);
        assert_eq!(fixture.begin(&anna).take_turn(), TurnAnswer::NotYet);
    }

    #[test]
    fn expired_failures_are_evicted_when_the_map_is_full() {
        let fixture = ThrottleFixture::new(4);
        for number in 0..4 {
            assert_eq!(fixture.fail(&Attempt::new(None, elsewhere(number), Place::Elsewhere)), None);
        }
        assert_eq!(fixture.remembered(), 4);
        fixture.clock.advance(TimeDelta::milliseconds(500));
        assert_eq!(fixture.fail(&Attempt::new(None, elsewhere(4), Place::Elsewhere)), None);
        assert_eq!(fixture.remembered(), 1);
    }

    #[test]
    fn a_flood_of_names_stays_within_the_capacity_and_evicts_no_name_at_its_limit() {
        let fixture = ThrottleFixture::new(40);
        for _ in 0..10 {
            assert_eq!(fixture.fail(&on("anna@example.org", 1)), None);
        }
        for number in 10..1_000 {
            assert_eq!(fixture.fail(&on(&format!("nobody-{number}@example.org"), number)), None);
            assert!(fixture.remembered() <= 40, "{}", fixture.remembered());
        }
        assert!(fixture.remembered() >= 36, "{}", fixture.remembered());
        assert_eq!(fixture.fail(&on("anna@example.org", 1)), Some(TimeDelta::seconds(10)));
    }

    #[test]
    fn a_clock_that_was_set_back_makes_nobody_wait_longer() {
        let fixture = ThrottleFixture::new(100);
        let hall = from("192.0.2.1");
        assert_eq!(fixture.allowed_failures(&hall), 60);
        fixture.clock.advance(TimeDelta::hours(-1));
        assert_eq!(fixture.fail(&hall), Some(TimeDelta::milliseconds(500)));
        fixture.clock.advance(TimeDelta::milliseconds(500));
        assert_eq!(fixture.fail(&hall), None);
    }
}
