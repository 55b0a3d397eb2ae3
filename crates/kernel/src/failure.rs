use std::error::Error;
use std::time::Duration;

/// A dependency (database, hashing threads, bus) could not do its part.
///
/// Opaque on purpose: code above the adapters never decides by the cause. The log has the cause.
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
    /// Perhaps known for how long.
    Busy(Option<Duration>),
    Outdated,
    Damaged,
}

impl PortFailure {
    /// A failure of the dependency called `what` ("the database"), caused by `cause`.
    pub fn new(what: &'static str, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { what, kind: Kind::Broken, cause: Some(cause.into()) }
    }

    /// A dependency that refuses more work at the moment.
    pub fn busy(what: &'static str) -> Self {
        Self { what, kind: Kind::Busy(None), cause: None }
    }

    /// A dependency that refuses more work, and will probably take some again after this time.
    pub fn busy_for(what: &'static str, time: Duration) -> Self {
        Self { what, kind: Kind::Busy(Some(time)), cause: None }
    }

    /// A dependency that works, and could not do what was asked because something that it builds on was removed in the
    /// same moment. Nothing was done; asking again finds out what is gone.
    pub fn outdated(what: &'static str, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { what, kind: Kind::Outdated, cause: Some(cause.into()) }
    }

    /// A dependency whose stored data are damaged, so that asking again is of no use.
    pub fn damaged(what: &'static str, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { what, kind: Kind::Damaged, cause: Some(cause.into()) }
    }

    /// Whether stored data are damaged.
    pub fn is_damaged(&self) -> bool {
        self.kind == Kind::Damaged
    }

    /// Whether the dependency works, and only has too much to do.
    pub fn is_busy(&self) -> bool {
        matches!(self.kind, Kind::Busy(_))
    }

    /// When the dependency will probably take more work, if it said so.
    pub fn retry_after(&self) -> Option<Duration> {
        match self.kind {
            Kind::Busy(time) => time,
            Kind::Broken | Kind::Outdated | Kind::Damaged => None,
        }
    }

    /// Whether the dependency works, and something that was built on is gone.
    pub fn is_outdated(&self) -> bool {
        self.kind == Kind::Outdated
    }
}
