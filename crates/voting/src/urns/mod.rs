//! Secret ballots: sealed envelopes, the urn that collects them, and its key. `share_bus.rs` carries shares of keys between
//! instances.

pub(crate) mod ports;
pub(crate) mod share_bus;
