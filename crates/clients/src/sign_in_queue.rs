use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use plenum_kernel::SignInTicket;

/// Whoever waits for the outcome of a sign-in.
pub trait Waiter: fmt::Debug + Send + Sync {
    /// Whether they still do. Called by threads that hash, between two hashes.
    fn is_there(&self) -> bool;
}

/// How somebody waits for the outcome of their sign-in. By default they have no ticket, and never leave.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    /// By which their screen asks for their place.
    pub ticket: Option<SignInTicket>,
    /// Whether they are still there.
    pub waiter: Option<Arc<dyn Waiter>>,
}

impl Waiting {
    /// Whether they have hung up.
    pub(crate) fn has_left(&self) -> bool {
        self.waiter.as_ref().is_some_and(|waiter| !waiter.is_there())
    }
}

/// A turn to have a password checked.
pub struct Turn {
    /// Whose it is; who comes back with the ticket of a turn that nobody waits for any more takes its place.
    pub ticket: Option<SignInTicket>,
    /// Asked when the turn has come, and perhaps before. Quick, and asks no port but the clock.
    pub is_wanted: Box<dyn Fn() -> bool + Send + Sync>,
}

impl Turn {
    /// One that is wanted whatever happens, of nobody in particular.
    pub fn of_nobody() -> Self {
        Self { ticket: None, is_wanted: Box::new(|| true) }
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").field("ticket", &self.ticket).finish_non_exhaustive()
    }
}

/// How many wait for the check of their password, as it looks to one of them or to a newcomer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignInQueue {
    /// How many come before.
    pub ahead: usize,
    /// How long it will probably take until the password is checked.
    pub wait: Duration,
    /// Whether this is the place of the one who asked; else it is that of a newcomer.
    pub is_own: bool,
}
