use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::{DateTime, Utc};

use super::failures::{ThrottleState, count_down, expires_at, longest_wait, refuse_too_many};
use crate::identity::sign_in::attempt::Attempt;
use crate::identity::sign_in::throttle::SignInThrottle;
use crate::{SignInError, TurnAnswer};

/// A password check that waits or runs. Dropping it ends the check.
pub(crate) struct PasswordCheck {
    pub(super) throttle: Arc<SignInThrottle>,
    pub(super) attempt: Attempt,
    /// Whether the turn is taken and not settled. Changes only under the lock of the throttle's state.
    pub(super) has_turn: AtomicBool,
}

impl PasswordCheck {
    /// The attempt that is being checked.
    pub(crate) fn attempt(&self) -> &Attempt {
        &self.attempt
    }

    /// Takes the turn, unless the address is at its limit. Unsettled turns count as failures, so that parallel attempts
    /// are not allowed more than sequential ones.
    pub(crate) fn take_turn(&self) -> TurnAnswer {
        let mut state = self.throttle.state();
        let now = self.throttle.clock.now();
        if longest_wait(&mut state.failures, self.attempt.name_keys.iter(), now).is_some() {
            return TurnAnswer::Gone;
        }
        if self.has_turn.load(Ordering::Relaxed) || !self.attempt.counts_address() {
            return TurnAnswer::Wanted;
        }
        let ThrottleState { failures, turns, .. } = &mut *state;
        let address = &self.attempt.address;
        let taken = turns.get(address).copied().unwrap_or_default();
        let all_failed = expires_at(failures, address, now) + address.limit().interval * taken;
        if address.limit().wait(all_failed, now).is_some() {
            return TurnAnswer::NotYet;
        }
        *turns.entry(address.clone()).or_default() += 1;
        self.has_turn.store(true, Ordering::Relaxed);
        TurnAnswer::Wanted
    }

    /// Records the result of the attempt. A success takes back the failures of its name, and sometimes one of its
    /// address.
    ///
    /// # Errors
    /// `TooManyTries` when other attempts have used up the limit of the name in the meantime. The caller must not learn
    /// the result then, so it counts as a failure of the address alone, because it cost a hash.
    pub(crate) fn settle(&self, has_succeeded: bool) -> Result<(), SignInError> {
        let (throttle, attempt) = (&self.throttle, &self.attempt);
        let mut state = throttle.state();
        let now = throttle.clock.now();
        self.refuse_too_late(&mut state, now)?;
        if has_succeeded {
            throttle.take_back(&mut state, attempt, now);
        } else {
            attempt.keys().for_each(|key| throttle.note(&mut state.failures, key, now));
        }
        Ok(())
    }

    /// Records nothing: the password was right, but the sign-in is not complete.
    ///
    /// # Errors
    /// `TooManyTries` as [`Self::settle`] does.
    pub(crate) fn leave(&self) -> Result<(), SignInError> {
        self.refuse_too_late(&mut self.throttle.state(), self.throttle.clock.now())
    }

    fn refuse_too_late(&self, state: &mut ThrottleState, now: DateTime<Utc>) -> Result<(), SignInError> {
        let attempt = &self.attempt;
        let had_turn = self.give_back_turn(state);
        refuse_too_many(&mut state.failures, attempt.name_keys.iter(), now).inspect_err(|_| {
            if had_turn {
                self.throttle.note(&mut state.failures, &attempt.address, now);
            }
        })
    }

    /// Gives the turn back. Returns whether it was taken.
    fn give_back_turn(&self, state: &mut ThrottleState) -> bool {
        let had_turn = self.has_turn.swap(false, Ordering::Relaxed);
        if had_turn {
            count_down(&mut state.turns, &self.attempt.address);
        }
        had_turn
    }
}

