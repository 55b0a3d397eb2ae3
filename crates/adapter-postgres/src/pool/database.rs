use std::panic;
use std::sync::Arc;
use std::time::{Duration, Instant};

use diesel::RunQueryDsl;
use diesel::connection::{AnsiTransactionManager, TransactionManager as _};
use diesel::pg::PgConnection;
use diesel::r2d2::{Pool, PooledConnection};
use diesel::result::QueryResult;
use plenum_kernel::{ClientId, Person, PortFailure};
use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::UrlError;
use crate::pool::connection::{Manager, Pooled};
use crate::pool::damage::Damage;
use crate::pool::failure::{Abort, WHAT};
use crate::pool::migrations;
use crate::pool::outage::Outage;
use crate::pool::servers::{Servers, lacks_primary};
use crate::pool::settings::{DbSettings, SessionSettings};
use crate::pool::tenants::{Scoped, Tenant};

/// The interval at which the pool tries to connect while the database is down.
const RETRY: Duration = Duration::from_millis(500);

/// The maximum wait of a limited call (see [`Db::at_most`]) for its turn.
const PATIENCE_ASIDE: Duration = Duration::from_secs(60);

/// The interval at which a call that waits for a connection checks whether the database is down.
const LOOK: Duration = Duration::from_millis(100);

/// A pool of connections, with at most as many threads that wait for it.
///
/// The database counts as down while PostgreSQL refuses connections and none is left. Calls then fail at once, waiting ones
/// included, and the pool tries to connect in the background until it succeeds.
#[derive(Clone)]
pub struct Db {
    pool: Pool<Manager>,
    damage: Damage,
    outage: Outage,
    /// One permit for each connection: a call with a permit finds a connection, and the others wait without a thread.
    turns: Arc<Semaphore>,
    /// The number of calls that wait for a permit, limited ones included.
    waiting: Gauge,
    /// The permits of limited calls. `None` if calls are not limited.
    aside: Option<Arc<Semaphore>>,
    connection_timeout: Duration,
    turn_timeout: Duration,
}

impl Db {
    /// Creates a pool that connects when needed. A database that is down is no error here: calls fail until it is back.
    ///
    /// # Errors
    /// Fails when the address cannot be used.
    pub fn new(settings: &DbSettings) -> Result<Self, UrlError> {
        let servers = Servers::of(&settings.url, &settings.lineage)?;
        let manager = Manager::new(servers, settings.damage.clone());
        let outage = Outage::default();
        let pool = Pool::builder()
            .max_size(settings.pool_size)
            .min_idle(Some(settings.spare_connections))
            // The pool pauses for half of this at most between two attempts. Our own limit ends the wait of a call.
            .connection_timeout(RETRY * 2)
            .error_handler(Box::new(outage.clone()))
            .event_handler(Box::new(outage.clone()))
            // Replaces a connection that died while idle, instead of handing it out.
            .test_on_check_out(true)
            .connection_customizer(Box::new(SessionSettings))
            .build_unchecked(manager);
        let turns = Arc::new(Semaphore::new(settings.pool_size as usize));
        let DbSettings { connection_timeout, turn_timeout, .. } = *settings;
        let waiting = Gauge::default();
        Ok(Self {
            pool,
            damage: settings.damage.clone(),
            outage,
            turns,
            waiting,
            aside: None,
            connection_timeout,
            turn_timeout,
        })
    }

    /// The same database for calls that may arrive in their thousands: at most `number` of them use it at a time, and the
    /// others never queue in front of other calls.
    #[must_use]
    pub fn at_most(&self, number: usize) -> Self {
        Self { aside: Some(Arc::new(Semaphore::new(number))), ..self.clone() }
    }

    /// Checks that the database responds.
    ///
    /// # Errors
    /// Fails when it does not respond.
    pub async fn ping(&self) -> Result<(), PortFailure> {
        self.without_tenant(|conn| diesel::sql_query("SELECT 1").execute(conn)).await?;
        Ok(())
    }

