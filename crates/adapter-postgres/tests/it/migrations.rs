//! Migrations are applied, reverted and applied again, and several instances may apply them at once.

use std::time::{Duration, Instant};

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

/// Everything that a migration could leave.
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
    conn.batch_execute(include_str!("../../../../migrations/2026-11-21-000005_test_rounds/down.sql")).unwrap();
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
    conn.batch_execute(include_str!("../../../../migrations/2026-11-21-000005_test_rounds/up.sql")).unwrap();
    let names: Vec<Name> = diesel::sql_query(NAMES).load(&mut conn).unwrap();
    assert_eq!(names, [Name { name: "f, default false".to_owned() }]);
}

#[tokio::test]
async fn rounds_from_before_present_voters_were_a_set_keep_the_larger_number() {
    const ROUND: &str = "INSERT INTO rounds (id, client_id, meeting_id, question_id, number, status, question_text,
                                             question_type, opened_at, ended_at, register_heads, register_weight,
                                             declared_at, declared_by)
        SELECT gen_random_uuid(), id, id, id, @number, 'DECLARED', '?', 'OPEN_TEXT', now(), now(), 0, 0, now(), 'Anna Berg'
        FROM clients";
    let database = TestDatabase::fresh().await;
    let mut conn = database.connection();
    conn.batch_execute(include_str!("../../../../migrations/2026-11-24-000038_presence/down.sql")).unwrap();
    conn.batch_execute(
        "INSERT INTO clients (id, name, client_code, contact_email, status, subscription_plan, created_at)
         VALUES (gen_random_uuid(), 'Rowing Club', 'c', 'c@example.org', 'ACTIVE', 'BASIC', now());
         INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring,
                               has_participant_list, created_at)
         SELECT id, id, 'Assembly', 'ACTIVE', now(), now() + interval '1 hour', false, false, now() FROM clients;
         INSERT INTO questions (id, client_id, meeting_id, position, question_text, question_type, is_required, created_at)
         SELECT id, id, id, 1, '?', 'OPEN_TEXT', true, now() FROM clients",
    )
    .unwrap();
    conn.batch_execute(&ROUND.replace("@number", "1")).unwrap();
    conn.batch_execute(include_str!("../../../../migrations/2026-11-24-000038_presence/up.sql")).unwrap();
    conn.batch_execute(&ROUND.replace("@number", "2")).unwrap();
    let rules: Vec<Name> =
        diesel::sql_query("SELECT presence AS name FROM rounds ORDER BY number").load(&mut conn).unwrap();
    let rules: Vec<&str> = rules.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(rules, ["LARGER_NUMBER", "CONNECTED_OR_VOTED"]);
}

#[tokio::test]
async fn migrating_twice_changes_nothing() {
    let database = TestDatabase::fresh().await;
    assert!(database.migrate().await.is_empty());
}

#[tokio::test]
async fn one_of_many_starting_instances_migrates() {
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
async fn pending_migrations_are_found_without_changes() {
    let database = TestDatabase::without_tables().await;
    let pending_at_first = database.db().pending_migrations().await.unwrap();
    assert!(pending_at_first.is_sorted());
    assert!(pending_at_first[0].ends_with("_clients"), "{pending_at_first:?}");
    assert!(relations(&database).is_empty(), "asking made a table");

    database.migrate().await;
    assert!(database.db().pending_migrations().await.unwrap().is_empty());
    assert!(pending(database.url()).await.unwrap().is_empty());
}

/// Whether a transaction waits to record a migration.
fn is_waiting(database: &TestDatabase) -> bool {
    let waiting: Vec<Name> = diesel::sql_query(
        "SELECT pid::text AS name FROM pg_locks WHERE NOT granted AND relation = '__diesel_schema_migrations'::regclass",
    )
    .load(&mut database.connection())
    .unwrap();
    !waiting.is_empty()
}

async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !holds() {
        assert!(Instant::now() < deadline, "in vain: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_migration_gives_way_to_whoever_works_with_its_table_and_comes_again() {
    let database = TestDatabase::fresh().await;
    let last = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations")).unwrap();
    let last = last.flatten().map(|entry| entry.path()).max().unwrap();
    let mut conn = database.connection();
    conn.batch_execute(&std::fs::read_to_string(last.join("down.sql")).unwrap()).unwrap();
    conn.batch_execute(
        "DELETE FROM __diesel_schema_migrations WHERE version = (SELECT max(version) FROM __diesel_schema_migrations)",
    )
    .unwrap();
    let before = relations(&database);

    // Others may read the table, and no one may write it.
    conn.batch_execute("BEGIN; LOCK TABLE __diesel_schema_migrations IN SHARE MODE").unwrap();
    let url = database.url().to_owned();
    let migration = tokio::spawn(async move { migrate(&url).await });
    until("the migration waits", || is_waiting(&database)).await;
    until("it gives way", || !is_waiting(&database)).await;
    assert_eq!(relations(&database), before, "it left something behind");
    conn.batch_execute("COMMIT").unwrap();
    assert_eq!(migration.await.unwrap().unwrap().len(), 1);
    assert!(pending(database.url()).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_instance_waits_without_limit_for_the_migrations_of_another() {
    let database = TestDatabase::without_tables().await;
    let mut other = database.connection();
    other.batch_execute("SELECT pg_advisory_lock(1886152046, hashtext(current_schema()))").unwrap();
    let url = database.url().to_owned();
    let migration = tokio::spawn(async move { migrate(&url).await });
    let waiting = || {
        let query = "SELECT pid::text AS name FROM pg_locks WHERE NOT granted AND locktype = 'advisory'
                     AND objid = (hashtext(current_schema())::bigint & 4294967295)::oid";
        let waiting: Vec<Name> = diesel::sql_query(query).load(&mut database.connection()).unwrap();
        !waiting.is_empty()
    };
    until("it waits", waiting).await;
    assert!(relations(&database).is_empty());
    other.batch_execute("SELECT pg_advisory_unlock(1886152046, hashtext(current_schema()))").unwrap();
    assert!(!migration.await.unwrap().unwrap().is_empty());
}

#[tokio::test]
async fn a_database_of_a_newer_program_is_refused_with_both_versions() {
    let database = TestDatabase::fresh().await;
    let newest = "SELECT max(version) AS name FROM __diesel_schema_migrations";
    let newest: Name = diesel::sql_query(newest).get_result(&mut database.connection()).unwrap();
    let of_tomorrow = "INSERT INTO __diesel_schema_migrations (version) VALUES ('20990101000001')";
    database.connection().batch_execute(of_tomorrow).unwrap();
    for refused in [migrate(database.url()).await, pending(database.url()).await] {
        let text = refused.expect_err("it is of a newer program").to_string();
        assert!(text.contains("newer version of Plenum"), "{text}");
        assert!(text.contains("20990101000001") && text.contains(&newest.name), "{text}");
    }
}
