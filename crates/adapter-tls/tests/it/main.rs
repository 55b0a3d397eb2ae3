//! All integration tests of the crate, in one binary.
// By this clippy sees that helpers are test code, too.
#![cfg(test)]

mod files;
