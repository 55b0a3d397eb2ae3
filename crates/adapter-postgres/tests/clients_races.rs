//! Races whose window is held open on purpose: another transaction is in the way until the store waits for it.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use diesel::connection::SimpleConnection;
use diesel::sql_types::BigInt;
use diesel::{QueryableByName, RunQueryDsl};
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{PostgresAccounts, PostgresClients, PostgresEndUsers, PostgresSessions};
use plenum_clients::testkit::{InstantHasher, PlainRefreshTokens, Samples};
use plenum_clients::{
    AccountStore, AddClientError, AddEndUserError, ClientStore, EndUserStore, RefreshTokens, Rotation, SessionStore,
};
use plenum_kernel::Person;

/// Waits until some connection of this test waits for a lock on one of its tables.
async fn until_someone_waits(database: &TestDatabase) {
    #[derive(QueryableByName)]
    struct Waiting {
        #[diesel(sql_type = BigInt)]
        count: i64,
    }
    let mut conn = database.connection();
    let deadline = Instant::now() + Duration::from_secs(8);
    loop {
        // Another test's connections hold no lock on tables of this schema.
        let waiting: Waiting = diesel::sql_query(
            "SELECT count(*) AS count FROM pg_locks waiting
             WHERE NOT waiting.granted AND EXISTS (
                 SELECT FROM pg_locks held JOIN pg_class c ON c.oid = held.relation
                 WHERE held.pid = waiting.pid AND c.relnamespace = current_schema()::regnamespace)",
        )
        .get_result(&mut conn)
        .unwrap();
        if waiting.count > 0 {
            return;
        }
        assert!(Instant::now() < deadline, "nobody waits");
        tokio::task::yield_now().await;
    }
}

const CLUB: &str = "INSERT INTO clients VALUES
    ('00000000-0000-0000-0000-000000000001', 'Club', 'club', 'c@example.org', 'ACTIVE', 'BASIC', now())";

#[tokio::test]
async fn a_code_that_another_takes_in_the_same_moment_is_taken() {
    let database = TestDatabase::fresh().await;
    let samples = Samples::new();
    let clients = Arc::new(PostgresClients::new(database.db()));
    let (client, mut admin) = (samples.client("club"), samples.super_admin("admin@example.org"));
    admin.role = samples.admin_of(&client).role;

    let mut other = database.connection();
    other.batch_execute(&format!("BEGIN; {CLUB}")).unwrap();
    let adding = tokio::spawn({
        let (clients, client, admin) = (clients.clone(), client.clone(), admin.clone());
        async move { clients.add(client, admin).await }
    });
    until_someone_waits(&database).await;
    other.batch_execute("COMMIT").unwrap();

    let refused = adding.await.unwrap();
    assert!(matches!(refused, Err(AddClientError::CodeTaken)), "{refused:?}");
    let accounts = PostgresAccounts::new(database.db());
    assert_eq!(accounts.account_credentials(&admin.email).await.unwrap(), None);
}

#[tokio::test]
async fn a_code_that_another_gives_up_in_the_same_moment_is_free() {
    let database = TestDatabase::fresh().await;
    let samples = Samples::new();
    let clients = Arc::new(PostgresClients::new(database.db()));
    let client = samples.client("club");
    let admin = samples.admin_of(&client);

    let mut other = database.connection();
    other.batch_execute(&format!("BEGIN; {CLUB}")).unwrap();
    let adding = tokio::spawn({
        let (clients, client) = (clients.clone(), client.clone());
        async move { clients.add(client, admin).await }
    });
    until_someone_waits(&database).await;
    other.batch_execute("ROLLBACK").unwrap();

    adding.await.unwrap().unwrap();
    assert_eq!(clients.find_by_code(&client.code).await.unwrap(), Some(client));
}

