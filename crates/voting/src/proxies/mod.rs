//! Proxies: a holder casts the vote of a principal.

pub(crate) mod grant_and_revoke;
pub(crate) mod limits;
pub(crate) mod ports;
pub(crate) mod proxy;
