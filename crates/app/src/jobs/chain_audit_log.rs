use std::error::Error;
use std::time::Duration;

use plenum_adapter_postgres::AuditChains;
use tokio::time::sleep;

/// The time between two checks for entries without a link.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Links new entries of the audit log to their chains, until it is dropped. Several instances may do so at the same time.
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
                // Logged once for each outage of the database, not twice a second.
                if !is_failing {
                    tracing::warn!(error = &failure as &dyn Error, "could not chain the audit log");
                }
                is_failing = true;
            }
        }
        sleep(POLL_INTERVAL).await;
    }
}
