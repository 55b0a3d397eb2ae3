//! All integration tests of the crate, in one binary: it is linked once, and its tests share one PostgreSQL.
// By this clippy sees that helpers are test code, too.
#![cfg(test)]

mod exit_code;
