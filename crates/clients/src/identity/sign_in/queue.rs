use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use plenum_kernel::SignInTicket;

/// The caller of a sign-in, as far as the server knows whether they still wait.
pub trait CallerLiveness: fmt::Debug + Send + Sync {
    /// Whether the caller still waits. The hashing threads call it between two hashes.
    fn is_there(&self) -> bool;
}

/// The place of a sign-in in the queue. By default it has no ticket, and its caller never leaves.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    /// The ticket with which the screen requests its place.
    pub ticket: Option<SignInTicket>,
    /// The caller, for the check whether they still wait.
    pub caller: Option<Arc<dyn CallerLiveness>>,
}

impl Waiting {
    /// Whether the caller has disconnected.
    pub(crate) fn has_left(&self) -> bool {
        self.caller.as_ref().is_some_and(|caller| !caller.is_there())
    }
}

/// The answer of a sign-in whose turn has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnAnswer {
    /// The sign-in takes the turn.
    Wanted,
    /// The sign-in lets others pass and keeps its place. The queue asks again soon.
    NotYet,
    /// The sign-in gives the turn up for good: no caller would receive the result.
    Gone,
}

/// A turn of a password check.
pub struct Turn {
    /// The ticket of the caller. A new turn with the same ticket replaces the older one.
    pub ticket: Option<SignInTicket>,
    /// Whether the caller has left for good. Fast, and asks no port.
    pub has_left: Box<dyn Fn() -> bool + Send + Sync>,
    /// Called only when the turn has come. The check runs at once if it returns `Wanted`. Fast, and asks no port except
    /// the clock.
    pub answer: Box<dyn Fn() -> TurnAnswer + Send + Sync>,
}

impl Turn {
    /// A turn without a caller, which is always taken.
    pub fn anonymous() -> Self {
        Self { ticket: None, has_left: Box::new(|| false), answer: Box::new(|| TurnAnswer::Wanted) }
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").field("ticket", &self.ticket).finish_non_exhaustive()
    }
}

/// The length of the queue of password checks, for one sign-in or for a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignInQueue {
    /// The number of checks before it.
    pub ahead: usize,
    /// The estimated time until the password is checked.
    pub wait: Duration,
    /// Whether this is the place of the caller's own sign-in. Otherwise it is that of a new one.
    pub is_own: bool,
}
