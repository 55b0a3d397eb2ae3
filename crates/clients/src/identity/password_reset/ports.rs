use crate::ResetRequest;

/// Carries out the wishes of those who have forgotten their passwords, later.
pub trait ResetRequests: Send + Sync {
    /// Takes a wish; says no when too many wait. MUST NOT wait for anything, nor look whether there is such an account:
    /// whoever asks must not learn that by the time it takes.
    fn put(&self, wish: ResetRequest) -> bool;
}
