//! All integration tests of the crate, in one binary: it is linked once, and its tests share one PostgreSQL.
// For clippy, so that helpers count as test code too.
#![cfg(test)]

mod exit_code;
mod fake_server;
