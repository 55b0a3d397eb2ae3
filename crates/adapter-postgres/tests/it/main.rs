//! All integration tests of the crate, in one binary: it is linked once, and its tests share one PostgreSQL.
// For clippy, so that helpers count as test code too.
#![cfg(test)]

mod audit;
mod backup;
mod clients_contract;
mod clients_races;
mod damage;
mod diagnostics;
mod groups;
mod inactive_clients;
mod instances;
mod kept_counts;
mod meetings_contract;
mod migrations;
mod plans;
mod platform_callers;
mod schema_constraints;
mod schema_file;
mod schema_rules;
mod voting_contract;
