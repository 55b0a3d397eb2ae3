//! Migrations go up, down and up again, and may be started by several instances at once.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic")]

use diesel::connection::SimpleConnection as _;
use diesel::sql_types::Text;
use diesel::{QueryableByName, RunQueryDsl};
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{migrate, pending};

#[derive(Debug, PartialEq, QueryableByName)]
struct Name {
    #[diesel(sql_type = Text)]
    name: String,
}

/// Everything that a migration could leave behind.
fn relations(database: &TestDatabase) -> Vec<String> {
    let names: Vec<Name> = diesel::sql_query(
        "SELECT relname::text AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
         UNION ALL SELECT proname::text FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
         UNION ALL SELECT typname::text FROM pg_type WHERE typnamespace = current_schema()::regnamespace
         UNION ALL SELECT conrelid::regclass || '.' || conname FROM pg_constraint
                   WHERE connamespace = current_schema()::regnamespace
         ORDER BY 1",
    )
    .load(&mut database.connection())
    .unwrap();
    names.into_iter().map(|row| row.name).collect()
}

#[tokio::test]
async fn migrations_go_up_and_down_and_up_again() {
    let database = TestDatabase::without_tables().await;
    let expected = pending(database.url()).await.unwrap();
    assert!(!expected.is_empty());

    assert_eq!(database.migrate().await, expected);
    let first_time = relations(&database);

    database.revert_all_migrations().await;
    let left: Vec<String> =
        relations(&database).into_iter().filter(|name| !name.contains("__diesel_schema_migrations")).collect();
    assert!(left.is_empty(), "a down.sql forgot {left:?}");

    assert_eq!(database.migrate().await, expected);
    assert_eq!(relations(&database), first_time);
}

#[tokio::test]
async fn rounds_from_before_it_was_known_what_is_a_test_count_as_real() {
    const NAMES: &str = "SELECT format('%s, default %s', is_test, coalesce(column_default, 'none')) AS name
        FROM rounds, information_schema.columns
        WHERE table_schema = current_schema() AND table_name = 'rounds' AND column_name = 'is_test'";
    let database = TestDatabase::fresh().await;
    let mut conn = database.connection();
    conn.batch_execute(include_str!("../../../migrations/2026-11-21-000005_test_rounds/down.sql")).unwrap();
    conn.batch_execute(
        "CREATE TEMPORARY TABLE one (id) AS VALUES ('00000000-0000-0000-0000-000000000001'::uuid);
         INSERT INTO clients SELECT id, 'TEST_CLIENT', 'c', 'c@example.org', 'ACTIVE', 'BASIC', now() FROM one;
         INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring,
                               has_participant_list, created_at)
         SELECT id, id, 'TEST_Assembly', 'ACTIVE', now(), now() + interval '1 hour', false, false, now() FROM one;
         INSERT INTO questions SELECT id, id, id, 1, '?', 'OPEN_TEXT', true, NULL, NULL, now() FROM one;
         INSERT INTO rounds SELECT id, id, id, id, 1, 'OPEN', '?', 'OPEN_TEXT', NULL, NULL, now(), NULL, 0, 0 FROM one",
    )
    .unwrap();
    conn.batch_execute(include_str!("../../../migrations/2026-11-21-000005_test_rounds/up.sql")).unwrap();
    let names: Vec<Name> = diesel::sql_query(NAMES).load(&mut conn).unwrap();
    assert_eq!(names, [Name { name: "f, default false".to_owned() }]);
}

#[tokio::test]
async fn migrating_twice_changes_nothing() {
    let database = TestDatabase::fresh().await;
    assert!(database.migrate().await.is_empty());
}

#[tokio::test]
async fn of_many_instances_that_migrate_at_once_one_does_it() {
    let database = TestDatabase::without_tables().await;
    let migrations: Vec<_> = (0..6)
        .map(|_| {
            let url = database.url().to_owned();
            tokio::spawn(async move { migrate(&url).await.unwrap().len() })
        })
        .collect();
    let mut counts = Vec::new();
    for migration in migrations {
        counts.push(migration.await.unwrap());
    }
    assert_eq!(counts.iter().filter(|count| **count > 0).count(), 1, "{counts:?}");
}

#[tokio::test]
async fn what_is_pending_is_known_without_changing_anything() {
    let database = TestDatabase::without_tables().await;
    let pending_at_first = database.db().pending_migrations().await.unwrap();
    assert!(pending_at_first.is_sorted());
    assert!(pending_at_first[0].ends_with("_clients"), "{pending_at_first:?}");
    assert!(relations(&database).is_empty(), "asking made a table");

    database.migrate().await;
    assert!(database.db().pending_migrations().await.unwrap().is_empty());
    assert!(pending(database.url()).await.unwrap().is_empty());
}
