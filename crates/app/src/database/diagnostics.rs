use std::sync::Arc;

use async_trait::async_trait;
use plenum_adapter_http::{DatabaseFacts, Diagnostics, IntegrityCheck, IntegrityIssue, MigrationFacts};
use plenum_adapter_postgres::{self as postgres, PostgresDiagnostics};
use plenum_kernel::{ClientId, PortFailure};
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use crate::{EvidenceCheck, EvidenceFinding, EvidenceFindings, whole_chain};

/// The maximum number of issues that a check lists. All are counted.
const MAX_ISSUES: usize = 100;

/// Diagnoses of the database, in the types of the HTTP adapter.
pub(crate) struct DatabaseDiagnostics {
    pub(crate) database: PostgresDiagnostics,
    pub(crate) evidence: Arc<EvidenceCheck>,
}

#[async_trait]
impl Diagnostics for DatabaseDiagnostics {
    async fn database(&self) -> Result<DatabaseFacts, PortFailure> {
        let state = self.database.database().await?;
        Ok(DatabaseFacts {
            server_version: state.server_version,
            latency: state.latency,
            connections: state.connections,
            max_connections: state.max_connections,
        })
    }

    async fn schema_differences(&self) -> Result<Vec<String>, PortFailure> {
        self.database.schema_differences().await
    }

    async fn migrations(&self) -> Result<MigrationFacts, PortFailure> {
        let state = self.database.migrations().await?;
        Ok(MigrationFacts { applied: state.applied as u64, pending: state.pending })
    }

    async fn integrity(&self, owner: Option<ClientId>) -> Result<Vec<IntegrityCheck>, PortFailure> {
        let mut checks: Vec<IntegrityCheck> = self.database.integrity(owner).await?.into_iter().map(check).collect();
        let (evidence, runtime) = (Arc::clone(&self.evidence), Handle::current());
        // Beside the threads that serve requests: a count of ten thousand ballots takes a while.
        let found = spawn_blocking(move || runtime.block_on(evidence.findings(owner))).await;
        let found = found.map_err(|panic| PortFailure::new("the check of the records", panic))?;
        checks.extend(checks_of(found));
        Ok(checks)
    }
}

/// The check of records and that of the audit log, which a damaged database may make fail.
fn checks_of(found: Result<EvidenceFindings, PortFailure>) -> [IntegrityCheck; 2] {
    let (found, failure) = match found {
        Ok(found) => (found, None),
        Err(failure) => (EvidenceFindings::default(), Some(whole_chain(&failure))),
    };
    let check = |name, findings: Vec<EvidenceFinding>| IntegrityCheck {
        name,
        found: findings.len() as u64,
        issues: findings.into_iter().take(MAX_ISSUES).map(issue_of).collect(),
        failure: failure.clone(),
    };
    [check("declared_results", found.records), check("audit_log", found.audit_log)]
}

fn issue_of(EvidenceFinding { table, id, text }: EvidenceFinding) -> IntegrityIssue {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    let message = first.into_iter().chain(letters).chain(['.']).collect();
    IntegrityIssue { table: table.to_owned(), id, message }
}

fn check(check: postgres::IntegrityCheck) -> IntegrityCheck {
    let issues = check.issues.into_iter().map(issue).collect();
    IntegrityCheck { name: check.name, found: check.found, issues, failure: check.failure }
}

fn issue(issue: postgres::IntegrityIssue) -> IntegrityIssue {
    IntegrityIssue { table: issue.table, id: issue.id, message: issue.message }
}
