use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::{DateTime, Utc};

use super::failures::{Memory, count_down, healed_at, longest_wait, refuse_too_many};
use crate::identity::sign_in::attempt::Attempt;
use crate::identity::sign_in::throttle::SignInThrottle;
use crate::{SignInError, TurnAnswer};

/// A check of a password that waits or runs, until this is dropped.
pub(crate) struct CheckUnderWay {
    pub(super) pace: Arc<SignInThrottle>,
    pub(super) attempt: Attempt,
    /// Whether the turn is taken and not settled; changed only with the pace's memory at hand.
    pub(super) has_turn: AtomicBool,
}

impl CheckUnderWay {
    /// What is being checked.
    pub(crate) fn attempt(&self) -> &Attempt {
        &self.attempt
    }

    /// Takes the turn that has come, unless the failures of the address have to heal first. What may fail at this moment
    /// counts as if it had failed, so that turns at the same time are let pass no more than one by one.
    pub(crate) fn take_turn(&self) -> TurnAnswer {
        let mut memory = self.pace.memory();
        let now = self.pace.clock.now();
        if longest_wait(&mut memory.failures, self.attempt.name_keys.iter(), now).is_some() {
            return TurnAnswer::Gone;
        }
        if self.has_turn.load(Ordering::Relaxed) || !self.attempt.counts_address() {
            return TurnAnswer::Wanted;
        }
        let Memory { failures, turns, .. } = &mut *memory;
        let address = &self.attempt.address;
        let taken = turns.get(address).copied().unwrap_or_default();
        let all_failed = healed_at(failures, address, now) + address.limit().one_more_each * taken;
        if address.limit().wait(all_failed, now).is_some() {
            return TurnAnswer::NotYet;
        }
        *turns.entry(address.clone()).or_default() += 1;
        self.has_turn.store(true, Ordering::Relaxed);
        TurnAnswer::Wanted
    }

    /// Notes how the attempt went. A success takes back the failures of its account, and at times one of its address.
    ///
    /// # Errors
    /// `TooManyTries` when others were faster and have used up what was free for the name. Then the outcome of this
    /// attempt is nobody's business, and is noted as a failure of the address alone: a hash was made for it.
    pub(crate) fn settle(&self, has_succeeded: bool) -> Result<(), SignInError> {
        let (pace, attempt) = (&self.pace, &self.attempt);
        let mut memory = pace.memory();
        let now = pace.clock.now();
        self.refuse_too_late(&mut memory, now)?;
        if has_succeeded {
            pace.take_back(&mut memory, attempt, now);
        } else {
            attempt.keys().for_each(|key| pace.note(&mut memory.failures, key, now));
        }
        Ok(())
    }

    /// Notes nothing: the password was right, and that is not enough.
    ///
    /// # Errors
    /// `TooManyTries` as [`Self::settle`] does.
    pub(crate) fn leave(&self) -> Result<(), SignInError> {
        self.refuse_too_late(&mut self.pace.memory(), self.pace.clock.now())
    }

    fn refuse_too_late(&self, memory: &mut Memory, now: DateTime<Utc>) -> Result<(), SignInError> {
        let attempt = &self.attempt;
        let had_turn = self.give_back_turn(memory);
        refuse_too_many(&mut memory.failures, attempt.name_keys.iter(), now).inspect_err(|_| {
            if had_turn {
                self.pace.note(&mut memory.failures, &attempt.address, now);
            }
        })
    }

    /// Says whether there was one to be given back.
    fn give_back_turn(&self, memory: &mut Memory) -> bool {
        let had_turn = self.has_turn.swap(false, Ordering::Relaxed);
        if had_turn {
            count_down(&mut memory.turns, &self.attempt.address);
        }
        had_turn
    }
}

