//! Races whose window a test holds open: another transaction blocks until the store waits for it.

mod busy_clients;
mod people;
mod places_of_use;
mod sessions;

use std::fmt::Debug;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use diesel::connection::SimpleConnection;
use diesel::sql_types::BigInt;
use diesel::{QueryableByName, RunQueryDsl};
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{
    Db, DbSettings, PostgresAccounts, PostgresClients, PostgresEndUsers, PostgresSecondFactors, PostgresSessions,
};
use plenum_clients::testkit::{InstantHasher, PlainRefreshTokens, Samples};
use plenum_clients::{
    AccountStore, AddClientError, AddEndUserError, ChangeEndUserError, Client, ClientStore, EndUser, EndUserChanges,
    EndUserStore, EndUserUpdate, FactorConfirmation, ImportedPeople, NewFactor, NewSession, RecoveryCodeHash,
    RemoveEndUserError, Rotation, SealedSecret, SecondFactorProof, SecondFactorStore, SessionStore, TotpStep,
};
use plenum_kernel::{EmailAddress, Person, PortFailure, SessionId};
use tokio::task::JoinHandle;

/// Waits until a connection of this test waits for a lock on one of its tables.
async fn until_someone_waits(database: &TestDatabase) {
    until_waiting(database, 1).await;
}

/// Waits until this number of connections wait.
async fn until_waiting(database: &TestDatabase, number: i64) {
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
        if waiting.count >= number {
            return;
        }
        assert!(Instant::now() < deadline, "{} wait", waiting.count);
        tokio::task::yield_now().await;
    }
}

const CLUB: &str = "INSERT INTO clients VALUES
    ('00000000-0000-0000-0000-000000000001', 'Club', 'club', 'c@example.org', 'ACTIVE', 'BASIC', now())";

/// The number of concurrent calls.
const CONCURRENT_CALLS: i64 = 20;

/// A pool in which concurrent calls wait for the database, and not for each other.
fn wide(database: &TestDatabase) -> Db {
    Db::new(&DbSettings::new(database.url()).with_pool_size(20)).unwrap()
}

/// A client with an end user.
async fn club(database: &TestDatabase, samples: &Samples) -> (Client, EndUser) {
    let client = samples.client("club");
    PostgresClients::new(database.db()).add(client.clone(), samples.admin_of(&client)).await.unwrap();
    let voter = samples.end_user(&client, "anna");
    PostgresEndUsers::new(database.db()).add(voter.clone(), InstantHasher::hash_of(Samples::PASSWORD)).await.unwrap();
    (client, voter)
}

fn person(end_user: &EndUser) -> Person {
    Person::EndUser { end_user: end_user.id, client: end_user.client_id }
}

async fn stands(database: &TestDatabase, session: SessionId) -> bool {
    let session_state = PostgresSessions::new(database.db()).session_state(session).await.unwrap();
    session_state.is_some_and(|session_state| session_state.is_active)
}

/// Checks that one of the concurrent calls succeeded, and that the others were refused because of it.
async fn assert_one_was_first<E: Debug>(calls: Vec<JoinHandle<Result<(), E>>>, is_taken: fn(&E) -> bool) {
    let mut added = 0;
    for outcome in calls {
        match outcome.await.unwrap() {
            Ok(()) => added += 1,
            Err(error) => assert!(is_taken(&error), "{error:?}"),
        }
    }
    assert_eq!(added, 1);
}

/// Starts a change of the end user and their removal while another transaction has locked them.
struct ChangeAndRemoval {
    database: TestDatabase,
    end_users: PostgresEndUsers,
    voter: EndUser,
    session: SessionId,
    other: diesel::PgConnection,
}

impl ChangeAndRemoval {
    async fn held() -> Self {
        let database = TestDatabase::fresh().await;
        let samples = Samples::new();
        let (_, voter) = club(&database, &samples).await;
        let session = samples.session(person(&voter), "first");
        PostgresSessions::new(database.db()).open(session.clone()).await.unwrap();
        let mut other = database.connection();
        other.batch_execute("BEGIN; SELECT FROM end_users FOR UPDATE").unwrap();
        Self { end_users: PostgresEndUsers::new(database.db()), database, voter, session: session.id, other }
    }

    fn change(&self) -> JoinHandle<Result<EndUser, ChangeEndUserError>> {
        let (end_users, voter) = (self.end_users.clone(), self.voter.clone());
        let changes = EndUserChanges { is_active: Some(false), ..EndUserChanges::default() };
        let password = Some(Samples::new().set_password(InstantHasher::hash_of("a new password")));
        let update = EndUserUpdate { id: voter.id, changes, password };
        tokio::spawn(async move { end_users.update(voter.client_id, update, voter.created_at).await })
    }

    fn removal(&self) -> JoinHandle<Result<(), RemoveEndUserError>> {
        let (end_users, voter) = (self.end_users.clone(), self.voter.clone());
        tokio::spawn(async move { end_users.remove(voter.client_id, voter.id).await })
    }

    fn let_go(&mut self) {
        self.other.batch_execute("COMMIT").unwrap();
    }

    async fn assert_gone(&self) {
        assert_eq!(self.end_users.find(self.voter.client_id, self.voter.id).await.unwrap(), None);
        assert_eq!(PostgresSessions::new(self.database.db()).session_state(self.session).await.unwrap(), None);
    }
}