#[tokio::test]
async fn a_username_that_another_takes_in_the_same_moment_is_taken() {
    let database = TestDatabase::fresh().await;
    let samples = Samples::new();
    let client = samples.client("club");
    PostgresClients::new(database.db()).add(client.clone(), samples.admin_of(&client)).await.unwrap();
    let end_users = PostgresEndUsers::new(database.db());

    let mut other = database.connection();
    other
        .batch_execute(&format!(
            "BEGIN; INSERT INTO end_users VALUES ('00000000-0000-0000-0000-000000000001', '{}', 'ANNA', 'Anna', NULL,
                                                  NULL, 1, true, 'hash', NULL, now())",
            client.id
        ))
        .unwrap();
    let end_user = samples.end_user(&client, "anna");
    let adding = tokio::spawn(async move { end_users.add(end_user, InstantHasher::hash_of("a password")).await });
    until_someone_waits(&database).await;
    other.batch_execute("COMMIT").unwrap();

    let refused = adding.await.unwrap();
    assert!(matches!(refused, Err(AddEndUserError::UsernameTaken)), "{refused:?}");
}

/// A refresh that has to wait decides by what it then finds, not by what was there when it came.
#[tokio::test]
async fn a_refresh_decides_by_what_the_one_before_it_left() {
    let database = TestDatabase::fresh().await;
    let samples = Samples::new();
    let client = samples.client("club");
    PostgresClients::new(database.db()).add(client.clone(), samples.admin_of(&client)).await.unwrap();
    let voter = samples.end_user(&client, "anna");
    PostgresEndUsers::new(database.db()).add(voter.clone(), InstantHasher::hash_of("a password")).await.unwrap();
    let sessions = PostgresSessions::new(database.db());
    let session = samples.session(Person::EndUser { end_user: voter.id, client: client.id }, "first");
    sessions.open(session.clone()).await.unwrap();

    let mut other = database.connection();
    let long_ago = samples.now() - TimeDelta::hours(1);
    other.batch_execute(&format!("BEGIN; UPDATE refresh_tokens SET used_at = '{}'", long_ago.to_rfc3339())).unwrap();
    let (waiting, now) = (sessions.clone(), samples.now());
    let refreshing = tokio::spawn(async move {
        waiting.rotate(&PlainRefreshTokens.hash("first"), PlainRefreshTokens.hash("next"), now).await
    });
    until_someone_waits(&database).await;
    other.batch_execute("COMMIT").unwrap();

    assert_eq!(refreshing.await.unwrap().unwrap(), Rotation::Refused);
    assert!(!sessions.standing(session.id).await.unwrap().unwrap().is_active, "the stolen token ended the session");
}

#[tokio::test]
async fn a_sign_in_sweeps_the_outdated_sessions_of_its_owner() {
    #[derive(QueryableByName)]
    struct Count {
        #[diesel(sql_type = BigInt)]
        count: i64,
    }
    let database = TestDatabase::fresh().await;
    let samples = Samples::new();
    let client = samples.client("club");
    let admin = samples.admin_of(&client);
    PostgresClients::new(database.db()).add(client, admin.clone()).await.unwrap();
    let sessions = PostgresSessions::new(database.db());
    let outdated = samples.session(admin.person(), "first");
    sessions.open(outdated.clone()).await.unwrap();
    let mut next = samples.session(admin.person(), "second");
    next.first_token.issued_at = outdated.first_token.expires_at;
    sessions.open(next.clone()).await.unwrap();

    assert_eq!(sessions.standing(outdated.id).await.unwrap(), None);
    assert!(sessions.standing(next.id).await.unwrap().is_some());
    let tokens: Count = diesel::sql_query("SELECT count(*) AS count FROM refresh_tokens")
        .get_result(&mut database.connection())
        .unwrap();
    assert_eq!(tokens.count, 1);
}

#[tokio::test]
async fn meetings_are_counted_for_each_client() {
    let database = TestDatabase::fresh().await;
    let samples = Samples::new();
    let clients = PostgresClients::new(database.db());
    for code in ["one", "two"] {
        let client = samples.client(code);
        clients.add(client.clone(), samples.admin_of(&client)).await.unwrap();
    }
    let mut conn = database.connection();
    conn.batch_execute(
        "INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring,
                               has_participant_list, created_at)
         SELECT gen_random_uuid(), clients.id, 'M', 'DRAFT', now(), now() + interval '1 hour', false, false, now()
         FROM clients, generate_series(1, 3) WHERE client_code = 'two'",
    )
    .unwrap();
    let listed = clients.list(&plenum_clients::ClientFilter::default()).await.unwrap();
    let counts: Vec<_> = listed.rows.iter().map(|row| (row.client.code.as_str(), row.meeting_count)).collect();
    assert_eq!(counts, [("two", 3), ("one", 0)]);
}
