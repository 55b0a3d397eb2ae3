//! The maintained counts of end users and meetings agree with the rows, for every writer.

use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::sql_types::BigInt;
use diesel::{QueryableByName, RunQueryDsl};
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{PostgresDiagnostics, PostgresEndUsers, PostgresMeetings};
use plenum_clients::{EndUserFilter, EndUserStats, EndUserStore};
use plenum_kernel::{ClientId, PageRequest, SearchText};
use plenum_meetings::{MeetingFilter, MeetingStatus, MeetingStore};
use plenum_voting::testkit::PlainRecords;
use rust_decimal::Decimal;
use std::sync::Arc;
use uuid::Uuid;

/// Two clients. The first has three end users: one of them is not active, and one is test data.
const PEOPLE: &str = "
    CREATE FUNCTION id(number integer) RETURNS uuid LANGUAGE sql IMMUTABLE
        RETURN lpad(number::text, 32, '0')::uuid;
    INSERT INTO clients SELECT id(n), 'Club', 'club-' || n, 'club@example.org', 'ACTIVE', 'BASIC', now()
        FROM generate_series(1, 2) AS n;
    INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at) VALUES
        (id(11), id(1), 'ada', 'Ada', 1.5, true, 'hash', now()), (id(12), id(1), 'ben', 'Ben', 2, false, 'hash', now()),
        (id(13), id(1), 'eve', 'TEST_Eve', 4, true, 'hash', now())";

/// A hundred further end users of the first client, and as many of the second.
const IMPORT: &str = "
    INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
    SELECT id(client * 1000 + n), id(client), 'voter-' || n, 'Voter', 0.25, n % 2 = 0, 'hash', now()
    FROM generate_series(1, 2) AS client, generate_series(1, 100) AS n";

/// Four meetings of the first client, two of which are scheduled, and one of these a test.
const MEETINGS: &str = "
    INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring,
                          has_participant_list, created_at)
    SELECT id(n), id(1), title, status, now(), now() + interval '1 hour', false, false, now()
    FROM (VALUES (21, 'Assembly', 'SCHEDULED'), (22, 'TEST_Assembly', 'SCHEDULED'), (23, 'Assembly', 'DRAFT'),
                 (24, 'Assembly', 'CANCELLED')) AS meetings (n, title, status)";

struct Kept {
    conn: PgConnection,
    /// Dropped last, after all its users.
    database: TestDatabase,
}

fn client(number: u128) -> ClientId {
    ClientId::from_uuid(Uuid::from_u128(number))
}

impl Kept {
    async fn with(statements: &str) -> Self {
        let database = TestDatabase::fresh().await;
        let mut kept = Self { conn: database.connection(), database };
        kept.run(PEOPLE).await;
        kept.run(statements).await;
        kept
    }

    /// Executes statements. Afterwards the maintained counts agree with the rows.
    async fn run(&mut self, statements: &str) {
        self.conn.batch_execute(statements).unwrap_or_else(|error| panic!("{error}: {statements}"));
        self.assert_true(statements).await;
    }

    async fn assert_true(&self, what: &str) {
        let checks = PostgresDiagnostics::new(self.database.db()).integrity(None).await.unwrap();
        let wrong: Vec<_> = checks.iter().filter(|check| check.found > 0).collect();
        assert!(wrong.is_empty(), "{what}: {wrong:?}");
    }

    async fn stats(&self, number: u128) -> EndUserStats {
        PostgresEndUsers::new(self.database.db()).stats(client(number)).await.unwrap()
    }

    /// The total in the response with the first page of two.
    async fn total(&self, filter: EndUserFilter) -> u64 {
        let filter = EndUserFilter { page: Some(PageRequest { page: 1, page_size: 2 }), ..filter };
        PostgresEndUsers::new(self.database.db()).list(client(1), &filter).await.unwrap().total
    }

