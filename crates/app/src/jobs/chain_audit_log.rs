use std::error::Error;
use std::time::Duration;

use plenum_adapter_postgres::AuditChains;
use tokio::time::sleep;

/// How often it is looked whether there are entries to be linked.
const LOOK: Duration = Duration::from_millis(500);

/// Links the entries of the audit log to their chains soon after they were written, until it is dropped. Instances may do it
/// at the same time.
pub async fn chain_audit_log(chains: AuditChains) {
    let mut is_failing = false;
    loop {
        match chains.link().await {
            Ok(there_may_be_more) => {
                is_failing = false;
                if there_may_be_more {
                    continue;
                }
            }
            Err(failure) => {
                // Once, not twice a second while the database is away.
                if !is_failing {
                    tracing::warn!(error = &failure as &dyn Error, "could not chain the audit log");
                }
                is_failing = true;
            }
        }
        sleep(LOOK).await;
    }
}
