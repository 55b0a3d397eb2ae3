//! All integration tests of the crate, in one binary, so that they are linked once.
// Tells clippy that helpers are test code, too.
#![cfg(test)]

mod bus;
