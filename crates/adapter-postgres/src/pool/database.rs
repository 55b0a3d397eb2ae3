use std::error::Error;
use std::panic;
use std::sync::Arc;
use std::time::{Duration, Instant};

use diesel::connection::{AnsiTransactionManager, SimpleConnection, TransactionManager as _};
use diesel::pg::PgConnection;
use diesel::r2d2::{CustomizeConnection, Pool, PooledConnection};
use diesel::result::{DatabaseErrorKind, QueryResult};
use diesel::{ConnectionError, RunQueryDsl};
use plenum_kernel::{ClientId, Person, PortFailure};
use plenum_metrics::Level;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::UrlError;
use crate::pool::connection::{Manager, Pooled};
use crate::pool::damage::Damage;
use crate::pool::outage::Outage;
use crate::pool::tenants::{Scoped, Tenant};
use crate::pool::{migrations, url};

/// What failures of this adapter are called.
const WHAT: &str = "the database";

/// While the database is down, connecting is tried again at least this often.
const RETRY: Duration = Duration::from_millis(500);

/// How long a call waits among those of which only a few at a time may use the database.
const PATIENCE_ASIDE: Duration = Duration::from_secs(60);

/// How soon a call that waits for a connection notices that the database is down.
const LOOK: Duration = Duration::from_millis(25);

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

/// The database: a pool of connections, and as many threads at most that wait for it.
///
/// It is down while connecting is refused and no connection is left. Calls fail at once then, also those that wait
/// already, and connecting is tried again in the background until it succeeds.
#[derive(Clone)]
pub struct Db {
    pool: Pool<Manager>,
    damage: Damage,
    outage: Outage,
    /// As many turns as connections, so that whoever has a turn finds a connection, and the others wait without a thread.
    turns: Arc<Semaphore>,
    /// Calls that wait for a turn, those aside too.
    waiting: Arc<Level>,
    /// As many as may have a turn at a time; all, where there is none.
    aside: Option<Arc<Semaphore>>,
    connection_timeout: Duration,
    turn_timeout: Duration,
}

impl Db {
    /// A pool that connects as needed. A database that is down is no error here: calls fail until it is back.
    ///
    /// # Errors
    /// Fails when the address cannot be used.
    pub fn new(settings: &DbSettings) -> Result<Self, UrlError> {
        let manager = Manager::new(url::complete(&settings.url)?, settings.damage.clone());
        let outage = Outage::default();
        let pool = Pool::builder()
            .max_size(settings.pool_size)
            .min_idle(Some(1))
            // The pool pauses for half of this at most between two attempts to connect. How long a call waits is ours.
            .connection_timeout(RETRY * 2)
            .error_handler(Box::new(outage.clone()))
            .event_handler(Box::new(outage.clone()))
            // A connection that died while it lay idle is replaced, not handed out.
            .test_on_check_out(true)
            .connection_customizer(Box::new(SessionSettings))
            .build_unchecked(manager);
        let turns = Arc::new(Semaphore::new(settings.pool_size as usize));
        let DbSettings { connection_timeout, turn_timeout, .. } = *settings;
        let waiting = Arc::new(Level::default());
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

    /// The same database, for calls that may come in their thousands: no more than `number` of them use it at a time, and
    /// before them wait none of the others.
    #[must_use]
    pub fn at_most(&self, number: usize) -> Self {
        Self { aside: Some(Arc::new(Semaphore::new(number))), ..self.clone() }
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// Fails when it does not.
    pub async fn ping(&self) -> Result<(), PortFailure> {
        self.without_tenant(|conn| diesel::sql_query("SELECT 1").execute(conn)).await?;
        Ok(())
    }

    /// How many connections there are, and how many there may be.
    pub(crate) fn connections(&self) -> (u32, u32) {
        (self.pool.state().connections, self.pool.max_size())
    }

    /// What was found damaged in its files, until this process is started again: what cannot be read stays so.
    pub fn damage(&self) -> Option<String> {
        self.damage.found()
    }

    /// How busy it is at this moment.
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

    /// The migrations of this program that the database still lacks, in order.
    ///
    /// # Errors
    /// Fails when the database does not answer.
    pub async fn pending_migrations(&self) -> Result<Vec<String>, PortFailure> {
        self.without_tenant(migrations::pending_on).await
    }

    /// The rows of this client, and nobody else's.
    pub(crate) const fn of(&self, owner: ClientId) -> Scoped<'_> {
        Scoped::new(self, Tenant::Client(owner))
    }

    /// The rows of the client that this person belongs to; all rows for super administrators, who belong to none.
    pub(crate) fn of_person(&self, person: Person) -> Scoped<'_> {
        match person {
            Person::SuperAdmin { .. } => self.platform(),
            Person::ClientAdmin { client, .. } | Person::EndUser { client, .. } => self.of(client),
        }
    }

