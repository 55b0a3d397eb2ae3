//! All integration tests of the crate, in one binary, so that they are linked once.
// For clippy, so that helpers count as test code too.
#![cfg(test)]

mod cast_ballot;
mod close_rounds;
mod contract;
mod decisions;
mod declare;
mod discard_test_vote;
mod elections;
mod exclude_and_admit;
mod grant_proxies;
mod prepare_registers;
mod run_rounds;
mod sealing_keys;
