use std::future::Future;
use std::pin::Pin;

use plenum_kernel::Origin;

/// A future that stays on its thread.
pub type LocalWork<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// Passes the origin of a request to the stores. The audit log records it with each change.
pub trait Attribution: Send + Sync {
    /// Runs the work with this origin. Tasks that the work spawns MUST NOT have the origin.
    fn attribute<'a>(&'a self, origin: Origin, work: LocalWork<'a>) -> LocalWork<'a>;
}
