use std::net::IpAddr;
use std::sync::Arc;

use chrono::TimeDelta;
use plenum_kernel::EmailAddress;
use plenum_kernel::testkit::StillClock;

use super::attempt::{Attempt, Place, SignInName};
use super::password_check::PasswordCheck;
use super::throttle::SignInThrottle;
use crate::{SignInError, TurnAnswer};

/// A throttle on a clock that the test moves.
pub(super) struct ThrottleFixture {
    pub(super) clock: Arc<StillClock>,
    pub(super) throttle: Arc<SignInThrottle>,
}

impl ThrottleFixture {
    pub(super) fn new(capacity: usize) -> Self {
        let clock = Arc::new(StillClock::new());
        Self { throttle: Arc::new(SignInThrottle::with_capacity(clock.clone(), capacity)), clock }
    }

    pub(super) fn begin(&self, attempt: &Attempt) -> PasswordCheck {
        self.throttle.begin(attempt.clone()).unwrap()
    }

    /// The time that the attempt has to wait; `None` when it was made and failed.
    pub(super) fn fail(&self, attempt: &Attempt) -> Option<TimeDelta> {
        let wait = wait_of(self.throttle.check(attempt));
        let check = self.begin(attempt);
        assert_eq!(check.take_turn() == TurnAnswer::Wanted, wait.is_none());
        if wait.is_none() {
            assert_eq!(wait_of(check.settle(false)), None);
        }
        wait
    }

    pub(super) fn sign_in(&self, attempt: &Attempt) {
        let check = self.begin(attempt);
        assert_eq!(check.take_turn(), TurnAnswer::Wanted);
        assert_eq!(wait_of(check.settle(true)), None);
    }

    /// The number of failures that are allowed now.
    pub(super) fn allowed_failures(&self, attempt: &Attempt) -> usize {
        (0..1_000).take_while(|_| self.fail(attempt).is_none()).count()
    }

    pub(super) fn remembered(&self) -> usize {
        self.throttle.state().failures.len()
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

/// An address that the test uses once.
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

/// An attempt on an account from this address, where no name is known.
pub(super) fn on_from(email: &str, from: IpAddr) -> Attempt {
    Attempt::new(Some(name(email)), from, Place::Elsewhere)
}

/// An attempt on an account, from the address with this number.
pub(super) fn on(email: &str, number: u32) -> Attempt {
    on_from(email, elsewhere(number))
}