    /// The rows of all clients, for what concerns the platform, and where it is not known yet whom something concerns.
    pub(crate) const fn platform(&self) -> Scoped<'_> {
        Scoped::new(self, Tenant::All)
    }

    /// Runs one statement about the database itself, which sees no row of anybody.
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

    /// Runs a transaction that `begin` begins, and that says whose rows it is about.
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
        // What is said meanwhile belongs to the request that waits for it.
        let span = tracing::Span::current();
        let outcome = tokio::task::spawn_blocking(move || {
            let _entered = span.enter();
            // Given back by the thread, not by the caller, who may go away while the database still works.
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

    /// Takes a connection out of the pool, or waits until one is made, for as long as the database is not down. Blocks.
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

    /// Dead ones that nobody has tried yet do not count as none: the next call tries them, and throws them away.
    fn has_no_connection(&self) -> bool {
        self.pool.state().connections == 0
    }
}

/// As [`diesel::Connection::transaction`], but begun otherwise. Where `work` panics the transaction stays open, and the pool
/// throws the connection away.
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

/// Counts a call among those that wait. Also one that is dropped while it waits leaves again.
struct Wait<'a>(&'a Level);

impl<'a> Wait<'a> {
    fn begin(level: &'a Level) -> Self {
        level.up();
        Self(level)
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        self.0.down();
    }
}

/// How busy the database's connections are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DbLoad {
    /// How many connections there are.
    pub connections: u32,
    /// How many of them nobody uses.
    pub idle: u32,
    /// How many there may be.
    pub at_most: u32,
    /// How many calls wait for one.
    pub waiting: u64,
    /// Whether there is a connection and the last attempt to make one succeeded.
    pub is_reached: bool,
}

/// Why a transaction is rolled back.
#[derive(Debug)]
pub(crate) enum Abort<E> {
    /// The domain said no.
    Refused(E),
    /// The database failed.
    Database(diesel::result::Error),
}

impl<E> From<diesel::result::Error> for Abort<E> {
    fn from(error: diesel::result::Error) -> Self {
        Self::Database(error)
    }
}

/// The name of the unique constraint or index that a statement would have violated.
pub(crate) fn violated_constraint(error: &diesel::result::Error) -> Option<&str> {
    match error {
        diesel::result::Error::DatabaseError(DatabaseErrorKind::UniqueViolation, information) => {
            information.constraint_name()
        }
        _ => None,
    }
}

impl Pooled {
    fn failure(&self, error: diesel::result::Error) -> PortFailure {
        if self.damage.is_told_by(&error) { PortFailure::damaged(WHAT, error) } else { failure(error) }
    }
}

/// What went wrong, as callers are told: a row that refers to another one came too late if that one was just removed.
fn failure(error: diesel::result::Error) -> PortFailure {
    match error {
        diesel::result::Error::DatabaseError(DatabaseErrorKind::ForeignKeyViolation, _) => {
            PortFailure::outdated(WHAT, error)
        }
        _ => PortFailure::new(WHAT, error),
    }
}

