//! All integration tests of the crate, in one binary, which is linked once and whose tests share one PostgreSQL.
// So clippy treats helpers as test code.
#![cfg(test)]

mod http;
mod process;
mod workspace;
