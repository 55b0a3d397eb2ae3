//! Secret ballots: sealed envelopes, the urn that collects them, and its key. `share_bus.rs` carries shares of keys between
//! instances. The opening of an urn is part of the count (`results/urn_tally.rs`).

pub(crate) mod envelope;
pub(crate) mod guard;
pub(crate) mod opened_ballot;
pub(crate) mod ports;
pub(crate) mod share_bus;
pub(crate) mod urn;
