use std::sync::Arc;

use async_trait::async_trait;
use plenum_adapter_http::{DatabaseFacts, Diagnostics, IntegrityCheck, IntegrityIssue, MigrationFacts};
use plenum_adapter_postgres::{self as postgres, PostgresDiagnostics};
use plenum_kernel::{ClientId, PortFailure, capitalized};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::{EvidenceCheck, EvidenceFinding, EvidenceFindings, whole_chain};

/// The maximum number of issues that a check lists. All are counted.
const MAX_ISSUES: usize = 100;

/// Diagnoses of the database, in the types of the HTTP adapter.
pub(crate) struct DatabaseDiagnostics {
    database: PostgresDiagnostics,
    evidence: Arc<EvidenceCheck>,
    /// One check of the evidence at a time.
    turn: Arc<Semaphore>,
}

impl DatabaseDiagnostics {
    pub(crate) fn new(database: PostgresDiagnostics, evidence: Arc<EvidenceCheck>) -> Self {
        Self { database, evidence, turn: Arc::new(Semaphore::new(1)) }
    }
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
        let evidence = Arc::clone(&self.evidence);
        let found = run_in_turn(&self.turn, async move { evidence.findings(owner).await }).await?;
        checks.extend(checks_of(found));
        Ok(checks)
    }
}

/// Runs a long check outside the threads that serve requests: a count of ten thousand ballots takes a while. Waiting
/// checks take no thread, because the running one needs further threads for its queries.
async fn run_in_turn<T: Send + 'static>(
    turn: &Arc<Semaphore>,
    check: impl Future<Output = T> + Send + 'static,
) -> Result<T, PortFailure> {
    const WHAT: &str = "the check of the records";
    let turn = Arc::clone(turn).acquire_owned().await.map_err(|closed| PortFailure::new(WHAT, closed))?;
    let runtime = Handle::current();
    let found = spawn_blocking(move || {
        // The thread releases it, not the caller, who may have disconnected.
        let _turn = turn;
        runtime.block_on(check)
    });
    found.await.map_err(|panic| PortFailure::new(WHAT, panic))
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
    IntegrityIssue { table: table.to_owned(), id, message: format!("{}.", capitalized(&text)) }
}

fn check(check: postgres::IntegrityCheck) -> IntegrityCheck {
    let issues = check.issues.into_iter().map(issue).collect();
    IntegrityCheck { name: check.name, found: check.found, issues, failure: check.failure }
}

fn issue(issue: postgres::IntegrityIssue) -> IntegrityIssue {
    IntegrityIssue { table: issue.table, id: issue.id, message: issue.message }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::future::join_all;
    use tokio::runtime::Builder;
    use tokio::time::timeout;

    use super::*;

    #[test]
    fn waiting_checks_leave_threads_to_the_running_one() {
        let runtime = Builder::new_current_thread().enable_time().max_blocking_threads(2).build().unwrap();
        let turn = Arc::new(Semaphore::new(1));
        // As the store does for each query.
        let check = || run_in_turn(&turn, async { spawn_blocking(|| 1).await.unwrap() });
        let all = async { timeout(Duration::from_secs(30), join_all((0..8).map(|_| check()))).await };
        let found = runtime.block_on(all);
        // A thread that waits forever would keep the runtime.
        runtime.shutdown_background();
        let found: Result<Vec<i32>, PortFailure> = found.expect("no check waits forever").into_iter().collect();
        assert_eq!(found.unwrap(), [1; 8]);
    }
}
