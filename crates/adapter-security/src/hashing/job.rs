use std::time::Duration;

use plenum_clients::TurnAnswer;
use plenum_kernel::SignInTicket;

/// What a hash is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Somebody who signs in waits for it.
    Check,
    /// A new password is to be stored.
    Making,
}

/// A piece of work that waits for a thread.
pub(crate) struct Job {
    /// By which somebody asks for its place.
    pub(crate) ticket: Option<SignInTicket>,
    /// Whether nobody waits for it any more.
    pub(crate) has_left: Box<dyn Fn() -> bool + Send>,
    /// Whether it is to be done now that its turn has come.
    pub(crate) answer: Box<dyn Fn() -> TurnAnswer + Send>,
    /// Does it.
    pub(crate) work: Box<dyn FnOnce() + Send>,
}

/// No room is left for so long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full {
    /// When a tenth of those who wait in the lane will have been served: whoever is turned away then need not hurry for
    /// one place.
    pub(crate) retry_after: Duration,
}

/// How many come before somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) ahead: usize,
    pub(crate) wait: Duration,
    pub(crate) is_own: bool,
}

/// What a look for the next piece of work has found.
pub(crate) enum Look {
    /// It is this one's turn.
    Found(Lane, Job),
    /// Nothing yet, and not all were asked: look again, after others had the queue.
    Unfinished,
    /// Nobody wants to be served now.
    Nothing,
}
