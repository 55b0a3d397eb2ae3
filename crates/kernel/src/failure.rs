use std::error::Error;
use std::time::Duration;

/// The failure of a dependency (database, hashing threads, bus).
///
/// The cause is for the log only. Code above the adapters never depends on it.
#[derive(Debug, thiserror::Error)]
#[error("{what} is unavailable")]
pub struct PortFailure {
    what: &'static str,
    kind: Kind,
    #[source]
    cause: Option<Box<dyn Error + Send + Sync>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Broken,
    /// With the estimated time until it accepts work, if known.
    Busy(Option<Duration>),
    Outdated,
    Damaged,
}

impl PortFailure {
    /// A failure of the dependency `what` ("the database"), with its cause.
    pub fn new(what: &'static str, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { what, kind: Kind::Broken, cause: Some(cause.into()) }
    }

    /// The dependency refuses more work at the moment.
    pub fn busy(what: &'static str) -> Self {
        Self { what, kind: Kind::Busy(None), cause: None }
    }

    /// The dependency refuses more work, probably for this time.
    pub fn busy_for(what: &'static str, time: Duration) -> Self {
        Self { what, kind: Kind::Busy(Some(time)), cause: None }
    }

    /// The dependency works, but something that the operation needs was removed at the same moment. Nothing was done. A
    /// retry shows what is missing.
    pub fn outdated(what: &'static str, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { what, kind: Kind::Outdated, cause: Some(cause.into()) }
    }

    /// The stored data of the dependency are damaged, so a retry does not help.
    pub fn damaged(what: &'static str, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { what, kind: Kind::Damaged, cause: Some(cause.into()) }
    }

    /// Whether stored data are damaged.
    pub fn is_damaged(&self) -> bool {
        self.kind == Kind::Damaged
    }

    /// Whether the dependency is overloaded.
    pub fn is_busy(&self) -> bool {
        matches!(self.kind, Kind::Busy(_))
    }

    /// The estimated time until the dependency accepts more work, if known.
    pub fn retry_after(&self) -> Option<Duration> {
        match self.kind {
            Kind::Busy(time) => time,
            Kind::Broken | Kind::Outdated | Kind::Damaged => None,
        }
    }

    /// Whether something that the operation needs was removed.
    pub fn is_outdated(&self) -> bool {
        self.kind == Kind::Outdated
    }
}
