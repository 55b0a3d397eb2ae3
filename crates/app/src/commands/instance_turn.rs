//! The wait of a start for an instance that excludes it (decision 118).

use std::time::Duration;

use plenum_adapter_postgres::{DbSettings, InstanceLock, LockAttempt, ServingInstance, Sharing};
use tokio::time::{Instant, sleep};

use super::CommandError;
use crate::server::StopSignals;
use crate::{Config, whole_chain};

/// The time for which a start waits, besides the time for which a stopping instance still serves: that instance finishes its
/// requests and messages, and PostgreSQL takes 20 seconds to notice that a machine is gone.
const PATIENCE: Duration = Duration::from_secs(30);

/// The time between two attempts.
const RETRY: Duration = Duration::from_millis(250);

/// What a start asks for before it changes the database.
pub(super) struct InstanceTurn<'a> {
    connection: &'a DbSettings,
    sharing: Sharing,
    patience: Duration,
}

impl<'a> InstanceTurn<'a> {
    pub(super) fn new(config: &Config, connection: &'a DbSettings) -> Self {
        let sharing = if config.nats.is_some() { Sharing::WithOthers } else { Sharing::Alone };
        Self { connection, sharing, patience: config.drain + PATIENCE }
    }

    /// Waits until no instance excludes this one. Returns `None` if a signal arrives first.
    ///
    /// # Errors
    /// Names the other instances after a while, and what to do.
    pub(super) async fn wait(&self, signals: &mut StopSignals) -> Result<Option<InstanceLock>, CommandError> {
        tokio::select! {
            lock = self.lock() => lock.map(Some),
            _ = signals.wait() => Ok(None),
        }
    }

    async fn lock(&self) -> Result<InstanceLock, CommandError> {
        let deadline = Instant::now() + self.patience;
        let (mut has_waited, mut has_warned) = (false, false);
        loop {
            let others = match InstanceLock::take(self.connection, self.sharing).await {
                Ok(LockAttempt::Taken(lock)) => return Ok(lock),
                Ok(LockAttempt::Excluded(others)) => others,
                // The database may restart, or have no connection left, while the predecessor ends.
                Err(_) if has_waited && Instant::now() < deadline => {
                    sleep(RETRY).await;
                    continue;
                }
                Err(error) => {
                    let chain = whole_chain(&error);
                    return Err(format!("the database cannot be used: {chain}. `plenum doctor` checks it.").into());
                }
            };
            has_waited = true;
            if Instant::now() >= deadline {
                return Err(self.refusal(&others).into());
            }
            if !has_warned && !others.is_empty() {
                has_warned = true;
                tracing::warn!(
                    others = listed(&others),
                    seconds = self.patience.as_secs(),
                    "another instance serves this database; waiting for its end"
                );
            }
            sleep(RETRY).await;
        }
    }

    fn refusal(&self, others: &[ServingInstance]) -> String {
        let remedy = match self.sharing {
            Sharing::Alone => {
                "this one has no PLENUM_NATS_URL. Stop the other one; or set the same PLENUM_NATS_URL for all instances, and \
                 restart them"
            }
            Sharing::WithOthers => {
                "that one has no PLENUM_NATS_URL. Stop it, or set the same PLENUM_NATS_URL there, and restart it"
            }
        };
        format!(
            "another instance serves this database ({}), and {remedy}. Instances that exchange no messages do not have each \
             other's keys of secret votes, so such votes would become void. This start has waited for {} seconds.",
            listed(others),
            self.patience.as_secs()
        )
    }
}

/// The instances in a sentence.
fn listed(others: &[ServingInstance]) -> String {
    others.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
