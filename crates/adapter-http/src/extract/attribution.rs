use std::future::Future;
use std::pin::Pin;

use plenum_kernel::Origin;

/// Work on the thread that asks for it.
pub type LocalWork<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// Lets the stores know on whose behalf a request is carried out, however deep below the handler they are asked: the audit
/// log tells it of each change.
pub trait Attribution: Send + Sync {
    /// Does the work on behalf of this origin. What the work spawns MUST NOT have the origin.
    fn attribute<'a>(&'a self, origin: Origin, work: LocalWork<'a>) -> LocalWork<'a>;
}
