//! `/test`: self-tests of an installation, and `/votes`: removal of data of these tests.
//!
//! For everyone with an account. Super administrators see the data of all clients, and administrators of a client see
//! their own.

mod auth;
mod cors;
mod data_integrity;
mod database;
mod discard_vote;
mod expired_token;
mod memory;
mod migrations;
mod port;
mod schema;

pub(crate) use cors::ServedAt;
pub use memory::{MemoryFacts, ProcessMemory};
pub use port::{DatabaseFacts, Diagnostics, IntegrityCheck, IntegrityIssue, MigrationFacts};

use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(database::test_database)
        .service(schema::test_schema)
        .service(migrations::test_migrations)
        .service(data_integrity::test_data_integrity)
        .service(auth::test_auth)
        .service(expired_token::test_expired_token)
        .service(cors::test_cors)
        .service(memory::test_memory)
        .service(discard_vote::discard_vote);
}

/// "1 migration", "2 migrations".
fn counted(number: u64, one: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        more => format!("{more} {one}s"),
    }
}
