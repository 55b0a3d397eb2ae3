//! Checks of the database: it responds, its tables are those of this program, and its data is consistent. Only reads.

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

/// A database that responds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseState {
    /// The version that the server reports.
    pub server_version: String,
    /// The round-trip time of one statement.
    pub latency: Duration,
    /// The number of connections of the pool.
    pub connections: u32,
    /// Their maximum.
    pub max_connections: u32,
}

/// The migrations of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrationState {
    /// The number of applied migrations.
    pub applied: usize,
    /// The names of missing migrations of this program, in order.
    pub pending: Vec<String>,
}

/// Checks of a database.
#[derive(Clone)]
pub struct PostgresDiagnostics {
    db: Db,
    /// One check of all clients at a time: it may take long, and connections are few.
    thorough: Arc<Mutex<()>>,
    /// One check of a single client at a time, which never waits for a check of all.
    of_a_client: Arc<Mutex<()>>,
}

impl PostgresDiagnostics {
    /// The checks of this database.
    pub fn new(db: Db) -> Self {
        Self { db, thorough: Arc::default(), of_a_client: Arc::default() }
    }

    /// Reads the server's version, and measures the round trip.
    ///
    /// # Errors
    /// Fails when the database does not respond.
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

    /// Differences of tables, columns, constraints, indexes, triggers and policies from the migrations of this program, each as
    /// a sentence. Tables of other programs, and indexes added for speed, are no difference.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn schema_differences(&self) -> Result<Vec<String>, PortFailure> {
        self.db.without_tenant(schema::differences_on).await
    }

    /// The applied and missing migrations.
    ///
    /// # Errors
    /// Fails when the database does not respond.
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

    /// The findings of all checks in the rows of `owner`, or of all clients, in one snapshot. A ballot that is being written is
    /// in it with all its rows, or not at all. Of votes and registers only those in rounds of `owner` are read, so that the
    /// time depends on the client's own data.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn integrity(&self, owner: Option<ClientId>) -> Result<Vec<IntegrityCheck>, PortFailure> {
        let turn = if owner.is_some() { &self.of_a_client } else { &self.thorough };
        let _alone = turn.lock().await;
        // A check that sees one client only would not find references to another one.
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
