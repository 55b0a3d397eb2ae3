use async_trait::async_trait;
use plenum_adapter_http::{NotReady, Readiness};
use plenum_adapter_postgres::Db;

/// Ready when the database answers and has all migrations.
pub(crate) struct DatabaseReadiness(pub(crate) Db);

#[async_trait]
impl Readiness for DatabaseReadiness {
    async fn check(&self) -> Result<(), NotReady> {
        let pending =
            self.0.pending_migrations().await.map_err(|_| NotReady("The database does not answer.".to_owned()))?;
        if !pending.is_empty() {
            return Err(NotReady(format!("The database lacks migrations: {}.", pending.join(", "))));
        }
        Ok(())
    }
}
