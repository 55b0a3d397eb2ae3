//! The hub, as its watchers see it.
// By this clippy sees that helpers are test code, too.
#![cfg(test)]

mod attendance;
mod changes;
mod counters;
mod failures;
mod heartbeats;
mod instances;
mod quorum;
mod results;
mod support;
mod voters;
mod watchers;
