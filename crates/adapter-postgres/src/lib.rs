//! The stores of Plenum on PostgreSQL.
//!
//! The crate owns the connection pool ([`Db`]) and the migrations ([`migrate`]), and implements each store of the domain
//! crates by one struct in a file of its own. No other crate uses diesel. Folders have the names of the subjects:
//! `identity`, `clients`, `meetings`, `check_in`, `voting`, `live` and `audit`. `pool` makes connections, `rows` has shared columns and
//! conditions, `backup` copies a database, and `diagnostics` checks one.
//!
//! # How to add a store
//!
//! 1. The port is in the domain crate (`ports.rs`), and its contract suite in that crate's `testkit/contract`.
//! 2. Write a migration for the tables: `migrations/<date>-<number>_<name>/{up,down}.sql`. Every table with a `client_id` has
//!    a foreign key and an index that start with it. Every table has a policy of row level security
//!    (`SELECT keep_apart('<table>', …)`, see migration 17). Every constraint is named `<table>_<columns>_key`, `_fkey`,
//!    `_check`, `_idx` or `_pkey`. `tests/it/schema_rules.rs` checks these rules. Then
//!    `PLENUM_BLESS=1 cargo test -p plenum-adapter-postgres --test it schema_file` writes `schema.rs` and the schema that
//!    databases are compared with (`diagnostics/expected_schema.txt`).
//! 3. Write `src/<folder>/<name>.rs` with `pub struct Postgres<Name> { db: Db }`. Each method first states whose rows it needs:
//!    `db.of(owner)`, or all (`platform`) if no client can be named. PostgreSQL then hides all other rows, even if a condition
//!    is missing. One method of the port is one transaction: `run` for one statement, `snapshot` for several reads,
//!    `transaction` for all writes. A method that asks the domain locks first (`for_update`), then calls the decision, then
//!    stores.
//! 4. Row structs are private. A value that the domain cannot read is `damaged`, never a panic.
//! 5. Match unique violations by the constraint's name (`violated_constraint`), and turn them into variants of the domain's
//!    error. `Db` turns all other failures of the database into a `PortFailure`.
//! 6. No statement in a loop: join, use `= ANY`, or insert many rows at once.
//! 7. Run the contract suite on it: `tests/it/<domain>_contract.rs`.

mod audit;
mod backup;
mod check_in;
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
pub use audit::meeting::PostgresMeetingAudit;
pub use audit::trail::PostgresAuditTrail;
pub use backup::{BACKUP_FORMAT, BackupError, BackupSize, back_up, restore};
pub use check_in::check_ins::PostgresCheckIns;
pub use check_in::desks::PostgresDesks;
pub use clients::activity::PostgresActivity;
pub use clients::branding::PostgresBranding;
pub use clients::demonstration::{
    DemonstrationEnding, DemonstrationFindings, DemonstrationNames, DemonstrationPerson, end_demonstration,
    find_demonstration, mark_demonstration,
};
pub use clients::end_users::PostgresEndUsers;
pub use clients::groups::PostgresGroups;
pub use clients::organizations::PostgresClients;
pub use clients::reports::PostgresClientReports;
pub use clients::weight_kinds::PostgresWeightKinds;
pub use diagnostics::{DatabaseState, IntegrityCheck, IntegrityIssue, MigrationState, PostgresDiagnostics};
pub use identity::accounts::PostgresAccounts;
pub use identity::join_links::PostgresJoinLinks;
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
pub use pool::instances::{InstanceLock, LockAttempt, ServingInstance, Sharing, serving_instances};
pub use pool::migrations::{MigrationError, check_row_security, migrate, pending, read_all};
pub use pool::origin::on_behalf_of;
pub use pool::requirements::DatabaseFitness;
pub use pool::settings::DbSettings;
pub use pool::url::{DatabaseUrl, UrlError};
pub use voting::archives::PostgresArchives;
pub use voting::attendance::PostgresAttendance;
pub use voting::ballot_box::{BallotBoxSettings, PostgresBallotBox, StartBallotBoxError};
pub use voting::ballot_metrics::BallotMetrics;
pub use voting::curations::PostgresCurations;
pub use voting::installation_keys::{ExpectedFingerprints, ExpectedKey};
pub use voting::paper_votes::PostgresPaperVotes;
pub use voting::prepared_registers::PostgresPreparedRegisters;
pub use voting::proxies::PostgresProxies;
pub use voting::purge_clock::known_times;
pub use voting::purges::{PostgresPurgeDocuments, PostgresPurges};
pub use voting::records::PostgresRecords;
pub use voting::register_changes::PostgresRegisterChanges;
pub use voting::rehearsals::PostgresRehearsals;
pub use voting::results::PostgresResults;
pub use voting::rounds::PostgresRounds;
pub use voting::timestamps::PostgresTimestamps;
pub use voting::urns::PostgresUrns;