    /// The number of connections, and their maximum.
    pub(crate) fn connections(&self) -> (u32, u32) {
        (self.pool.state().connections, self.pool.max_size())
    }

    /// The damage found in the database's files. It stays until this process restarts, because such files stay unreadable.
    pub fn damage(&self) -> Option<String> {
        self.damage.found()
    }

    /// Whether the database has several servers, and none of them accepts writes now.
    pub fn lacks_primary(&self) -> bool {
        self.outage.refusal().is_some_and(|refusal| lacks_primary(&*refusal))
    }

    /// Whether commits wait for a standby that does not confirm them. PostgreSQL then answers reads, and no write.
    ///
    /// # Errors
    /// Fails when the database does not respond, or lacks its migrations.
    pub async fn waits_for_standby(&self) -> Result<bool, PortFailure> {
        #[derive(diesel::QueryableByName)]
        struct Row {
            #[diesel(sql_type = diesel::sql_types::Bool)]
            is_waiting: bool,
        }
        let row: Row = self
            .without_tenant(|conn| diesel::sql_query("SELECT waits_for_standby() AS is_waiting").get_result(conn))
            .await?;
        Ok(row.is_waiting)
    }

    /// The current load.
    pub fn load(&self) -> DbLoad {
        let state = self.pool.state();
        DbLoad {
            connections: state.connections,
            idle: state.idle_connections,
            at_most: self.pool.max_size(),
            waiting: self.waiting.get(),
            is_reached: self.outage.refusal().is_none() && state.connections > 0,
        }
    }

