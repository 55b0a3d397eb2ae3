//! A restored copy equals the original to the last byte, and a backup is complete or absent.

use std::fs;
use std::io::{self, Cursor, Write};
use std::path::PathBuf;

use diesel::connection::SimpleConnection as _;
use diesel::pg::PgConnection;
use diesel::sql_types::Text;
use diesel::{QueryableByName, RunQueryDsl as _, sql_query};
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{BackupError, back_up, pending, restore};

/// A client with extreme values: the smallest and the largest, letters of all kinds, NULL and an empty text, times to the
/// microsecond and at either end; a meeting and its question that refer to each other; votes of each kind.
const EXTREMES: &str = r#"
    CREATE FUNCTION id(number integer) RETURNS uuid LANGUAGE sql IMMUTABLE
        RETURN lpad(number::text, 32, '0')::uuid;
    INSERT INTO clients SELECT id(n), E'Club "\\' || chr(10) || chr(9) || chr(1) || '🚣🏽 Ünï''$1', 'club-' || n,
                               'club@example.org', 'ACTIVE', 'BASIC', '1970-01-01 00:00:00.000001Z'
        FROM generate_series(1, 2) AS n;
    INSERT INTO accounts (id, role, email, password_hash, first_name, last_name, created_at)
        VALUES (id(5), 'SUPER_ADMIN', 'root@example.org', 'hash', '', 'NULL', '294276-12-31 23:59:59.999999Z');
    INSERT INTO end_users (id, client_id, username, name, email, address, weight, is_active, password_hash, last_login_at,
                           created_at)
    VALUES (id(11), id(1), 'ada', '{"a": [1, null]}', NULL, '', 0.0001, true, '\x00', NULL, '-infinity'),
           (id(12), id(1), 'ben', '\N', 'ben@example.org', E'a\r\nb\\n', 100, false, 'hash', 'infinity', '0044-03-15 12:00:00.5Z BC');
    INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
        SELECT id(1000 + n), id(2), 'voter-' || n, repeat('長', n % 300), n * 0.0123, n % 2 = 0, 'hash', now()
        FROM generate_series(1, 3000) AS n;
    INSERT INTO sessions (id, account_id, remember_me, started_at, expires_at) VALUES (id(6), id(5), true, now(), now());
    INSERT INTO refresh_tokens VALUES ('\x00ff', id(6), now(), now(), NULL);
    INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring,
                          has_participant_list, created_at)
        VALUES (id(21), id(1), 'TEST_Assembly', 'ACTIVE', now(), now() + interval '1 hour', false, false, now());
    INSERT INTO questions (id, client_id, meeting_id, position, question_text, question_type, is_required, created_at)
        VALUES (id(31), id(1), id(21), 1, '?', 'OPEN_TEXT', true, now());
    UPDATE meetings SET current_question_id = id(31);
    INSERT INTO rounds (id, client_id, meeting_id, question_id, number, status, question_text, question_type, opened_at,
                        register_heads, register_weight)
        VALUES (id(41), id(1), id(21), id(31), 1, 'OPEN', '?', 'OPEN_TEXT', now(), 3, 99999999999999.9999);
    INSERT INTO register (round_id, end_user_id, username, name, weight, added_at)
        SELECT id(41), id(n), 'u', 'n', 99.9999, now() FROM generate_series(11, 13) AS n;
    INSERT INTO votes VALUES (id(51), id(41), id(11), ARRAY[id(1), id(2)], NULL, NULL, now()),
                             (id(52), id(41), id(12), NULL, -99999.9999, NULL, now()),
                             (id(53), id(41), id(13), NULL, NULL, E'[1]\n{"rows":1}', now());
    INSERT INTO round_counters VALUES (id(41), 0, 2), (id(41), 1, 1)"#;

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

fn lines(database: &TestDatabase, query: &str) -> Vec<String> {
    lines_on(&mut database.connection(), query)
}

fn lines_on(conn: &mut PgConnection, query: &str) -> Vec<String> {
    let rows: Vec<Line> = sql_query(query).load(conn).unwrap();
    rows.into_iter().map(|row| row.line).collect()
}

