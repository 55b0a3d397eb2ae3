//! A database for each test.

use std::sync::atomic::{AtomicU64, Ordering};

use diesel::Connection;
use diesel::RunQueryDsl as _;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
/// A server that a test stops and starts again; the databases below are on another one.
pub use plenum_embedded_postgres::testkit::StoppableServer;
use plenum_embedded_postgres::testkit::TestServer;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{Db, DbSettings, diagnostics, migrations, url};

/// How many tests may have a database at once, so that their pools together fit the server.
static ROOM: Semaphore = Semaphore::const_new(24);

/// A schema of its own on the server that all tests of this process share. Tests can commit, race and run in parallel;
/// the schema is dropped with this value.
pub struct TestDatabase {
    schema: String,
    server_url: String,
    url: String,
    db: Db,
    has_owner: bool,
    _room: SemaphorePermit<'static>,
}

impl TestDatabase {
    /// An empty database with every migration applied.
    ///
    /// # Panics
    /// Panics when the server cannot be started or refuses.
    pub async fn fresh() -> Self {
        let database = Self::without_tables().await;
        migrations::migrate(&database.url).await.expect("the migrations run on an empty schema");
        database
    }

    /// A database without any table.
    ///
    /// # Panics
    /// Panics when the server cannot be started or refuses.
    pub async fn without_tables() -> Self {
        Self::made(false).await
    }

    /// As [`TestDatabase::fresh`], of a role that is no superuser, as on a managed server. It has the name of the schema.
    ///
    /// # Panics
    /// Panics when the server cannot be started or refuses.
    pub async fn of_an_ordinary_owner() -> Self {
        let database = Self::made(true).await;
        migrations::migrate(&database.url).await.expect("the migrations run as an ordinary owner");
        database
    }

    async fn made(has_owner: bool) -> Self {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        let room = ROOM.acquire().await.expect("the semaphore is never closed");
        let schema = format!("test_{}_{}", std::process::id(), NUMBERS.fetch_add(1, Ordering::Relaxed));
        let made = schema.clone();
        let server_url = tokio::task::spawn_blocking(move || {
            let server_url = TestServer::shared().url().to_owned();
            let mut conn = PgConnection::establish(&server_url).expect("the test server accepts connections");
            conn.batch_execute(&format!(
                "SET client_min_messages = 'warning'; DROP SCHEMA IF EXISTS {made} CASCADE; CREATE SCHEMA {made}"
            ))
            .expect("the test server allows new schemas");
            if has_owner {
                conn.batch_execute(&format!(
                    "DROP ROLE IF EXISTS {made}; CREATE ROLE {made}; ALTER SCHEMA {made} OWNER TO {made}"
                ))
                .expect("the test server allows new roles");
            }
            server_url
        })
        .await
        .expect("no panic");
        let mut url = server_url.clone();
        let role = if has_owner { format!("%20-crole%3D{schema}") } else { String::new() };
        url::add(&mut url, "options", &format!("-csearch_path%3D{schema}{role}"));
        let db = Db::new(&DbSettings::new(url.clone())).expect("the test server's address can be used");
        Self { schema, server_url, url, db, has_owner, _room: room }
    }

    /// The pool of this database.
    pub fn db(&self) -> Db {
        self.db.clone()
    }

    /// The address of this database, its schema included.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A connection past the pool, for tests of the schema itself.
    ///
    /// # Panics
    /// Panics when the server refuses.
    pub fn connection(&self) -> PgConnection {
        PgConnection::establish(&self.url).expect("the test server accepts connections")
    }

    /// The schema as the diagnosis of the schema lists it.
    ///
    /// # Panics
    /// Panics when the server refuses.
    pub fn schema_listing(&self) -> String {
        diagnostics::listing_text(&mut self.connection()).expect("the test server lists its tables")
    }

    /// Brings the schema up to date.
    ///
    /// # Panics
    /// Panics when a migration fails.
    pub async fn migrate(&self) -> Vec<String> {
        migrations::migrate(&self.url).await.expect("the migrations run")
    }

    /// Takes every migration back.
    ///
    /// # Panics
    /// Panics when a `down.sql` fails.
    pub async fn revert_all_migrations(&self) {
        migrations::revert_all(&self.url).await.expect("the migrations can be taken back");
    }
}

/// Makes every idle connection of a pool with one connection tell its statistics of tables and indexes, which it otherwise does
/// once a second.
///
/// # Panics
/// Panics when the server refuses.
pub async fn tell_statistics(db: &Db) {
    let told = db.without_tenant(|conn| diesel::sql_query("SELECT pg_stat_force_next_flush()").execute(conn)).await;
    told.expect("the test server has statistics");
}

/// Lets every connection of a pool sleep, longer than a call waits for one, until they are woken.
///
/// # Panics
/// Panics when the server refuses.
pub async fn put_to_sleep(db: &Db) -> Sleepers {
    #[derive(diesel::QueryableByName)]
    struct Backend {
        #[diesel(sql_type = diesel::sql_types::Integer)]
        pid: i32,
    }
    let (tell, told) = std::sync::mpsc::channel();
    let fall_asleep = |_| {
        let tell = tell.clone();
        let db = db.clone();
        tokio::spawn(async move {
            db.without_tenant(move |conn| {
                let backend: Backend = diesel::sql_query("SELECT pg_backend_pid() AS pid").get_result(conn)?;
                // Who waits for it has gone where this fails.
                let _ = tell.send(backend.pid);
                diesel::sql_query("SELECT pg_sleep(25)").execute(conn)
            })
            .await
        })
    };
    let number = db.load().at_most;
    let calls: Vec<_> = (0..number).map(fall_asleep).collect();
    let pids = tokio::task::spawn_blocking(move || told.iter().take(number as usize).collect());
    Sleepers { calls, pids: pids.await.expect("no panic") }
}

/// Connections that sleep.
pub struct Sleepers {
    calls: Vec<tokio::task::JoinHandle<Result<usize, plenum_kernel::PortFailure>>>,
    pids: Vec<i32>,
}

impl Sleepers {
    /// Whether none of them has woken.
    pub fn all_sleep(&self) -> bool {
        self.calls.iter().all(|call| !call.is_finished())
    }

    /// Wakes them.
    ///
    /// # Panics
    /// Panics when the server refuses.
    pub async fn wake(self, database: &TestDatabase) {
        let mut conn = database.connection();
        for pid in self.pids {
            conn.batch_execute(&format!("SELECT pg_cancel_backend({pid})")).expect("the test server cancels");
        }
        for call in self.calls {
            let _ = call.await;
        }
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        // Statements that outlived their test are not waited for long; the server goes with the process anyway.
        if let Ok(mut conn) = PgConnection::establish(&self.server_url) {
            let _ = conn.batch_execute(&format!(
                "SET client_min_messages = 'error'; SET lock_timeout = '5s'; DROP SCHEMA {} CASCADE",
                self.schema
            ));
            if self.has_owner {
                let _ = conn.batch_execute(&format!("DROP ROLE {}", self.schema));
            }
        }
    }
}