    /// The migrations of this program that the database lacks, in order.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn pending_migrations(&self) -> Result<Vec<String>, PortFailure> {
        self.without_tenant(migrations::pending_on).await
    }

    /// Access to the rows of this client only.
    pub(crate) const fn of(&self, owner: ClientId) -> Scoped<'_> {
        Scoped::new(self, Tenant::Client(owner))
    }

    /// Access to the rows of this person's client; to all rows for super administrators, who have no client.
    pub(crate) fn of_person(&self, person: Person) -> Scoped<'_> {
        match person {
            Person::SuperAdmin { .. } => self.platform(),
            Person::ClientAdmin { client, .. } | Person::EndUser { client, .. } => self.of(client),
        }
    }

    /// Access to the rows of all clients, for the platform, and for calls that do not know the client yet.
    pub(crate) const fn platform(&self) -> Scoped<'_> {
        Scoped::new(self, Tenant::All)
    }

    /// Runs one statement about the database itself, without access to rows of clients.
    pub(crate) async fn without_tenant<T, F>(&self, work: F) -> Result<T, PortFailure>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> QueryResult<T> + Send + 'static,
    {
        self.with_connection(move |pooled| {
            pooled.forget_tenant().map_err(|error| pooled.failure(error))?;
            work(&mut pooled.conn).map_err(|error| pooled.failure(error))
        })
        .await
    }

    /// Runs one statement on behalf of `tenant`.
    pub(crate) async fn run_as<T, F>(&self, tenant: Tenant, work: F) -> Result<T, PortFailure>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> QueryResult<T> + Send + 'static,
    {
        self.with_connection(move |pooled| {
            pooled.work_for(tenant).map_err(|error| pooled.failure(error))?;
            work(&mut pooled.conn).map_err(|error| pooled.failure(error))
        })
        .await
    }

    /// Runs a transaction. `begin` starts it and names its tenant.
    pub(crate) async fn transact<T, E, F>(&self, begin: String, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<PortFailure> + Send + 'static,
        F: FnOnce(&mut PgConnection) -> Result<T, Abort<E>> + Send + 'static,
    {
        self.with_connection(move |pooled| {
            pooled.bind().map_err(|error| pooled.failure(error))?;
            in_transaction(&mut pooled.conn, &begin, work).map_err(|abort| match abort {
                Abort::Refused(error) => error,
                Abort::Database(error) => pooled.failure(error).into(),
            })
        })
        .await
    }

    async fn with_connection<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<PortFailure> + Send + 'static,
        F: FnOnce(&mut Pooled) -> Result<T, E> + Send + 'static,
    {
        let aside = match &self.aside {
            Some(aside) => Some(self.turn_of(aside, PATIENCE_ASIDE).await?),
            None => None,
        };
        let turn = self.turn_of(&self.turns, self.turn_timeout).await?;
        let db = self.clone();
        // Log lines of the work belong to the request that waits for it.
        let span = tracing::Span::current();
        let outcome = tokio::task::spawn_blocking(move || {
            let _entered = span.enter();
            // The thread releases the permits, not the caller, who may be cancelled while the database still works.
            let _turns = (aside, turn);
            let mut pooled = db.connection()?;
            let outcome = work(&mut pooled);
            pooled.note(outcome.is_ok());
            outcome
        })
        .await;
        match outcome {
            Ok(outcome) => outcome,
            Err(stopped) => match stopped.try_into_panic() {
                Ok(panic) => panic::resume_unwind(panic),
                Err(canceled) => Err(PortFailure::new(WHAT, canceled).into()),
            },
        }
    }

    /// Takes a connection from the pool, or waits for a new one while the database is not down. Blocks.
    fn connection(&self) -> Result<PooledConnection<Manager>, PortFailure> {
        let since = Instant::now();
        loop {
            if let Some(refusal) = self.outage.refusal()
                && self.has_no_connection()
            {
                return Err(PortFailure::new(WHAT, refusal));
            }
            let left = self.connection_timeout.saturating_sub(since.elapsed());
            match self.pool.get_timeout(left.min(LOOK)) {
                Ok(conn) => return Ok(conn),
                Err(error) if left.is_zero() => return Err(PortFailure::new(WHAT, error)),
                Err(_) => {}
            }
        }
    }

    async fn turn_of(&self, turns: &Arc<Semaphore>, patience: Duration) -> Result<OwnedSemaphorePermit, PortFailure> {
        let _wait = Wait::begin(&self.waiting);
        tokio::time::timeout(patience, Arc::clone(turns).acquire_owned())
            .await
            .map_err(|_| PortFailure::busy(WHAT))?
            .map_err(|error| PortFailure::new(WHAT, error))
    }

    /// Dead connections that no call has tried yet count: the next call tries them, and discards them.
    fn has_no_connection(&self) -> bool {
        self.pool.state().connections == 0
    }
}

/// Like [`diesel::Connection::transaction`], with another statement at the beginning. If `work` panics, the transaction
/// stays open and the pool discards the connection.
fn in_transaction<T, E>(
    conn: &mut PgConnection,
    begin: &str,
    work: impl FnOnce(&mut PgConnection) -> Result<T, Abort<E>>,
) -> Result<T, Abort<E>> {
    AnsiTransactionManager::begin_transaction_sql(conn, begin)?;
    match work(conn) {
        Ok(value) => {
            AnsiTransactionManager::commit_transaction(conn)?;
            Ok(value)
        }
        Err(abort) => match AnsiTransactionManager::rollback_transaction(conn) {
            Ok(()) | Err(diesel::result::Error::BrokenTransactionManager) => Err(abort),
            Err(error) => Err(error.into()),
        },
    }
}

/// Counts a waiting call. A call that is dropped while it waits is no longer counted.
struct Wait<'a>(&'a Gauge);

impl<'a> Wait<'a> {
    fn begin(waiting: &'a Gauge) -> Self {
        waiting.inc();
        Self(waiting)
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// The current load of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DbLoad {
    /// The number of connections.
    pub connections: u32,
    /// The number of idle connections.
    pub idle: u32,
    /// The maximum number of connections.
    pub at_most: u32,
    /// The number of calls that wait for a connection.
    pub waiting: i64,
    /// Whether there is a connection and the last attempt to make one succeeded.
    pub is_reached: bool,
}

#[cfg(test)]
mod tests;