    async fn total_of_meetings(&self, status: Option<MeetingStatus>) -> u64 {
        let page = Some(PageRequest { page: 1, page_size: 1 });
        let filter = MeetingFilter { statuses: status.into_iter().collect(), page, ..MeetingFilter::default() };
        PostgresMeetings::new(self.database.db(), Arc::new(PlainRecords)).list(client(1), &filter).await.unwrap().total
    }

    /// The number of maintained counts that a statement changes. The statement is rolled back.
    fn numbers_changed_by(&mut self, statement: &str) -> i64 {
        self.conn.batch_execute("BEGIN").unwrap();
        let before = self.numbers_changed_so_far();
        self.conn.batch_execute(statement).unwrap();
        let changed = self.numbers_changed_so_far() - before;
        self.conn.batch_execute("ROLLBACK").unwrap();
        changed
    }

    /// The number of changes by this connection since PostgreSQL last collected statistics.
    fn numbers_changed_so_far(&mut self) -> i64 {
        number(
            &mut self.conn,
            "SELECT pg_stat_get_xact_tuples_updated('end_user_counts'::regclass) \
                    + pg_stat_get_xact_tuples_updated('meeting_counts'::regclass) AS number",
        )
    }
}

fn number(conn: &mut PgConnection, query: &str) -> i64 {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = BigInt)]
        number: i64,
    }
    diesel::sql_query(query).get_result::<Row>(conn).unwrap().number
}

fn stats(active: u64, inactive: u64, weight: &str) -> EndUserStats {
    let total_weight: Decimal = weight.parse().unwrap();
    EndUserStats { total: active + inactive, active, inactive, total_weight }
}

#[tokio::test]
async fn every_change_of_an_end_user_is_counted() {
    let mut kept = Kept::with("SELECT").await;
    assert_eq!(kept.stats(1).await, stats(1, 1, "1.5"));
    assert_eq!(kept.stats(2).await, stats(0, 0, "0"));
    for (change, expected) in [
        ("UPDATE end_users SET is_active = NOT is_active WHERE id = id(12)", stats(2, 0, "3.5")),
        ("UPDATE end_users SET weight = 0.0001 WHERE id = id(12)", stats(2, 0, "1.5001")),
        ("UPDATE end_users SET name = 'Eve' WHERE id = id(13)", stats(3, 0, "5.5001")),
        ("UPDATE end_users SET username = 'TEST_ben' WHERE id = id(12)", stats(2, 0, "5.5")),
        ("UPDATE end_users SET is_active = false, weight = 3", stats(0, 2, "0")),
        ("DELETE FROM end_users WHERE id = id(13)", stats(0, 1, "0")),
        (IMPORT, stats(50, 51, "12.5")),
        ("DELETE FROM end_users WHERE is_active", stats(0, 51, "0")),
        ("UPDATE clients SET name = 'TEST_Club'", stats(0, 52, "0")),
    ] {
        kept.run(change).await;
        assert_eq!(kept.stats(1).await, expected, "{change}");
    }
    assert_eq!(kept.stats(2).await, stats(0, 50, "0"));
}

#[tokio::test]
async fn totals_are_those_of_the_filter() {
    let kept = Kept::with(IMPORT).await;
    let all = EndUserFilter::default;
    assert_eq!(kept.total(all()).await, 103);
    assert_eq!(kept.total(EndUserFilter { is_active: Some(true), ..all() }).await, 52);
    assert_eq!(kept.total(EndUserFilter { is_active: Some(false), ..all() }).await, 51);
    assert_eq!(kept.total(EndUserFilter { counted_only: true, ..all() }).await, 102);
    assert_eq!(kept.total(EndUserFilter { counted_only: true, is_active: Some(true), ..all() }).await, 51);
    let search = SearchText::parse("voter-1");
    assert_eq!(kept.total(EndUserFilter { search, is_active: Some(false), ..all() }).await, 6);
}

