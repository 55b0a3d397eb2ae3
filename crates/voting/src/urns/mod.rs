//! Secret ballots: sealed envelopes, the urn that collects them, and its key.

pub(crate) mod ports;
