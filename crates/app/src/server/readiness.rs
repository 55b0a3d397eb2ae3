use std::sync::Arc;

use async_trait::async_trait;
use plenum_adapter_http::{NotReady, Readiness, Stopping};
use plenum_adapter_nats::NatsBus;
use plenum_adapter_postgres::Db;

/// Ready if the database responds and has all migrations, until the stop begins. Voting continues without NATS, so its state
/// is only reported.
pub(crate) struct ProductReadiness {
    pub(crate) database: Db,
    pub(crate) nats: Option<Arc<NatsBus>>,
    pub(crate) stopping: Arc<Stopping>,
}

#[async_trait]
impl Readiness for ProductReadiness {
    async fn check(&self) -> Result<(), NotReady> {
        if self.stopping.has_begun() {
            return Err(NotReady("The server is stopping.".to_owned()));
        }
        let pending = self
            .database
            .pending_migrations()
            .await
            .map_err(|_| NotReady("The database does not answer.".to_owned()))?;
        if let Some(damage) = self.database.damage() {
            return Err(NotReady(format!("The files of the database are damaged ({damage}). Restore a backup.")));
        }
        if !pending.is_empty() {
            return Err(NotReady(format!("The database lacks migrations: {}.", pending.join(", "))));
        }
        Ok(())
    }

    fn receives_from_other_instances(&self) -> Option<bool> {
        self.nats.as_ref().map(|nats| nats.is_connected())
    }
}