impl Drop for PasswordCheck {
    fn drop(&mut self) {
        let mut state = self.throttle.state();
        self.give_back_turn(&mut state);
        if let Some(name) = self.attempt.name_keys.last() {
            count_down(&mut state.under_way, name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::attempt::Place;
    use super::super::throttle_fixture::{ThrottleFixture, address, from, name, on, on_from, wait_of};
    use crate::DeviceId;
    use chrono::TimeDelta;

    use super::*;

    #[test]
    fn a_known_device_is_not_limited_by_others_at_its_address() {
        let fixture = ThrottleFixture::new(1_000);
        let hall = address("192.0.2.1");
        let device = fixture.throttle.attempt(Some(name("anna@example.org")), hall, Some(DeviceId([7; 16])));
        let check = fixture.begin(&device);
        assert_eq!(fixture.allowed_failures(&from("192.0.2.1")), 60);
        assert_eq!(check.take_turn(), TurnAnswer::Wanted);
        assert_eq!(wait_of(fixture.throttle.check(&device)), None);
        assert_eq!(fixture.allowed_failures(&device), 10, "its own failures hold it up");
        assert_eq!(check.take_turn(), TurnAnswer::Gone);
        // Text that cannot be a name has no device.
        assert_eq!(fixture.throttle.attempt(None, hall, Some(DeviceId([7; 16]))).place, Place::Elsewhere);
    }

    #[test]
    fn at_most_100_checks_of_one_name_run_at_a_time() {
        let throttle = ThrottleFixture::new(1_000).throttle;
        let attempt = on("anna@example.org", 1);
        let mut under_way: Vec<_> = (0..100).map(|_| throttle.begin(attempt.clone()).unwrap()).collect();
        let refused = throttle.begin(on("anna@example.org", 2)).map(drop);
        assert_eq!(wait_of(refused), Some(TimeDelta::seconds(10)));
        assert!(throttle.begin(on("ben@example.org", 1)).is_ok());
        under_way.pop();
        under_way.push(throttle.begin(attempt.clone()).unwrap());
        assert!(throttle.begin(attempt).is_err());
        drop(under_way);
        assert!(throttle.state().under_way.is_empty());
    }

    #[test]
    fn an_address_at_its_limit_delays_turns_and_a_name_at_its_limit_cancels_them() {
        let fixture = ThrottleFixture::new(1_000);
        let anna = on_from("anna@example.org", address("192.0.2.1"));
        let check = fixture.begin(&anna);
        assert_eq!(fixture.allowed_failures(&from("192.0.2.1")), 60);
        assert_eq!(check.take_turn(), TurnAnswer::NotYet);
        assert_eq!(wait_of(fixture.throttle.check_name(&anna)), None);
        fixture.clock.advance(TimeDelta::milliseconds(500));
        assert_eq!(check.take_turn(), TurnAnswer::Wanted);
        // Others use up the limit in the meantime.
        for number in 0..30 {
            assert_eq!(fixture.fail(&on("anna@example.org", number)), None);
        }
        assert_eq!(check.take_turn(), TurnAnswer::Gone);
        assert_eq!(wait_of(check.settle(true)), Some(TimeDelta::seconds(10)));
    }

    #[test]
    fn parallel_turns_are_limited_like_sequential_ones() {
        let fixture = ThrottleFixture::new(1_000);
        let hall = from("192.0.2.1");
        assert_eq!((0..58).filter(|_| fixture.fail(&hall).is_none()).count(), 58);
        let checks: Vec<_> = (0..4).map(|_| fixture.begin(&hall)).collect();
        let turns = || checks.iter().map(PasswordCheck::take_turn).filter(|turn| *turn == TurnAnswer::Wanted).count();
        assert_eq!((turns(), turns()), (2, 2), "and each is counted once");
        assert_eq!(wait_of(checks[0].settle(false)), None);
        assert_eq!(checks[3].take_turn(), TurnAnswer::NotYet);
        // One attempt did not fail, so nothing waits for it any more.
        assert_eq!(wait_of(checks[1].settle(true)), None);
        assert_eq!(checks[3].take_turn(), TurnAnswer::Wanted);
        drop(checks);
        let state = fixture.throttle.state();
        assert!(state.turns.is_empty() && state.under_way.is_empty());
    }

    #[test]
    fn an_attempt_beyond_the_limit_does_not_reveal_whether_the_password_was_right() {
        let fixture = ThrottleFixture::new(1_000);
        // All of them began before the first one finished.
        let attempts = vec![on("anna@example.org", 1); 30];
        let checks: Vec<_> = attempts.iter().map(|attempt| fixture.begin(attempt)).collect();
        assert!(checks.iter().all(|check| check.take_turn() == TurnAnswer::Wanted));
        for (number, check) in checks.iter().enumerate() {
            let outcome = check.settle(number >= 10);
            assert_eq!(outcome.is_ok(), number < 10, "{number}");
        }
    }
}
