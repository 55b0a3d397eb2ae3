//! All integration tests of the crate, in one binary, so that they are linked once.
// For clippy, so that helpers count as test code too.
#![cfg(test)]

mod changes_during_reads;
mod recorded_results;
