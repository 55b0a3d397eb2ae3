//! What the database says about itself: that it answers, that its tables are those of this program, and that what is
//! stored holds together. Everything here only reads.

mod checks;
mod integrity;
mod schema;

use std::sync::Arc;
use std::time::{Duration, Instant};

use diesel::prelude::*;
use diesel::sql_types::Text;
use plenum_kernel::{ClientId, PortFailure};
use tokio::sync::Mutex;

use crate::Db;
use crate::pool::migrations;

pub use integrity::{IntegrityCheck, IntegrityIssue};
#[cfg(feature = "testkit")]
pub(crate) use schema::listing_text;

/// A database that answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseState {
    /// The server's version, in its own words.
    pub server_version: String,
    /// How long one statement took, there and back.
    pub latency: Duration,
    /// How many connections the pool has.
    pub connections: u32,
    /// How many it may have.
    pub max_connections: u32,
}

/// How far a database is migrated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrationState {
    /// How many migrations it has taken.
    pub applied: usize,
    /// The names of those of this program that it lacks, in order.
    pub pending: Vec<String>,
}

/// Examines a database.
#[derive(Clone)]
pub struct PostgresDiagnostics {
    db: Db,
    /// One thorough look at everything at a time: it may take long, and connections are few.
    thorough: Arc<Mutex<()>>,
    /// One at what a client has, which never waits for a look at everything.
    of_a_client: Arc<Mutex<()>>,
}

impl PostgresDiagnostics {
    /// Examines this database.
    pub fn new(db: Db) -> Self {
        Self { db, thorough: Arc::default(), of_a_client: Arc::default() }
    }

    /// Asks for the server's version, and how long the answer takes.
    ///
    /// # Errors
    /// Fails when the database does not answer.
    pub async fn database(&self) -> Result<DatabaseState, PortFailure> {
        #[derive(QueryableByName)]
        struct Version {
            #[diesel(sql_type = Text)]
            version: String,
        }
        let (connections, max_connections) = self.db.connections();
        self.db
            .without_tenant(move |conn| {
                let asked_at = Instant::now();
                let Version { version } =
                    diesel::sql_query("SELECT current_setting('server_version') AS version").get_result(conn)?;
                let latency = asked_at.elapsed();
                Ok(DatabaseState { server_version: version, latency, connections, max_connections })
            })
            .await
    }

    /// How tables, columns, constraints, indexes, triggers and policies differ from what the migrations of this program make, each as
    /// a sentence. Tables of others, and indexes that were added for speed, are no difference.
    ///
    /// # Errors
    /// Fails when the database does not answer.
    pub async fn schema_differences(&self) -> Result<Vec<String>, PortFailure> {
        self.db.without_tenant(schema::differences_on).await
    }

    /// Which migrations the database has, and which it lacks.
    ///
    /// # Errors
    /// Fails when the database does not answer.
    pub async fn migrations(&self) -> Result<MigrationState, PortFailure> {
        self.db
            .without_tenant(|conn| {
                conn.build_transaction().repeatable_read().read_only().run(|conn| {
                    let applied = migrations::applied_on(conn)?.len();
                    Ok(MigrationState { applied, pending: migrations::pending_on(conn)? })
                })
            })
            .await
    }

    /// What every check finds in the rows of `owner`, or of all clients without one, at one moment. Ballots that are
    /// being written meanwhile are there with everything that belongs to them, or not at all. Of votes and registers
    /// only those in the rounds of `owner` are read, so that it takes as long as there are own ones.
    ///
    /// # Errors
    /// Fails when the database does not answer.
    pub async fn integrity(&self, owner: Option<ClientId>) -> Result<Vec<IntegrityCheck>, PortFailure> {
        let turn = if owner.is_some() { &self.of_a_client } else { &self.thorough };
        let _alone = turn.lock().await;
        // Who sees one client alone would not find what points to another one's.
        self.db.platform().snapshot(move |conn| integrity::run_all(conn, owner.map(ClientId::as_uuid))).await
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;

    use super::*;
    use crate::testkit::TestDatabase;

    #[tokio::test]
    async fn a_client_does_not_wait_for_a_look_at_everything() {
        let database = TestDatabase::fresh().await;
        let diagnostics = PostgresDiagnostics::new(database.db());
        let _everything = diagnostics.thorough.lock().await;
        let checks = diagnostics.integrity(Some(ClientId::new(&CountingIds::new())));
        let checks = tokio::time::timeout(Duration::from_secs(60), checks).await.expect("the client waits");
        assert!(checks.unwrap().iter().all(|check| check.found == 0));
    }
}
