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
        let pending = self.database.pending_migrations().await.map_err(|_| self.no_answer())?;
        if let Some(damage) = self.database.damage() {
            return Err(NotReady(format!("The files of the database are damaged ({damage}). Restore a backup.")));
        }
        if !pending.is_empty() {
            return Err(NotReady(format!("The database lacks migrations: {}.", pending.join(", "))));
        }
        if self.database.waits_for_standby().await.map_err(|_| self.no_answer())? {
            return Err(NotReady("The database waits for a standby to confirm its commits.".to_owned()));
        }
        Ok(())
    }

    fn receives_from_other_instances(&self) -> Option<bool> {
        self.nats.as_ref().map(|nats| nats.is_connected())
    }
}

impl ProductReadiness {
    fn no_answer(&self) -> NotReady {
        let reason = if self.database.lacks_primary() {
            "No server of the database accepts writes. Plenum waits until one of them is the primary."
        } else {
            "The database does not answer."
        };
        NotReady(reason.to_owned())
    }
}