#[tokio::test]
async fn every_change_of_a_meeting_is_counted() {
    let mut kept = Kept::with(MEETINGS).await;
    let meetings = PostgresMeetings::new(kept.database.db(), Arc::new(PlainRecords));
    let scheduled = Some(MeetingStatus::Scheduled);
    assert_eq!((kept.total_of_meetings(None).await, kept.total_of_meetings(scheduled).await), (4, 2));
    assert_eq!(meetings.stats(client(1)).await.unwrap().scheduled, 1);
    for (change, [all, scheduled_ones, counted]) in [
        ("UPDATE meetings SET title = 'TEST_' || title WHERE id = id(21)", [4, 2, 2]),
        ("UPDATE meetings SET title = 'Assembly'", [4, 2, 4]),
        ("UPDATE meetings SET status = 'SCHEDULED' WHERE status = 'DRAFT'", [4, 3, 4]),
        ("DELETE FROM meetings WHERE id IN (id(21), id(24))", [2, 2, 2]),
    ] {
        kept.run(change).await;
        assert_eq!(
            (kept.total_of_meetings(None).await, kept.total_of_meetings(scheduled).await),
            (all, scheduled_ones)
        );
        assert_eq!(meetings.stats(client(1)).await.unwrap().total, counted, "{change}");
    }
}

#[tokio::test]
async fn a_statement_changes_each_number_once_and_none_where_nothing_counted_changes() {
    let mut kept = Kept::with(MEETINGS).await;
    // Active and not, of two clients.
    assert_eq!(kept.numbers_changed_by(IMPORT), 4);
    kept.run(IMPORT).await;
    assert_eq!(kept.numbers_changed_by("DELETE FROM end_users WHERE client_id = id(1)"), 3);
    assert_eq!(kept.numbers_changed_by("UPDATE end_users SET last_login_at = now(), email = 'a@b.example'"), 0);
    assert_eq!(
        kept.numbers_changed_by("UPDATE meetings SET description = 'About bees', has_participant_list = true"),
        0
    );
    assert_eq!(kept.numbers_changed_by("UPDATE end_users SET is_active = true WHERE id = id(11)"), 0);
    assert_eq!(kept.numbers_changed_by("UPDATE meetings SET status = 'CANCELLED'"), 5);
}

#[tokio::test]
async fn a_rolled_back_vote_was_never_counted() {
    let mut kept = Kept::with("SELECT").await;
    let before = kept.stats(1).await;
    kept.run(&format!("BEGIN; {IMPORT}; DELETE FROM end_users WHERE id = id(11); ROLLBACK")).await;
    assert_eq!(kept.stats(1).await, before);
}

#[tokio::test]
async fn numbers_go_with_their_client() {
    let mut kept = Kept::with(IMPORT).await;
    kept.run(MEETINGS).await;
    kept.run("DELETE FROM clients WHERE id = id(1)").await;
    assert_eq!((kept.stats(1).await, kept.total_of_meetings(None).await), (stats(0, 0, "0"), 0));
    assert_eq!(kept.stats(2).await, stats(50, 50, "12.5"));
}

#[tokio::test]
async fn the_migration_counts_existing_rows() {
    let mut kept = Kept::with("SELECT").await;
    kept.conn.batch_execute(include_str!("../../../../migrations/2026-11-22-000014_kept_counts/down.sql")).unwrap();
    kept.conn.batch_execute(IMPORT).unwrap();
    kept.conn.batch_execute(MEETINGS).unwrap();
    kept.conn.batch_execute(include_str!("../../../../migrations/2026-11-22-000014_kept_counts/up.sql")).unwrap();
    // As migration 17 does for these tables, and `migrate` each time.
    const APART: &str = "SELECT keep_apart('end_user_counts', 'client_id = tenant()'), \
                                keep_apart('meeting_counts', 'client_id = tenant()')";
    kept.conn.batch_execute(APART).unwrap();
    kept.database.migrate().await;
    kept.assert_true("the migration").await;
    assert_eq!(kept.stats(1).await, stats(51, 51, "14"));
    kept.run("DELETE FROM end_users WHERE client_id = id(1) AND is_active").await;
    assert_eq!(kept.stats(1).await, stats(0, 51, "0"));
}

