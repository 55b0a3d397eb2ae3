use std::time::Duration;

use async_trait::async_trait;
use plenum_kernel::{ClientId, PortFailure};
use uuid::Uuid;

/// A database that answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseFacts {
    /// The server's version, in its own words.
    pub server_version: String,
    /// How long one statement took, there and back.
    pub latency: Duration,
    /// How many connections there are.
    pub connections: u32,
    /// How many there may be.
    pub max_connections: u32,
}

/// How far a database is migrated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrationFacts {
    /// How many migrations it has taken.
    pub applied: u64,
    /// The names of those that it lacks, in order.
    pub pending: Vec<String>,
}

/// Something stored that contradicts something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegrityIssue {
    /// The table that the row is in.
    pub table: String,
    /// The row's id; where rows have none, that of what they hang on.
    pub id: Uuid,
    /// What is wrong, as a sentence.
    pub message: String,
}

/// What one check of what is stored found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegrityCheck {
    /// Its name, in snake_case.
    pub name: &'static str,
    /// How many issues there are.
    pub found: u64,
    /// The first of them.
    pub issues: Vec<IntegrityIssue>,
    /// Why it could not be carried out, if it could not.
    pub failure: Option<String>,
}

/// Examines the database that the product works on. It changes nothing.
#[async_trait]
pub trait Diagnostics: Send + Sync {
    /// Whether the database answers, and how.
    ///
    /// # Errors
    /// Fails when it does not.
    async fn database(&self) -> Result<DatabaseFacts, PortFailure>;

    /// How the tables differ from those that the product expects, each difference as a sentence.
    ///
    /// # Errors
    /// Fails when the database does not answer.
    async fn schema_differences(&self) -> Result<Vec<String>, PortFailure>;

    /// Which migrations the database has, and which it lacks.
    ///
    /// # Errors
    /// Fails when the database does not answer.
    async fn migrations(&self) -> Result<MigrationFacts, PortFailure>;

    /// What every check finds in the rows of `owner`, or of all clients without one, at one moment. MUST NOT tell an
    /// owner anything about another client's rows, not even how many there are. A check that a damaged database does not
    /// let run MUST be among them, with the reason.
    ///
    /// # Errors
    /// Fails when the database does not answer.
    async fn integrity(&self, owner: Option<ClientId>) -> Result<Vec<IntegrityCheck>, PortFailure>;
}