fn tables(database: &TestDatabase) -> Vec<String> {
    lines(
        database,
        "SELECT table_name::text AS line FROM information_schema.tables
         WHERE table_schema = current_schema() AND table_name <> '__diesel_schema_migrations' ORDER BY 1",
    )
}

/// Every row of every copied table.
fn everything(database: &TestDatabase) -> Vec<(String, Vec<String>)> {
    let kept = tables(database).into_iter().filter(|table| !is_left_out(table));
    kept.map(|table| {
        let rows = lines(database, &format!("SELECT one::text AS line FROM {table} AS one ORDER BY 1"));
        (table, rows)
    })
    .collect()
}

fn is_left_out(table: &str) -> bool {
    ["password_resets", "refresh_tokens", "sessions"].contains(&table)
}

async fn filled() -> TestDatabase {
    let database = TestDatabase::fresh().await;
    database.connection().batch_execute(EXTREMES).unwrap();
    database
}

async fn copy_of(database: &TestDatabase) -> String {
    let (copy, size) = back_up(database.url(), Vec::new()).await.unwrap();
    assert!(size.rows > 0);
    String::from_utf8(copy).unwrap()
}

async fn restored(url: &str, copy: &str) -> Result<(), BackupError> {
    restore(url, Cursor::new(copy.to_owned())).await.map(drop)
}

#[tokio::test]
async fn everything_comes_back_to_the_last_byte() {
    let (origin, target) = (filled().await, TestDatabase::without_tables().await);
    let copy = copy_of(&origin).await;
    restored(target.url(), &copy).await.unwrap();
    assert_eq!(everything(&target), everything(&origin));
    assert_eq!(lines(&target, "SELECT id::text AS line FROM sessions"), Vec::<String>::new());
    // Keys and triggers are active again.
    assert_eq!(target.schema_listing(), TestDatabase::fresh().await.schema_listing());
    let triggers =
        "SELECT format('%s %s', tgname, tgenabled) AS line FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
                    WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal ORDER BY 1";
    assert_eq!(lines(&target, triggers), lines(&origin, triggers));
    // A backup of the copy is the same file, except for the time in the header.
    let again = copy_of(&target).await;
    let rows = |copy: &str| copy.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(rows(&again), rows(&copy));
}

/// Rows of this length are read as json, where texts may be as long as those of a large archive.
#[tokio::test]
async fn a_very_long_row_comes_back() {
    let (origin, target) = (TestDatabase::fresh().await, TestDatabase::fresh().await);
    for database in [&origin, &target] {
        let table = "CREATE TABLE long_rows (number INTEGER, text TEXT, bytes BYTEA, nothing TEXT, list TEXT[])";
        database.connection().batch_execute(table).unwrap();
    }
    let rows = r#"
        INSERT INTO long_rows VALUES (1, 'short', '\x', '', '{}'),
                                     (2, repeat(E'長"\\\n', 2000000), '\x00ff', NULL, ARRAY['a"b', NULL]),
                                     (3, 'short', NULL, 'null', NULL)"#;
    origin.connection().batch_execute(rows).unwrap();
    restored(target.url(), &copy_of(&origin).await).await.unwrap();
    let digests =
        "SELECT format('%s %s %s', number, length(text), md5(long_rows::text)) AS line FROM long_rows ORDER BY 1";
    let come_back = lines(&target, digests);
    assert!(come_back[1].starts_with("2 8000000 "), "{come_back:?}");
    assert_eq!(come_back, lines(&origin, digests));
}

/// A writer that looks, at the first long row, what the server still does for the backup.
struct Watching {
    conn: PgConnection,
    states: Vec<String>,
}

