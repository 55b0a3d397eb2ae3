use std::time::Duration;

use plenum_clients::TurnAnswer;
use plenum_kernel::SignInTicket;

/// The kind of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobKind {
    /// A password check, for which a sign-in waits.
    Check,
    /// A hash of a new password.
    NewHash,
}

/// A job that waits for a thread.
pub(crate) struct Job {
    /// The ticket with which the caller asks for its place.
    pub(crate) ticket: Option<SignInTicket>,
    /// Whether the caller has left.
    pub(crate) has_left: Box<dyn Fn() -> bool + Send>,
    /// Whether the job should run now that its turn has come.
    pub(crate) answer: Box<dyn Fn() -> TurnAnswer + Send>,
    /// Runs the job.
    pub(crate) work: Box<dyn FnOnce() + Send>,
}

/// The queue is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full {
    /// The time until a tenth of the waiting jobs will have run. Several refused callers then find a free place.
    pub(crate) retry_after: Duration,
}

/// The place of a job in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) ahead: usize,
    pub(crate) wait: Duration,
    pub(crate) is_own: bool,
}

/// The result of a search for the next job.
pub(crate) enum NextJob {
    /// The next job.
    Found(JobKind, Job),
    /// None yet, and not all jobs were asked: search again after other threads had the lock.
    Unfinished,
    /// No job is ready now.
    Nothing,
}