impl Drop for CheckUnderWay {
    fn drop(&mut self) {
        let mut memory = self.pace.memory();
        self.give_back_turn(&mut memory);
        if let Some(name) = self.attempt.name_keys.last() {
            count_down(&mut memory.under_way, name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::attempt::Place;
    use super::super::throttle_fixture::{RateLimiter, address, from, name, on, on_from, wait_of};
    use crate::DeviceId;
    use chrono::TimeDelta;

    use super::*;

    #[test]
    fn a_known_device_is_not_held_up_by_others_at_its_address() {
        let pace = RateLimiter::new(1_000);
        let hall = address("192.0.2.1");
        let device = pace.pace.attempt(Some(name("anna@example.org")), hall, Some(DeviceId([7; 16])));
        let check = pace.begin(&device);
        assert_eq!(pace.failures_let_pass(&from("192.0.2.1")), 60);
        assert_eq!(check.take_turn(), TurnAnswer::Wanted);
        assert_eq!(wait_of(pace.pace.check(&device)), None);
        assert_eq!(pace.failures_let_pass(&device), 10, "its own failures hold it up");
        assert_eq!(check.take_turn(), TurnAnswer::Gone);
        // And what can be no name has no device.
        assert_eq!(pace.pace.attempt(None, hall, Some(DeviceId([7; 16]))).place, Place::Elsewhere);
    }

    #[test]
    fn a_hundred_checks_of_one_name_are_under_way_at_a_time_and_no_more() {
        let pace = RateLimiter::new(1_000).pace;
        let attempt = on("anna@example.org", 1);
        let mut under_way: Vec<_> = (0..100).map(|_| pace.begin(attempt.clone()).unwrap()).collect();
        let refused = pace.begin(on("anna@example.org", 2)).map(drop);
        assert_eq!(wait_of(refused), Some(TimeDelta::seconds(10)));
        assert!(pace.begin(on("ben@example.org", 1)).is_ok());
        under_way.pop();
        under_way.push(pace.begin(attempt.clone()).unwrap());
        assert!(pace.begin(attempt).is_err());
        drop(under_way);
        assert!(pace.memory().under_way.is_empty());
    }

    #[test]
    fn an_address_at_its_limit_lets_turns_wait_and_a_name_at_its_limit_gives_them_up() {
        let pace = RateLimiter::new(1_000);
        let anna = on_from("anna@example.org", address("192.0.2.1"));
        let check = pace.begin(&anna);
        assert_eq!(pace.failures_let_pass(&from("192.0.2.1")), 60);
        assert_eq!(check.take_turn(), TurnAnswer::NotYet);
        assert_eq!(wait_of(pace.pace.check_name(&anna)), None);
        pace.clock.advance(TimeDelta::milliseconds(500));
        assert_eq!(check.take_turn(), TurnAnswer::Wanted);
        // Others have used up what is free meanwhile.
        for number in 0..30 {
            assert_eq!(pace.fail(&on("anna@example.org", number)), None);
        }
        assert_eq!(check.take_turn(), TurnAnswer::Gone);
        assert_eq!(wait_of(check.settle(true)), Some(TimeDelta::seconds(10)));
    }

    #[test]
    fn turns_at_the_same_time_are_let_pass_no_more_than_one_by_one() {
        let pace = RateLimiter::new(1_000);
        let hall = from("192.0.2.1");
        assert_eq!((0..58).filter(|_| pace.fail(&hall).is_none()).count(), 58);
        let checks: Vec<_> = (0..4).map(|_| pace.begin(&hall)).collect();
        let turns = || checks.iter().map(CheckUnderWay::take_turn).filter(|turn| *turn == TurnAnswer::Wanted).count();
        assert_eq!((turns(), turns()), (2, 2), "and each is counted once");
        assert_eq!(wait_of(checks[0].settle(false)), None);
        assert_eq!(checks[3].take_turn(), TurnAnswer::NotYet);
        // One did not fail, and nobody waits for the other any more.
        assert_eq!(wait_of(checks[1].settle(true)), None);
        assert_eq!(checks[3].take_turn(), TurnAnswer::Wanted);
        drop(checks);
        let memory = pace.pace.memory();
        assert!(memory.turns.is_empty() && memory.under_way.is_empty());
    }

    #[test]
    fn who_comes_too_late_is_not_told_whether_the_password_was_right() {
        let pace = RateLimiter::new(1_000);
        // All of them were let in before the first one was done.
        let attempts = vec![on("anna@example.org", 1); 30];
        let checks: Vec<_> = attempts.iter().map(|attempt| pace.begin(attempt)).collect();
        assert!(checks.iter().all(|check| check.take_turn() == TurnAnswer::Wanted));
        for (number, check) in checks.iter().enumerate() {
            let outcome = check.settle(number >= 10);
            assert_eq!(outcome.is_ok(), number < 10, "{number}");
        }
    }
}
