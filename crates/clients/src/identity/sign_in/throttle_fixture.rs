use std::net::IpAddr;
use std::sync::Arc;

use chrono::TimeDelta;
use plenum_kernel::EmailAddress;
use plenum_kernel::testkit::StillClock;

use super::attempt::{Attempt, Place, SignInName};
use super::password_check::CheckUnderWay;
use super::throttle::SignInThrottle;
use crate::{SignInError, TurnAnswer};

/// A pace on a clock that the test moves.
pub(super) struct RateLimiter {
    pub(super) clock: Arc<StillClock>,
    pub(super) pace: Arc<SignInThrottle>,
}

impl RateLimiter {
    pub(super) fn new(capacity: usize) -> Self {
        let clock = Arc::new(StillClock::new());
        Self { pace: Arc::new(SignInThrottle::with_capacity(clock.clone(), capacity)), clock }
    }

    pub(super) fn begin(&self, attempt: &Attempt) -> CheckUnderWay {
        self.pace.begin(attempt.clone()).unwrap()
    }

    /// How long the one who tries has to wait; none when the try was made, and failed.
    pub(super) fn fail(&self, attempt: &Attempt) -> Option<TimeDelta> {
        let wait = wait_of(self.pace.check(attempt));
        let check = self.begin(attempt);
        assert_eq!(check.take_turn() == TurnAnswer::Wanted, wait.is_none());
        if wait.is_none() {
            assert_eq!(wait_of(check.settle(false)), None);
        }
        wait
    }

    pub(super) fn let_in(&self, attempt: &Attempt) {
        let check = self.begin(attempt);
        assert_eq!(check.take_turn(), TurnAnswer::Wanted);
        assert_eq!(wait_of(check.settle(true)), None);
    }

    /// How many failures are let pass now.
    pub(super) fn failures_let_pass(&self, attempt: &Attempt) -> usize {
        (0..1_000).take_while(|_| self.fail(attempt).is_none()).count()
    }

    pub(super) fn remembered(&self) -> usize {
        self.pace.memory().failures.len()
    }
}

pub(super) fn wait_of(outcome: Result<(), SignInError>) -> Option<TimeDelta> {
    match outcome {
        Ok(()) => None,
        Err(SignInError::TooManyTries { retry_after }) => Some(retry_after),
        Err(other) => panic!("{other}"),
    }
}

pub(super) fn address(text: &str) -> IpAddr {
    text.parse().unwrap()
}

/// An address that nobody else of the test has.
pub(super) fn elsewhere(number: u32) -> IpAddr {
    IpAddr::from((0x0a00_0000 + number).to_be_bytes())
}

pub(super) fn name(email: &str) -> SignInName {
    SignInName::account(&EmailAddress::parse(email).unwrap())
}

/// An attempt of which only the address counts.
pub(super) fn from(text: &str) -> Attempt {
    Attempt::new(None, address(text), Place::Elsewhere)
}

/// An attempt on an account from this address, where nobody is known.
pub(super) fn on_from(email: &str, from: IpAddr) -> Attempt {
    Attempt::new(Some(name(email)), from, Place::Elsewhere)
}

/// An attempt on an account, each time from another address.
pub(super) fn on(email: &str, number: u32) -> Attempt {
    on_from(email, elsewhere(number))
}
