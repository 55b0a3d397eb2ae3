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
//! 3. Write `src/<folder>/<name>.rs` with `pub struct Postgres<Name> { db: Db }`. Say first whose rows a method needs: those of
//!    `db.of(owner)`, or those of all (`platform`) where nobody's can be named; whatever is left out of a condition after that,
//!    PostgreSQL shows no row of anybody else. One method of the port is one transaction: `run` for one statement,
//!    `snapshot` for a reading of several, `transaction` for everything that writes. A method that asks the domain locks first (`for_update`), then calls the decision, then stores.
//! 4. Row structs are private. What the domain cannot read back is `damaged`, never a panic.
//! 5. Unique violations are matched by the constraint's name (`violated_constraint`) and become variants of the
//!    domain's error; any other failure of the database becomes a `PortFailure`, which `Db` sees to.
//! 6. No statement in a loop: join, `= ANY`, or one insert of many rows.
//! 7. Run the contract suite on it: `tests/<domain>_contract.rs`.

mod audit;
mod backup;
mod clients;
mod diagnostics;
mod identity;
mod live;
mod meetings;
mod pool;
mod rows;
mod schema;
#[cfg(feature = "testkit")]
pub mod testkit;
mod voting;

#[cfg(test)]
#[path = "../tests/unit/left_out_filters.rs"]
mod left_out_filters;
#[cfg(test)]
#[path = "../tests/unit/old_statistics.rs"]
mod old_statistics;

pub use audit::chain::{AuditChains, ChainPage};
pub use audit::trail::PostgresAuditTrail;
pub use backup::{BACKUP_FORMAT, BackupError, BackupSize, back_up, restore};
pub use clients::activity::PostgresActivity;
pub use clients::demonstration::{
    DemonstrationEnding, DemonstrationFindings, DemonstrationNames, DemonstrationPerson, end_demonstration,
    find_demonstration, mark_demonstration,
};
pub use clients::end_users::PostgresEndUsers;
pub use clients::organizations::PostgresClients;
pub use clients::reports::PostgresClientReports;
pub use diagnostics::{DatabaseState, IntegrityCheck, IntegrityIssue, MigrationState, PostgresDiagnostics};
pub use identity::accounts::PostgresAccounts;
pub use identity::passwords::PostgresPasswords;
pub use identity::second_factors::PostgresSecondFactors;
pub use identity::sessions::PostgresSessions;
pub use live::state::PostgresLive;
pub use meetings::invitations::PostgresInvitations;
pub use meetings::participants::PostgresParticipants;
pub use meetings::planning::PostgresMeetings;
pub use meetings::questions::PostgresQuestions;
pub use meetings::records::PostgresMeetingRecords;
pub use meetings::remarks::PostgresRemarks;
pub use meetings::voter_meetings::PostgresVoterMeetings;
pub use pool::database::{Db, DbLoad};
pub use pool::migrations::{MigrationError, check_row_security, migrate, pending, read_all};
pub use pool::origin::on_behalf_of;
pub use pool::settings::DbSettings;
pub use pool::url::{DatabaseUrl, UrlError};
pub use voting::attendance::PostgresAttendance;
pub use voting::ballot_box::{BallotBoxSettings, PostgresBallotBox, StartBallotBoxError};
pub use voting::ballot_metrics::BallotMetrics;
pub use voting::register_changes::PostgresRegisterChanges;
pub use voting::rehearsals::PostgresRehearsals;
pub use voting::results::PostgresResults;
pub use voting::rounds::PostgresRounds;
