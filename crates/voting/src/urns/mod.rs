//! Secret ballots: sealed envelopes, the urn that collects them and is opened once, and its key. `share_bus.rs` carries shares
//! of keys between instances.

pub(crate) mod envelope;
pub(crate) mod guard;
pub(crate) mod keep_keys;
pub(crate) mod opened_ballot;
pub(crate) mod ports;
pub(crate) mod share_bus;
pub(crate) mod urn;
pub(crate) mod urn_tally;