impl Write for Watching {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.states.is_empty() && bytes.len() > 1_000_000 {
            let states = "SELECT state AS line FROM pg_stat_activity
                          WHERE query LIKE '%FROM rows_of_two_megabytes' AND pid <> pg_backend_pid()";
            self.states = lines_on(&mut self.conn, states);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Together the rows are longer than all buffers between server and program, so the server is not done with them when the
/// first one is written.
#[tokio::test]
async fn rows_are_written_before_the_next_ones_are_read() {
    let database = TestDatabase::fresh().await;
    let mut conn = database.connection();
    conn.batch_execute(
        "CREATE TABLE rows_of_two_megabytes (text TEXT);
         INSERT INTO rows_of_two_megabytes SELECT repeat('x', 2000000) FROM generate_series(1, 20)",
    )
    .unwrap();
    let (watching, _) = back_up(database.url(), Watching { conn, states: Vec::new() }).await.unwrap();
    assert_eq!(watching.states, ["active"]);
}

#[tokio::test]
async fn the_tables_may_be_there_already_without_rows() {
    let (origin, target) = (filled().await, TestDatabase::fresh().await);
    restored(target.url(), &copy_of(&origin).await).await.unwrap();
    assert_eq!(everything(&target), everything(&origin));
}

#[tokio::test]
async fn every_table_that_there_is_comes_along_but_for_those_about_who_is_signed_in() {
    let database = filled().await;
    database
        .connection()
        .batch_execute("CREATE TABLE \"Added later\" (\"a b\" TEXT); INSERT INTO \"Added later\" VALUES ('x')")
        .unwrap();
    let copy = copy_of(&database).await;
    let mut there: Vec<String> = copy
        .lines()
        .filter_map(|line| Some(line.split_once("\"table\":\"")?.1.trim_end_matches("\"}").replace("\\\"", "")))
        .collect();
    there.sort();
    let mut expected: Vec<String> = tables(&database).into_iter().filter(|table| !is_left_out(table)).collect();
    expected.sort();
    assert_eq!(there, expected);
    assert!(copy.contains("\n[\"x\"]\n"));
}

#[tokio::test]
async fn a_login_that_is_no_superuser_restores_as_well() {
    let (origin, target) = (filled().await, TestDatabase::without_tables().await);
    let schema = lines(&target, "SELECT current_schema()::text AS line").remove(0);
    let role = format!("restorer_of_{schema}");
    let as_role = format!("{}%20-crole%3D{role}", target.url());
    target
        .connection()
        .batch_execute(&format!("CREATE ROLE {role} NOSUPERUSER; ALTER SCHEMA {schema} OWNER TO {role}"))
        .unwrap();
    let outcome = restored(&as_role, &copy_of(&origin).await).await;
    let copied = outcome.is_ok().then(|| everything(&target));
    target
        .connection()
        .batch_execute(&format!("SET client_min_messages = 'warning'; DROP OWNED BY {role} CASCADE; CREATE SCHEMA {schema}; DROP ROLE {role}"))
        .unwrap();
    outcome.unwrap();
    assert_eq!(copied.unwrap(), everything(&origin));
}

#[tokio::test]
async fn a_database_with_rows_is_left_unchanged() {
    let (origin, target) = (filled().await, TestDatabase::fresh().await);
    target
        .connection()
        .batch_execute("INSERT INTO clients VALUES (gen_random_uuid(), 'Theirs', 'theirs', 't@example.org', 'ACTIVE', 'PRO', now())")
        .unwrap();
    let before = everything(&target);
    let refused = restored(target.url(), &copy_of(&origin).await).await.unwrap_err();
    assert!(matches!(refused, BackupError::NotEmpty(_)), "{refused}");
    assert_eq!(everything(&target), before);
}

#[tokio::test]
async fn a_copy_that_is_not_whole_leaves_nothing_behind() {
    let (origin, target) = (filled().await, TestDatabase::without_tables().await);
    let copy = copy_of(&origin).await;
    let lines_of_it: Vec<&str> = copy.lines().collect();
    let without = |place: usize| {
        let mut lines = lines_of_it.clone();
        lines.remove(place);
        lines.join("\n")
    };
    let row = lines_of_it.iter().position(|line| line.contains("voter-7\"")).unwrap();
    let votes = lines_of_it.iter().position(|line| line.contains("\"table\":\"votes\"")).unwrap();
    let mut of_no_round = lines_of_it.clone();
    let vote =
        of_no_round[votes + 1].replace("00000000-0000-0000-0000-000000000041", "00000000-0000-0000-0000-000000000042");
    of_no_round[votes + 1] = &vote;
    for (what, damaged) in [
        ("a row", without(row)),
        ("the line of a table", without(votes)),
        ("the end", without(lines_of_it.len() - 1)),
        ("the header", without(0)),
        ("what a key points at", of_no_round.join("\n")),
        ("the names of columns", copy.replace("\"username\"", "\"surname\"")),
    ] {
        assert!(restored(target.url(), &damaged).await.is_err(), "{what} was missing");
        assert_eq!(tables(&target), Vec::<String>::new(), "without {what} something was left");
    }
    restored(target.url(), &copy).await.unwrap();
}

/// The copy of an installation whose register has an entry of no round, which no statement leaves behind.
#[tokio::test]
async fn an_entry_of_the_register_without_its_round_is_refused() {
    let (origin, target) = (filled().await, TestDatabase::without_tables().await);
    let orphan = "
        ALTER TABLE register DISABLE TRIGGER USER;
        INSERT INTO register (round_id, end_user_id, username, name, weight, added_at)
            VALUES (gen_random_uuid(), gen_random_uuid(), 'late', 'Late', 1, now());
        ALTER TABLE register ENABLE TRIGGER USER";
    origin.connection().batch_execute(orphan).unwrap();
    let refused = restored(target.url(), &copy_of(&origin).await).await.unwrap_err();
    assert!(refused.to_string().contains("the register has an entry of a round"), "{refused}");
    assert_eq!(tables(&target), Vec::<String>::new());
}

#[tokio::test]
async fn a_copy_of_a_newer_version_is_refused_with_its_name() {
    let (origin, target) = (filled().await, TestDatabase::without_tables().await);
    origin
        .connection()
        .batch_execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('20991231000001')")
        .unwrap();
    let refused = restored(target.url(), &copy_of(&origin).await).await.unwrap_err();
    assert!(matches!(&refused, BackupError::Newer(version) if version == "20991231000001"), "{refused}");
    assert_eq!(tables(&target), Vec::<String>::new());
}

#[tokio::test]
async fn a_copy_of_an_older_version_is_restored_and_brought_up_to_date() {
    let origin = TestDatabase::fresh().await;
    revert_last(&origin);
    assert_eq!(pending(origin.url()).await.unwrap().len(), 1);
    origin.connection().batch_execute(EXTREMES).unwrap();
    let copy = copy_of(&origin).await;
    for target in [TestDatabase::without_tables().await, TestDatabase::fresh().await] {
        restored(target.url(), &copy).await.unwrap();
        assert_eq!(pending(target.url()).await.unwrap(), Vec::<String>::new());
        assert_eq!(lines(&target, "SELECT votes::text AS line FROM votes ORDER BY 1").len(), 3);
    }
}

/// Reverts the last migration, to get the database of an older version.
fn revert_last(database: &TestDatabase) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../migrations");
    let last = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).max().unwrap();
    let mut conn = database.connection();
    conn.batch_execute(&fs::read_to_string(last.join("down.sql")).unwrap()).unwrap();
    conn.batch_execute(
        "DELETE FROM __diesel_schema_migrations WHERE version = (SELECT max(version) FROM __diesel_schema_migrations)",
    )
    .unwrap();
}

#[tokio::test]
async fn numbers_that_a_sequence_gave_are_not_given_again() {
    let (origin, target) = (filled().await, TestDatabase::fresh().await);
    for database in [&origin, &target] {
        database.connection().batch_execute("CREATE SEQUENCE numbers").unwrap();
    }
    origin.connection().batch_execute("SELECT nextval('numbers'), nextval('numbers')").unwrap();
    restored(target.url(), &copy_of(&origin).await).await.unwrap();
    assert_eq!(lines(&target, "SELECT nextval('numbers')::text AS line"), ["3"]);
}

#[tokio::test]
async fn an_empty_database_is_no_installation() {
    let database = TestDatabase::without_tables().await;
    let refused = back_up(database.url(), Vec::new()).await.unwrap_err();
    assert!(matches!(refused, BackupError::NoTables), "{refused}");
}