/// A stored value that the domain cannot read.
pub(crate) fn damaged(what: impl Into<Box<dyn Error + Send + Sync>>) -> diesel::result::Error {
    diesel::result::Error::DeserializationError(what.into())
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
struct SessionSettings;

impl CustomizeConnection<Pooled, diesel::r2d2::Error> for SessionSettings {
    fn on_acquire(&self, pooled: &mut Pooled) -> Result<(), diesel::r2d2::Error> {
        pooled
            .conn
            .batch_execute(&format!("{SESSION_SETTINGS}; {PLANNER_SETTINGS}"))
            .map_err(ConnectionError::CouldntSetupConfiguration)
            .map_err(diesel::r2d2::Error::ConnectionError)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use diesel::QueryableByName;
    use diesel::r2d2::HandleError as _;
    use diesel::sql_types::Text;

    use super::*;
    use crate::testkit::{StoppableServer, TestDatabase};

    fn db(database: &TestDatabase, change: impl FnOnce(&mut DbSettings)) -> Db {
        let mut settings = DbSettings::new(database.url());
        change(&mut settings);
        Db::new(&settings).unwrap()
    }

    /// Occupies a connection until the sender is dropped.
    fn occupy(db: &Db) -> (mpsc::Sender<()>, mpsc::Receiver<()>, tokio::task::JoinHandle<Result<(), PortFailure>>) {
        let (release, released) = mpsc::channel::<()>();
        let (begin, begun) = mpsc::channel();
        let db = db.clone();
        let running = tokio::spawn(async move {
            db.without_tenant(move |_| {
                let _ = begin.send(());
                let _ = released.recv();
                Ok(())
            })
            .await
        });
        (release, begun, running)
    }

    const PATIENCE: Duration = Duration::from_secs(30);
    /// Who waits for it has waited too long.
    const AGES: Duration = Duration::from_secs(120);

    /// Settings with which nobody gives up waiting.
    fn patient(settings: &mut DbSettings) {
        settings.connection_timeout = AGES;
        settings.turn_timeout = AGES;
    }

    /// Asks `db` so often that most must wait for a turn, and gives the failures once all have been answered.
    async fn fail_for_all(db: &Db) -> Vec<PortFailure> {
        let callers: Vec<_> =
            (0..20).map(|_| db.clone()).map(|db| tokio::spawn(async move { db.ping().await })).collect();
        let mut failures = Vec::new();
        for caller in callers {
            let answer = tokio::time::timeout(PATIENCE, caller).await.expect("a caller waits");
            failures.push(answer.unwrap().unwrap_err());
        }
        failures
    }

    async fn until(what: &str, holds: impl Fn() -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !holds() {
            assert!(Instant::now() < deadline, "in vain: {what}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    fn refused() -> diesel::r2d2::Error {
        diesel::r2d2::Error::ConnectionError(ConnectionError::BadConnection("refused".to_owned()))
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_database_that_is_down_fails_at_once_for_all_and_not_at_the_start() {
        let mut settings = DbSettings::new("postgresql://plenum@%2Fnowhere%2Fat-all/plenum");
        settings.pool_size = 2;
        patient(&mut settings);
        let db = Db::new(&settings).unwrap();
        for failure in fail_for_all(&db).await {
            assert_eq!(failure.to_string(), "the database is unavailable");
            assert!(failure.source().is_some(), "the log can say why");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_database_that_was_stopped_fails_at_once_and_is_connected_to_again_although_nobody_asks() {
        let mut server = tokio::task::spawn_blocking(StoppableServer::start).await.unwrap();
        let mut settings = DbSettings::new(server.url());
        settings.pool_size = 3;
        patient(&mut settings);
        let db = Db::new(&settings).unwrap();
        for _ in 0..2 {
            until("there is a connection", || !db.has_no_connection()).await;
            db.ping().await.unwrap();
            let (release, begun, running) = occupy(&db);
            begun.recv().unwrap();

            tokio::task::block_in_place(|| server.stop());
            // Connections that nobody has tried since are dead, and the one in use is not given back yet.
            let caller = tokio::spawn({
                let db = db.clone();
                async move { db.ping().await }
            });
            drop(release);
            running.await.unwrap().unwrap();
            tokio::time::timeout(PATIENCE, caller).await.expect("the caller waits").unwrap().unwrap_err();
            fail_for_all(&db).await;
            assert!(db.has_no_connection());

            tokio::task::block_in_place(|| server.start_again());
        }
        until("there is a connection", || !db.has_no_connection()).await;
        db.ping().await.unwrap();
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_busy_pool_is_not_taken_for_down_because_it_cannot_grow() {
        let database = TestDatabase::without_tables().await;
        let db = db(&database, |settings| {
            settings.pool_size = 1;
            patient(settings);
        });
        let (release, begun, running) = occupy(&db);
        begun.recv().unwrap();
        db.outage.handle_error(refused());
        let waiting = tokio::spawn({
            let db = db.clone();
            async move { db.ping().await }
        });
        db.outage.handle_error(refused());
        drop(release);
        running.await.unwrap().unwrap();
        tokio::time::timeout(PATIENCE, waiting).await.expect("the caller waits").unwrap().unwrap();
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_slow_first_connection_is_waited_for_until_it_is_refused() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut settings = DbSettings::new(format!("postgresql://plenum@{address}/plenum?connect_timeout=0"));
        settings.pool_size = 1;
        patient(&mut settings);
        let db = Db::new(&settings).unwrap();
        let waiting = tokio::spawn(async move { db.ping().await });
        // Accepted, and not answered.
        let (conn, listener) =
            tokio::task::spawn_blocking(move || (listener.accept().unwrap().0, listener)).await.unwrap();
        assert!(!waiting.is_finished());
        drop((conn, listener));
        tokio::time::timeout(PATIENCE, waiting).await.expect("the caller waits").unwrap().unwrap_err();
    }

    #[tokio::test]
    async fn a_connection_that_died_is_replaced() {
        let database = TestDatabase::without_tables().await;
        let db = db(&database, |settings| settings.pool_size = 2);
        for _ in 0..3 {
            db.ping().await.unwrap();
            let ended_itself = db.without_tenant(|conn| {
                diesel::sql_query("SELECT pg_terminate_backend(pg_backend_pid())").execute(conn)
            });
            assert!(ended_itself.await.is_err());
        }
        db.ping().await.unwrap();
    }

    #[tokio::test]
    async fn connections_that_others_ended_cost_no_call() {
        let database = TestDatabase::without_tables().await;
        let db = db(&database, |settings| settings.pool_size = 3);
        let calls: Vec<_> =
            (0..12).map(|_| db.clone()).map(|db| tokio::spawn(async move { db.ping().await })).collect();
        for call in calls {
            call.await.unwrap().unwrap();
        }
        // Those of this test: others have theirs on the same server.
        const END_ALL: &str = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity \
                               WHERE application_name = current_schema() AND pid <> pg_backend_pid()";
        diesel::sql_query(END_ALL).execute(&mut database.connection()).unwrap();
        for _ in 0..12 {
            db.ping().await.unwrap();
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn who_waits_too_long_for_a_turn_is_told_so() {
        let database = TestDatabase::without_tables().await;
        let db = db(&database, |settings| {
            settings.pool_size = 1;
            settings.turn_timeout = Duration::from_millis(50);
        });
        let (release, begun, running) = occupy(&db);
        begun.recv().unwrap();
        let failure = db.ping().await.unwrap_err();
        assert!(failure.source().is_none(), "busy, not broken: {failure:?}");
        drop(release);
        running.await.unwrap().unwrap();
        db.ping().await.unwrap();
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_caller_who_goes_away_keeps_the_turn_until_the_database_is_done() {
        let database = TestDatabase::without_tables().await;
        let db = db(&database, |settings| {
            settings.pool_size = 1;
            settings.turn_timeout = Duration::from_millis(50);
        });
        let (release, begun, running) = occupy(&db);
        begun.recv().unwrap();
        running.abort();
        assert!(running.await.unwrap_err().is_cancelled());
        assert!(db.ping().await.is_err());
        drop(release);
        // The thread gives the turn back in its own time.
        let deadline = Instant::now() + Duration::from_secs(10);
        while let Err(failure) = db.ping().await {
            assert!(Instant::now() < deadline, "{failure:?}");
        }
    }

    #[tokio::test]
    async fn a_panic_reaches_the_caller_and_frees_the_connection() {
        let database = TestDatabase::without_tables().await;
        let db = db(&database, |settings| settings.pool_size = 1);
        let panicking = db.clone();
        let outcome =
            tokio::spawn(async move { panicking.without_tenant::<(), _>(|_| panic!("on purpose")).await }).await;
        assert!(outcome.unwrap_err().is_panic());
        db.ping().await.unwrap();
    }

    #[tokio::test]
    async fn every_connection_speaks_utc_and_gives_up_in_time() {
        #[derive(Debug, PartialEq, QueryableByName)]
        struct Settings {
            #[diesel(sql_type = Text)]
            timezone: String,
            #[diesel(sql_type = Text)]
            statement_timeout: String,
            #[diesel(sql_type = Text)]
            lock_timeout: String,
        }
        let database = TestDatabase::without_tables().await;
        let settings: Settings = database
            .db()
            .without_tenant(|conn| {
                diesel::sql_query(
                    "SELECT current_setting('timezone') AS timezone, current_setting('statement_timeout') \
                     AS statement_timeout, current_setting('lock_timeout') AS lock_timeout",
                )
                .get_result(conn)
            })
            .await
            .unwrap();
        let expected = Settings { timezone: "UTC".into(), statement_timeout: "30s".into(), lock_timeout: "10s".into() };
        assert_eq!(settings, expected);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn those_of_whom_a_few_may_come_leave_turns_to_the_others() {
        let database = TestDatabase::fresh().await;
        let db = db(&database, |settings| {
            settings.pool_size = 3;
            patient(settings);
        });
        let door = db.at_most(2);
        let (release, begun, first) = occupy(&door);
        begun.recv_timeout(PATIENCE).unwrap();
        let (release_second, begun, second) = occupy(&door);
        begun.recv_timeout(PATIENCE).unwrap();
        let waiting = tokio::spawn({
            let door = door.clone();
            async move { door.ping().await }
        });
        tokio::time::timeout(PATIENCE, db.ping()).await.expect("the third turn is free").unwrap();
        assert!(!waiting.is_finished());
        drop((release, release_second));
        first.await.unwrap().unwrap();
        second.await.unwrap().unwrap();
        waiting.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_refused_transaction_leaves_nothing_and_a_snapshot_cannot_write() {
        let database = TestDatabase::fresh().await;
        let db = database.db();
        const INSERT: &str = "INSERT INTO clients VALUES
            ('00000000-0000-0000-0000-000000000001', 'C', 'c', 'c@example.org', 'ACTIVE', 'BASIC', now())";
        let count = |db: Db| async move {
            db.platform()
                .run(|conn| {
                    use diesel::QueryDsl;
                    crate::schema::clients::table.count().get_result::<i64>(conn)
                })
                .await
                .unwrap()
        };
        let refused: Result<(), PortFailure> = db
            .platform()
            .transaction(|conn| {
                diesel::sql_query(INSERT).execute(conn)?;
                Err(Abort::Refused(PortFailure::busy("a rule")))
            })
            .await;
        assert_eq!(refused.unwrap_err().to_string(), "a rule is unavailable");
        assert_eq!(count(db.clone()).await, 0);
        assert!(db.platform().snapshot(|conn| diesel::sql_query(INSERT).execute(conn)).await.is_err());
        db.platform().run(|conn| diesel::sql_query(INSERT).execute(conn)).await.unwrap();
        assert_eq!(count(db).await, 1);
    }
}
