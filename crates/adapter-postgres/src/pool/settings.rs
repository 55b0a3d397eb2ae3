//! Settings of pools and connections.

use std::time::Duration;

use diesel::ConnectionError;
use diesel::connection::SimpleConnection;
use diesel::r2d2::CustomizeConnection;

use super::connection::Pooled;
use super::damage::Damage;
use super::servers::Lineage;

/// The address of the database, and the settings of its connection pool.
#[derive(Clone)]
pub struct DbSettings {
    /// The address of PostgreSQL, as a URL. It may name several servers, of which one accepts writes.
    pub url: String,
    /// The maximum number of connections. Few connections and a short queue are faster than many connections.
    pub pool_size: u32,
    /// The number of idle connections that the pool keeps open in addition to those in use, so that the next call need
    /// not connect.
    pub spare_connections: u32,
    /// The maximum time that a call waits for a new connection. It fails earlier if PostgreSQL refuses the connection.
    pub connection_timeout: Duration,
    /// The maximum time that a call waits while all connections are busy.
    pub turn_timeout: Duration,
    /// The damage that was found. Pools made from clones of these settings share it.
    pub(crate) damage: Damage,
    /// Which server of the address was the primary last. Pools made from clones of these settings share it.
    pub(crate) lineage: Lineage,
}

impl DbSettings {
    /// The default settings for this address.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            pool_size: 8,
            spare_connections: 1,
            connection_timeout: Duration::from_secs(3),
            turn_timeout: Duration::from_secs(10),
            damage: Damage::default(),
            lineage: Lineage::default(),
        }
    }

    /// These settings with another number of connections. The pools share their detection of damage.
    #[must_use]
    pub fn with_pool_size(&self, pool_size: u32) -> Self {
        Self { pool_size, ..self.clone() }
    }
}

/// The settings of every connection, pooled or not.
pub(crate) const SESSION_SETTINGS: &str = "SET timezone = 'UTC'; SET statement_timeout = '30s'; \
                                           SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '60s'; \
                                           SET plenum.tenant = ''";

/// The planner settings of pooled connections. A connection keeps a plan longer than the statistics it was made for: a
/// sequential scan chosen for five rows would run for each of twenty thousand rows an hour later, in checks of foreign
/// keys too. Statements that people wait for find rows by key and need no sequential scan.
/// Older versions rate a disabled scan as very expensive and would start the JIT compiler for it.
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
