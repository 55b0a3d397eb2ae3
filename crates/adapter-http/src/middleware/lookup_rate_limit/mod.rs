//! A rate limit on failed lookups that need no session, and on codes that a voter types.

mod counted;
mod failures;
mod limit;
mod valid_values;

pub(crate) use counted::LookupKind;
pub(crate) use limit::{Lookup, LookupRateLimit};
