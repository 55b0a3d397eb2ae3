use std::error::Error;

/// A dependency (database, hashing threads, bus) could not do its part.
///
/// Opaque on purpose: nobody above the adapters decides by the cause. The cause is kept for the log.
#[derive(Debug, thiserror::Error)]
#[error("{what} is unavailable")]
pub struct PortFailure {
    what: &'static str,
    #[source]
    cause: Option<Box<dyn Error + Send + Sync>>,
}

impl PortFailure {
    /// A failure of the dependency called `what` ("the database"), caused by `cause`.
    pub fn new(what: &'static str, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { what, cause: Some(cause.into()) }
    }

    /// A dependency that refuses more work at the moment.
    pub fn busy(what: &'static str) -> Self {
        Self { what, cause: None }
    }

    /// Whether the dependency works, and only has too much to do.
    pub fn is_busy(&self) -> bool {
        self.cause.is_none()
    }
}
