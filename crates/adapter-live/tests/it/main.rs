//! The hub as its watchers see it.
// Marks helpers as test code for clippy.
#![cfg(test)]

mod attendance;
mod changes;
mod check_ins;
mod counters;
mod failures;
mod heartbeats;
mod instances;
mod quorum;
mod results;
mod support;
mod voters;
mod watchers;
