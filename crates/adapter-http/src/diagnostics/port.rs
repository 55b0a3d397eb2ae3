use std::time::Duration;

use async_trait::async_trait;
use plenum_kernel::{ClientId, PortFailure};
use uuid::Uuid;

/// The state of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseFacts {
    /// The server's version, as it reports it.
    pub server_version: String,
    /// The round-trip time of one statement.
    pub latency: Duration,
    /// The number of connections.
    pub connections: u32,
    /// The limit of connections.
    pub max_connections: u32,
}

/// The state of the migrations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrationFacts {
    /// The number of applied migrations.
    pub applied: u64,
    /// The names of missing migrations, in order.
    pub pending: Vec<String>,
}

/// A contradiction in stored data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegrityIssue {
    /// The table of the row.
    pub table: String,
    /// The id of the row or, for rows without an id, of the row that they belong to.
    pub id: Uuid,
    /// The contradiction as a sentence.
    pub message: String,
}

/// The result of one check of stored data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegrityCheck {
    /// The name of the check, in snake_case.
    pub name: &'static str,
    /// The number of issues.
    pub found: u64,
    /// The first issues.
    pub issues: Vec<IntegrityIssue>,
    /// The reason if the check failed to run.
    pub failure: Option<String>,
}

/// Examines the database of the product. Changes nothing.
#[async_trait]
pub trait Diagnostics: Send + Sync {
    /// The state of the database.
    ///
    /// # Errors
    /// The database does not respond.
    async fn database(&self) -> Result<DatabaseFacts, PortFailure>;

    /// The differences between the tables and those that the product expects, each as a sentence.
    ///
    /// # Errors
    /// The database does not respond.
    async fn schema_differences(&self) -> Result<Vec<String>, PortFailure>;

    /// The applied and the missing migrations.
    ///
    /// # Errors
    /// The database does not respond.
    async fn migrations(&self) -> Result<MigrationFacts, PortFailure>;

    /// The results of all checks on the rows of `owner`, or of all clients without one, at one moment. MUST NOT reveal
    /// anything about another client's rows to an owner, not even their number. A check that fails to run on a damaged
    /// database MUST be included, with the reason.
    ///
    /// # Errors
    /// The database does not respond.
    async fn integrity(&self, owner: Option<ClientId>) -> Result<Vec<IntegrityCheck>, PortFailure>;
}
