//! All integration tests of the crate, in one binary: it is linked once, and its tests share one PostgreSQL.
// By this clippy sees that helpers are test code, too.
#![cfg(test)]

mod cast_ballot;
mod close_rounds;
mod contract;
mod decisions;
mod declared_results;
mod discard_test_vote;
mod keep_register;
mod run_rounds;
