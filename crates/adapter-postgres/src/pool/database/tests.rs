use std::error::Error as _;
use std::sync::mpsc;

use diesel::r2d2::HandleError as _;
use diesel::sql_types::Text;
use diesel::{ConnectionError, QueryableByName};

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
/// A caller that waits for the connection times out.
const AGES: Duration = Duration::from_secs(120);

/// Settings without timeouts.
fn patient(settings: &mut DbSettings) {
    settings.connection_timeout = AGES;
    settings.turn_timeout = AGES;
}

/// Makes so many calls to `db` that most must wait for a permit, and returns the failures after all responses.
async fn fail_for_all(db: &Db) -> Vec<PortFailure> {
    let callers: Vec<_> = (0..20).map(|_| db.clone()).map(|db| tokio::spawn(async move { db.ping().await })).collect();
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
        // Connections that were not used since are dead, and the one in use is not returned yet.
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
    let (conn, listener) = tokio::task::spawn_blocking(move || (listener.accept().unwrap().0, listener)).await.unwrap();
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
        let ended_itself =
            db.without_tenant(|conn| diesel::sql_query("SELECT pg_terminate_backend(pg_backend_pid())").execute(conn));
        assert!(ended_itself.await.is_err());
    }
    db.ping().await.unwrap();
}

#[tokio::test]
async fn connections_that_others_ended_cost_no_call() {
    let database = TestDatabase::without_tables().await;
    let db = db(&database, |settings| settings.pool_size = 3);
    let calls: Vec<_> = (0..12).map(|_| db.clone()).map(|db| tokio::spawn(async move { db.ping().await })).collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
    // Only the connections of this test: other tests use the same server.
    const END_ALL: &str = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity \
                           WHERE application_name = current_schema() AND pid <> pg_backend_pid()";
    diesel::sql_query(END_ALL).execute(&mut database.connection()).unwrap();
    for _ in 0..12 {
        db.ping().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_waits_too_long_for_a_connection_fails() {
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
    // The thread releases its permit a moment later.
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
    let outcome = tokio::spawn(async move { panicking.without_tenant::<(), _>(|_| panic!("on purpose")).await }).await;
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
async fn limited_calls_leave_connections_to_others() {
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
