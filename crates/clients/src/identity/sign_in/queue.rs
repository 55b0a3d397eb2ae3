use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use plenum_kernel::SignInTicket;

/// Whoever waits for the outcome of a sign-in.
pub trait CallerLiveness: fmt::Debug + Send + Sync {
    /// Whether they still do. Called by threads that hash, between two hashes.
    fn is_there(&self) -> bool;
}

/// How somebody waits for the outcome of their sign-in. By default they have no ticket, and never leave.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    /// By which their screen asks for their place.
    pub ticket: Option<SignInTicket>,
    /// Whether they are still there.
    pub waiter: Option<Arc<dyn CallerLiveness>>,
}

impl Waiting {
    /// Whether they have hung up.
    pub(crate) fn has_left(&self) -> bool {
        self.waiter.as_ref().is_some_and(|waiter| !waiter.is_there())
    }
}

/// What somebody says whose turn has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnAnswer {
    /// The turn is taken.
    Wanted,
    /// Others may go first; it is to be asked again soon, and the place stays theirs.
    NotYet,
    /// It never will be: the outcome would be told to nobody.
    Gone,
}

/// A turn to have a password checked.
pub struct Turn {
    /// Whose it is; the newest turn with a ticket takes the place of an older one.
    pub ticket: Option<SignInTicket>,
    /// Whether whoever waited for it has hung up, once and for all. Quick, and asks no port.
    pub has_left: Box<dyn Fn() -> bool + Send + Sync>,
    /// Asked only when the turn has come: who says `Wanted` is served at once. Quick, and asks no port but the clock.
    pub answer: Box<dyn Fn() -> TurnAnswer + Send + Sync>,
}

impl Turn {
    /// One that is wanted whatever happens, of nobody in particular.
    pub fn of_nobody() -> Self {
        Self { ticket: None, has_left: Box::new(|| false), answer: Box::new(|| TurnAnswer::Wanted) }
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