#[tokio::test]
async fn a_recount_repairs_counts_after_writes_past_the_triggers() {
    let mut kept = Kept::with(MEETINGS).await;
    kept.conn.batch_execute("SET session_replication_role = replica").unwrap();
    kept.conn.batch_execute(IMPORT).unwrap();
    kept.conn.batch_execute("DELETE FROM meetings; SET session_replication_role = DEFAULT").unwrap();
    assert_eq!(kept.stats(1).await, stats(1, 1, "1.5"));
    kept.run("SELECT recount_clients()").await;
    assert_eq!((kept.stats(1).await, kept.total_of_meetings(None).await), (stats(51, 51, "14"), 0));
}

/// Two transactions write the same two rows in opposite orders: both are counted, and neither fails because of a deadlock.
fn write_at_once(kept: &mut Kept, one: &[String; 2], other: &[String; 2]) {
    let (mut conn, mut watcher) = (kept.database.connection(), kept.database.connection());
    kept.conn.batch_execute(&format!("BEGIN; {}", one[0])).unwrap();
    let other = format!("BEGIN; {}; {}; COMMIT", other[0], other[1]);
    let writing = std::thread::spawn(move || conn.batch_execute(&other));
    let waiting = "SELECT count(*) AS number FROM pg_stat_activity \
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    // It waits for the first, or is done.
    while number(&mut watcher, waiting) == 0 && !writing.is_finished() {
        watcher.batch_execute("SELECT pg_sleep(0.005)").unwrap();
    }
    kept.conn.batch_execute(&format!("{}; COMMIT", one[1])).unwrap();
    writing.join().unwrap().unwrap();
}

#[tokio::test]
async fn two_concurrent_additions_of_end_users_are_both_counted() {
    let mut kept = Kept::with("SELECT").await;
    let add = |number: u32, is_active: bool| {
        format!(
            "INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at) \
             VALUES (id({number}), id(1), 'voter-{number}', 'Voter', 1, {is_active}, 'hash', now())"
        )
    };
    write_at_once(&mut kept, &[add(101, true), add(102, false)], &[add(103, false), add(104, true)]);
    kept.run("SELECT").await;
    assert_eq!(kept.stats(1).await, stats(3, 3, "3.5"));
}

#[tokio::test]
async fn two_concurrent_additions_of_meetings_are_both_counted() {
    let mut kept = Kept::with(MEETINGS).await;
    let add = |number: u32, status: &str| {
        format!(
            "INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring, \
                                   has_participant_list, created_at) \
             VALUES (id({number}), id(1), 'Assembly', '{status}', now(), now() + interval '1 hour', false, false, now())"
        )
    };
    write_at_once(&mut kept, &[add(101, "DRAFT"), add(102, "SCHEDULED")], &[add(103, "SCHEDULED"), add(104, "DRAFT")]);
    kept.run("SELECT").await;
    let drafts = kept.total_of_meetings(Some(MeetingStatus::Draft)).await;
    assert_eq!((drafts, kept.total_of_meetings(Some(MeetingStatus::Scheduled)).await), (3, 4));
}

/// Writes past the triggers can leave a wrong count. Lists still work, and the integrity check reports it.
#[tokio::test]
async fn a_number_below_zero_keeps_nobody_from_a_list() {
    let mut kept = Kept::with(MEETINGS).await;
    kept.conn.batch_execute("UPDATE end_user_counts SET number = -9; UPDATE meeting_counts SET number = -9").unwrap();
    assert_eq!((kept.stats(1).await.total, kept.total_of_meetings(None).await), (0, 0));
}
