//! A database for each test.

mod place;

use diesel::Connection;
use diesel::RunQueryDsl as _;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use place::{Kind, Place};
/// A server that a test stops and starts; the databases below are on another one.
pub use plenum_embedded_postgres::testkit::StoppableServer;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::pool::migrations;
use crate::{Db, DbSettings, diagnostics};

/// The maximum number of tests with a database at once, so that their pools fit the server.
static ROOM: Semaphore = Semaphore::const_new(24);

/// A schema on the server that all tests of this process share. Tests can commit, race and run in parallel. After a test
/// its migrated schema is emptied for a later one, because migrating takes longer than most tests.
pub struct TestDatabase {
    url: String,
    db: Db,
    // Dropped after the pool, so that a later test seldom finds connections of this one.
    _place: Place,
    _room: SemaphorePermit<'static>,
}

impl TestDatabase {
    /// An empty database with every migration applied.
    ///
    /// # Panics
    /// Panics when the server cannot be started or refuses.
    pub async fn fresh() -> Self {
        let room = room().await;
        let place = match blocking(Place::used).await {
            Some(place) => place,
            None => {
                let place = migrated(blocking(|| Place::schema(Kind::Schema)).await).await;
                blocking(move || place.kept()).await
            }
        };
        Self::at(place, room)
    }

    /// Like [`TestDatabase::fresh`], in a PostgreSQL database of its own: other tests neither keep its dead rows nor change its
    /// statistics.
    ///
    /// # Panics
    /// Panics when the server cannot be started or refuses.
    pub async fn undisturbed() -> Self {
        let room = room().await;
        Self::at(migrated(blocking(Place::database).await).await, room)
    }

    /// A database without any table.
    ///
    /// # Panics
    /// Panics when the server cannot be started or refuses.
    pub async fn without_tables() -> Self {
        let room = room().await;
        Self::at(blocking(|| Place::schema(Kind::Schema)).await, room)
    }

    /// Like [`TestDatabase::fresh`], with a role that is not a superuser, as on a managed server. It has the name of the schema.
    ///
    /// # Panics
    /// Panics when the server cannot be started or refuses.
    pub async fn of_an_ordinary_owner() -> Self {
        let room = room().await;
        Self::at(migrated(blocking(|| Place::schema(Kind::Owned)).await).await, room)
    }

    fn at(place: Place, room: SemaphorePermit<'static>) -> Self {
        let url = place.url();
        let db = Db::new(&settings(&url)).expect("the test server's address can be used");
        Self { url, db, _place: place, _room: room }
    }

    /// The pool of this database.
    pub fn db(&self) -> Db {
        self.db.clone()
    }

    /// Settings of further pools of this database.
    pub fn settings(&self) -> DbSettings {
        settings(&self.url)
    }

    /// The address of this database, its schema included.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A connection outside of the pool, for tests of the schema itself.
    ///
    /// # Panics
    /// Panics when the server refuses.
    pub fn connection(&self) -> PgConnection {
        PgConnection::establish(&self.url).expect("the test server accepts connections")
    }

    /// The schema as the check of the schema lists it.
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

    /// Reverts all migrations.
    ///
    /// # Panics
    /// Panics when a `down.sql` fails.
    pub async fn revert_all_migrations(&self) {
        migrations::revert_all(&self.url).await.expect("the migrations can be taken back");
    }
}

/// Connects only when a call needs a connection: a test makes few calls, and a connection costs as much as many of them.
fn settings(url: &str) -> DbSettings {
    DbSettings { spare_connections: 0, ..DbSettings::new(url) }
}

/// Makes every idle connection of a pool with one connection report its statistics of tables and indexes, which it otherwise
/// does once a second.
///
/// # Panics
/// Panics when the server refuses.
pub async fn flush_statistics(db: &Db) {
    let flushed = db.without_tenant(|conn| diesel::sql_query("SELECT pg_stat_force_next_flush()").execute(conn)).await;
    flushed.expect("the test server has statistics");
}

/// The number of prepared statements that look for the open round by the constant of its index. The pool MUST have one
/// connection.
///
/// # Panics
/// Panics when the server refuses.
#[cfg(test)]
pub(crate) async fn prepared_for_open_rounds(db: &Db) -> i64 {
    #[derive(diesel::QueryableByName)]
    struct Count {
        #[diesel(sql_type = diesel::sql_types::BigInt)]
        count: i64,
    }
    const PREPARED: &str =
        "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%rounds.status = ''OPEN''%'";
    let count = db.without_tenant(|conn| diesel::sql_query(PREPARED).get_result::<Count>(conn)).await;
    count.expect("the test server lists them").count
}

/// The file of a table, relative to the server's data, for [`StoppableServer::damage`]. Blocks.
///
/// # Panics
/// Panics when the server refuses, or has no such table.
pub fn file_of(url: &str, table: &str) -> String {
    #[derive(diesel::QueryableByName)]
    struct File {
        #[diesel(sql_type = diesel::sql_types::Text)]
        path: String,
    }
    let mut conn = PgConnection::establish(url).expect("the test server accepts connections");
    let query = diesel::sql_query("SELECT pg_relation_filepath($1::regclass) AS path");
    let file: File = query.bind::<diesel::sql_types::Text, _>(table).get_result(&mut conn).expect("there is the table");
    file.path
}

/// Makes every connection of a pool sleep until woken, longer than a call waits for one.
///
/// # Panics
/// Panics when the server refuses.
pub async fn put_to_sleep(db: &Db) -> Sleepers {
    #[derive(diesel::QueryableByName)]
    struct Backend {
        #[diesel(sql_type = diesel::sql_types::Integer)]
        pid: i32,
    }
    let (sender, receiver) = std::sync::mpsc::channel();
    let fall_asleep = |_| {
        let sender = sender.clone();
        let db = db.clone();
        tokio::spawn(async move {
            db.without_tenant(move |conn| {
                let backend: Backend = diesel::sql_query("SELECT pg_backend_pid() AS pid").get_result(conn)?;
                // The test has ended if this fails.
                let _ = sender.send(backend.pid);
                diesel::sql_query("SELECT pg_sleep(25)").execute(conn)
            })
            .await
        })
    };
    let number = db.load().at_most;
    let calls: Vec<_> = (0..number).map(fall_asleep).collect();
    let pids = tokio::task::spawn_blocking(move || receiver.iter().take(number as usize).collect());
    Sleepers { calls, pids: pids.await.expect("no panic") }
}

/// Sleeping connections.
pub struct Sleepers {
    calls: Vec<tokio::task::JoinHandle<Result<usize, plenum_kernel::PortFailure>>>,
    pids: Vec<i32>,
}

impl Sleepers {
    /// Whether all still sleep.
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

async fn room() -> SemaphorePermit<'static> {
    ROOM.acquire().await.expect("the semaphore is never closed")
}

async fn migrated(place: Place) -> Place {
    migrations::migrate(&place.url()).await.expect("the migrations run on an empty schema");
    place
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.expect("no panic")
}
