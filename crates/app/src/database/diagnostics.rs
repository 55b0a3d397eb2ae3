use async_trait::async_trait;
use plenum_adapter_http::{DatabaseFacts, Diagnostics, IntegrityCheck, IntegrityIssue, MigrationFacts};
use plenum_adapter_postgres::{self as postgres, PostgresDiagnostics};
use plenum_kernel::{ClientId, PortFailure};

/// Diagnoses of the database, in the types of the HTTP adapter.
pub(crate) struct DatabaseDiagnostics(pub(crate) PostgresDiagnostics);

#[async_trait]
impl Diagnostics for DatabaseDiagnostics {
    async fn database(&self) -> Result<DatabaseFacts, PortFailure> {
        let state = self.0.database().await?;
        Ok(DatabaseFacts {
            server_version: state.server_version,
            latency: state.latency,
            connections: state.connections,
            max_connections: state.max_connections,
        })
    }

    async fn schema_differences(&self) -> Result<Vec<String>, PortFailure> {
        self.0.schema_differences().await
    }

    async fn migrations(&self) -> Result<MigrationFacts, PortFailure> {
        let state = self.0.migrations().await?;
        Ok(MigrationFacts { applied: state.applied as u64, pending: state.pending })
    }

    async fn integrity(&self, owner: Option<ClientId>) -> Result<Vec<IntegrityCheck>, PortFailure> {
        Ok(self.0.integrity(owner).await?.into_iter().map(check).collect())
    }
}

fn check(check: postgres::IntegrityCheck) -> IntegrityCheck {
    let issues = check.issues.into_iter().map(issue).collect();
    IntegrityCheck { name: check.name, found: check.found, issues, failure: check.failure }
}

fn issue(issue: postgres::IntegrityIssue) -> IntegrityIssue {
    IntegrityIssue { table: issue.table, id: issue.id, message: issue.message }
}
