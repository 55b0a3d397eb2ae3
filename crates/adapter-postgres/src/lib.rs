//! Every store of Plenum on PostgreSQL.
//!
//! This is the only crate with diesel. It owns the connection pool ([`Db`]) and the migrations ([`migrate`]), and has
//! one struct for each store that a domain crate asks for, each in a file of its own.
//!
//! # How to add a store
//!
//! 1. The port is in the domain crate (`ports.rs`), and its contract suite in that crate's `testkit/contract`.
//! 2. Write the tables as a migration: `migrations/<date>-<number>_<name>/{up,down}.sql`. Every table with a
//!    `client_id` has a foreign key and an index that start with it, every table has a policy of row level security
//!    (`SELECT keep_apart('<table>', …)`, see migration 17), and every constraint is named
//!    `<table>_<columns>_key`, `_fkey`, `_check`, `_idx` or `_pkey`; `tests/schema_rules.rs` holds that. Then
//!    `PLENUM_BLESS=1 cargo test -p plenum-adapter-postgres --test it schema_file` writes `schema.rs` and the schema that
//!    databases are compared with (`diagnostics/expected_schema.txt`).
//! 3. Write `src/<name>.rs` with `pub struct Postgres<Name> { db: Db }`. Say first whose rows a method needs: those of
//!    `db.of(owner)`, or those of all (`platform`) where nobody's can be named; whatever is left out of a condition after that,
//!    PostgreSQL shows no row of anybody else. One method of the port is one transaction: `run` for one statement,
//!    `snapshot` for a reading of several, `transaction` for everything that writes. A method that asks the domain locks first (`for_update`), then calls the decision, then stores.
//! 4. Row structs are private. What the domain cannot read back is `damaged`, never a panic.
//! 5. Unique violations are matched by the constraint's name (`violated_constraint`) and become variants of the
//!    domain's error; any other failure of the database becomes a `PortFailure`, which `Db` sees to.
//! 6. No statement in a loop: join, `= ANY`, or one insert of many rows.
//! 7. Run the contract suite on it: `tests/<domain>_contract.rs`.

mod accounts;
mod activity;
mod attendance;
mod audit;
mod audit_chain;
mod audit_rows;
mod backup;
mod ballot_batch;
mod ballot_box;
mod ballot_figures;
mod client_reports;
mod clients;
mod condition;
mod connection_health;
mod damage;
mod db;
mod demonstration;
mod diagnostics;
mod eligible;
mod end_user_import;
mod end_users;
mod invitations;
mod invited;
#[cfg(test)]
mod left_out_filters;
mod live;
mod live_quorum;
mod meeting_records;
mod meeting_rows;
mod meetings;
mod migrations;
#[cfg(test)]
mod old_statistics;
mod opening_quorum;
mod origin;
mod outage;
mod own_sessions;
mod participants;
mod passwords;
mod pooled;
mod questions;
mod register;
mod register_changes;
mod rehearsals;
mod remarks;
mod results;
mod round_log;
mod round_rows;
mod rounds;
mod rows;
mod schema;
mod second_factors;
mod sessions;
mod statistics;
mod steps;
mod tenants;
mod terms;
mod test_data;
#[cfg(feature = "testkit")]
pub mod testkit;
mod url;
mod voter_meetings;

pub use accounts::PostgresAccounts;
pub use activity::PostgresActivity;
pub use attendance::PostgresAttendance;
pub use audit::PostgresAuditTrail;
pub use audit_chain::{AuditChains, ChainPage};
pub use backup::{BACKUP_FORMAT, BackupError, BackupSize, back_up, restore};
pub use ballot_box::{BallotBoxSettings, PostgresBallotBox, StartBallotBoxError};
pub use ballot_figures::BallotFigures;
pub use client_reports::PostgresClientReports;
pub use clients::PostgresClients;
pub use db::{Db, DbLoad, DbSettings};
pub use demonstration::{
    DemonstrationEnding, DemonstrationFindings, DemonstrationNames, DemonstrationPerson, end_demonstration,
    find_demonstration, mark_demonstration,
};
pub use diagnostics::{DatabaseState, IntegrityCheck, IntegrityIssue, MigrationState, PostgresDiagnostics};
pub use end_users::PostgresEndUsers;
pub use invitations::PostgresInvitations;
pub use live::PostgresLive;
pub use meeting_records::PostgresMeetingRecords;
pub use meetings::PostgresMeetings;
pub use migrations::{MigrationError, check_row_security, migrate, pending, read_all};
pub use origin::on_behalf_of;
pub use participants::PostgresParticipants;
pub use passwords::PostgresPasswords;
pub use questions::PostgresQuestions;
pub use register_changes::PostgresRegisterChanges;
pub use rehearsals::PostgresRehearsals;
pub use remarks::PostgresRemarks;
pub use results::PostgresResults;
pub use rounds::PostgresRounds;
pub use second_factors::PostgresSecondFactors;
pub use sessions::PostgresSessions;
pub use url::{DatabaseUrl, UrlError};
pub use voter_meetings::PostgresVoterMeetings;
