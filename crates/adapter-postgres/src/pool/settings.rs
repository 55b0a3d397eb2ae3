//! How connections are made, and what they are set to.

use std::time::Duration;

use diesel::ConnectionError;
use diesel::connection::SimpleConnection;
use diesel::r2d2::CustomizeConnection;

use super::connection::Pooled;
use super::damage::Damage;

/// How to reach the database.
#[derive(Clone)]
pub struct DbSettings {
    /// An address of PostgreSQL, as a URL.
    pub url: String,
    /// How many connections there are at most. Few connections and a short queue beat many connections.
    pub pool_size: u32,
    /// For how long a call waits for a connection that has to be made or repaired, unless that is refused before.
    pub connection_timeout: Duration,
    /// For how long a call waits for its turn when all connections are busy.
    pub turn_timeout: Duration,
    /// What was found damaged, by whichever pool was made of clones of these settings.
    pub(crate) damage: Damage,
}

impl DbSettings {
    /// The usual settings for this address.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            pool_size: 8,
            connection_timeout: Duration::from_secs(3),
            turn_timeout: Duration::from_secs(10),
            damage: Damage::default(),
        }
    }

    /// The same with other connections. What one of the pools finds damaged all of them know.
    #[must_use]
    pub fn with_pool_size(&self, pool_size: u32) -> Self {
        Self { pool_size, ..self.clone() }
    }
}

/// What every connection is set to, those outside the pool too.
pub(crate) const SESSION_SETTINGS: &str = "SET timezone = 'UTC'; SET statement_timeout = '30s'; \
                                           SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '60s'; \
                                           SET plenum.tenant = ''";

/// How statements of the pool are planned. A plan is kept by its connection and outlives the tables that it was made for: one
/// that reads a table of five rows as a whole reads it so for each of twenty thousand rows of another one, an hour later; so do
/// the checks of foreign keys. The statements that people wait for look rows up by their keys, and need nothing else.
/// Older versions take what is off for very costly, and would compile it.
pub(crate) const PLANNER_SETTINGS: &str = "SET enable_seqscan = off; SET jit = off";

#[derive(Debug)]
pub(super) struct SessionSettings;

impl CustomizeConnection<Pooled, diesel::r2d2::Error> for SessionSettings {
    fn on_acquire(&self, pooled: &mut Pooled) -> Result<(), diesel::r2d2::Error> {
        pooled
            .conn
            .batch_execute(&format!("{SESSION_SETTINGS}; {PLANNER_SETTINGS}"))
            .map_err(ConnectionError::CouldntSetupConfiguration)
            .map_err(diesel::r2d2::Error::ConnectionError)
    }
}
