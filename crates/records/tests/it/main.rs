//! All integration tests of the crate, in one binary, so that they are linked once.
// By this clippy sees that helpers are test code, too.
#![cfg(test)]

mod recorded_results;
