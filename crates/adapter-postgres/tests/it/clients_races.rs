//! Races whose window is held open on purpose: another transaction is in the way until the store waits for it.

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
    EndUserStore, EndUserUpdate, FactorConfirmation, NewFactor, NewSession, RecoveryCodeHash, Rotation, SealedSecret,
    SecondFactorProof, SecondFactorStore, SessionStore, TotpStep,
};
use plenum_kernel::{EmailAddress, Person, PortFailure, SessionId};
use tokio::task::JoinHandle;

/// Waits until some connection of this test waits for a lock on one of its tables.
async fn until_someone_waits(database: &TestDatabase) {
    until_waiting(database, 1).await;
}

/// Waits until so many connections of this test wait.
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
    PostgresEndUsers::new(database.db()).add(voter.clone(), InstantHasher::hash_of(Samples::PASSWORD)).await.unwrap();
    let sessions = PostgresSessions::new(database.db());
    let session = samples.session(Person::EndUser { end_user: voter.id, client: client.id }, "first");
    sessions.open(session.clone()).await.unwrap();

    let mut other = database.connection();
    let long_ago = samples.now() - TimeDelta::hours(1);
    other.batch_execute(&format!("BEGIN; UPDATE refresh_tokens SET used_at = '{}'", long_ago.to_rfc3339())).unwrap();
    let (waiting, now) = (sessions.clone(), samples.now());
    let refreshing =
        tokio::spawn(async move { waiting.rotate(PlainRefreshTokens::renewal("first", "next"), now).await });
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

/// How many come at once.
const CROWD: i64 = 20;

/// A pool in which a crowd waits for the database, and not for one another.
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
    let standing = PostgresSessions::new(database.db()).standing(session).await.unwrap();
    standing.is_some_and(|standing| standing.is_active)
}

/// Of a crowd that wanted the same, one has got it, and the others are told that it is taken.
async fn assert_one_was_first<E: Debug>(crowd: Vec<JoinHandle<Result<(), E>>>, is_taken: fn(&E) -> bool) {
    let mut added = 0;
    for outcome in crowd {
        match outcome.await.unwrap() {
            Ok(()) => added += 1,
            Err(error) => assert!(is_taken(&error), "{error:?}"),
        }
    }
    assert_eq!(added, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_crowd_that_adds_one_username_at_once_one_does() {
    let database = TestDatabase::fresh().await;
    let samples = Samples::new();
    let (client, _) = club(&database, &samples).await;
    let end_users = PostgresEndUsers::new(wide(&database));
    let mut other = database.connection();
    other
        .batch_execute(&format!(
            "BEGIN; INSERT INTO end_users VALUES ('00000000-0000-0000-0000-000000000001', '{}', 'BERT', 'Bert', NULL,
                                                  NULL, 1, true, 'hash', NULL, now())",
            client.id
        ))
        .unwrap();
    let crowd: Vec<_> = (0..CROWD)
        .map(|number| {
            let end_user = samples.end_user(&client, if number % 2 == 0 { "bert" } else { "Bert" });
            let end_users = end_users.clone();
            tokio::spawn(async move { end_users.add(end_user, InstantHasher::hash_of("a password")).await })
        })
        .collect();
    until_waiting(&database, CROWD).await;
    other.batch_execute("ROLLBACK").unwrap();

    assert_one_was_first(crowd, |error| matches!(error, AddEndUserError::UsernameTaken)).await;
    assert_eq!(end_users.stats(client.id).await.unwrap().total, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_crowd_that_takes_one_client_code_at_once_one_does() {
    let database = TestDatabase::fresh().await;
    let samples = Samples::new();
    let clients = PostgresClients::new(wide(&database));
    let mut other = database.connection();
    other.batch_execute(&format!("BEGIN; {CLUB}")).unwrap();
    let crowd: Vec<_> = (0..CROWD)
        .map(|number| {
            let client = samples.client("club");
            let mut admin = samples.admin_of(&client);
            admin.email = EmailAddress::parse(&format!("admin{number}@example.org")).unwrap();
            let clients = clients.clone();
            tokio::spawn(async move { clients.add(client, admin).await })
        })
        .collect();
    until_waiting(&database, CROWD).await;
    other.batch_execute("ROLLBACK").unwrap();

    assert_one_was_first(crowd, |error| matches!(error, AddClientError::CodeTaken)).await;
    assert_eq!(clients.stats().await.unwrap().total, 1);
}

/// Rotates `presented` as a crowd does, held back until all are there, and gives what became of them.
async fn rotate_at_once(database: &TestDatabase, presented: &str, now: chrono::DateTime<chrono::Utc>) -> Vec<Rotation> {
    let sessions = PostgresSessions::new(wide(database));
    let mut other = database.connection();
    other.batch_execute("BEGIN; SELECT FROM refresh_tokens FOR UPDATE").unwrap();
    let crowd: Vec<JoinHandle<Result<Rotation, PortFailure>>> = (0..CROWD)
        .map(|_| {
            let renewal = PlainRefreshTokens::renewal(presented, &format!("after {presented}"));
            let sessions = sessions.clone();
            tokio::spawn(async move { sessions.rotate(renewal, now).await })
        })
        .collect();
    until_waiting(database, CROWD).await;
    other.batch_execute("COMMIT").unwrap();
    let mut outcomes = Vec::new();
    for outcome in crowd {
        outcomes.push(outcome.await.unwrap().unwrap());
    }
    outcomes
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_that_renews_one_token_at_once_is_renewed_and_goes_on() {
    let database = TestDatabase::fresh().await;
    let samples = Samples::new();
    let (_, voter) = club(&database, &samples).await;
    let sessions = PostgresSessions::new(database.db());
    let session = samples.session(person(&voter), "first");
    sessions.open(session.clone()).await.unwrap();
    let renewed = Rotation::Renewed { session: session.id, person: session.person };
    let outcomes = rotate_at_once(&database, "first", samples.now()).await;
    assert_eq!(outcomes, vec![renewed; outcomes.len()]);
    let next = PlainRefreshTokens::renewal("after first", "after all");
    assert_eq!(sessions.rotate(next, samples.now()).await.unwrap(), renewed);
    let statement = "SELECT 1 FROM refresh_tokens";
    let tokens = diesel::sql_query(statement).execute(&mut database.connection()).unwrap();
    assert_eq!(tokens, 3, "one for each renewal, and none for each of the crowd");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stolen_token_that_a_crowd_presents_ends_its_own_family_alone() {
    let database = TestDatabase::fresh().await;
    let samples = Samples::new();
    let (_, voter) = club(&database, &samples).await;
    let sessions = PostgresSessions::new(database.db());
    let stolen = samples.session(person(&voter), "first");
    let other = samples.session(person(&voter), "on the laptop");
    for session in [&stolen, &other] {
        sessions.open(session.clone()).await.unwrap();
    }
    let now = samples.now();
    sessions.rotate(PlainRefreshTokens::renewal("first", "after first"), now).await.unwrap();

    let later = now + TimeDelta::seconds(31);
    let outcomes = rotate_at_once(&database, "first", later).await;
    assert_eq!(outcomes, vec![Rotation::Refused; outcomes.len()]);
    assert!(!stands(&database, stolen.id).await);
    let refused = sessions.rotate(PlainRefreshTokens::renewal("after first", "third"), later).await.unwrap();
    assert_eq!(refused, Rotation::Refused);
    assert!(stands(&database, other.id).await);
    let renewed = sessions.rotate(PlainRefreshTokens::renewal("on the laptop", "next"), later).await.unwrap();
    assert_eq!(renewed, Rotation::Renewed { session: other.id, person: other.person });
}

/// Whoever sweeps takes no token whose session is being renewed at this moment, and waits for nobody.
#[tokio::test]
async fn the_sweep_passes_by_what_is_being_renewed() {
    let database = TestDatabase::fresh().await;
    let samples = Samples::new();
    let (_, voter) = club(&database, &samples).await;
    let sessions = PostgresSessions::new(database.db());
    let (held, idle) = (samples.session(person(&voter), "held"), samples.session(person(&voter), "idle"));
    for session in [&held, &idle] {
        sessions.open(session.clone()).await.unwrap();
    }
    let much_later = samples.now() + TimeDelta::days(2);
    let mut other = database.connection();
    other
        .batch_execute(&format!(
            "BEGIN; UPDATE sessions SET expires_at = '{}' WHERE id = '{}'",
            (much_later + TimeDelta::days(1)).to_rfc3339(),
            held.id
        ))
        .unwrap();
    // The session that nobody uses, and the first token of the other.
    assert_eq!(sessions.sweep(much_later, 100).await.unwrap(), 2);
    other.batch_execute("COMMIT").unwrap();
    assert_eq!(sessions.sweep(much_later, 100).await.unwrap(), 0);
    assert!(stands(&database, held.id).await);
    assert_eq!(sessions.standing(idle.id).await.unwrap(), None);
}

/// Starts a change of the end user, and their removal, once another transaction has locked them.
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
        let password = Some(InstantHasher::hash_of("a new password"));
        let update = EndUserUpdate { id: voter.id, changes, password };
        tokio::spawn(async move { end_users.update(voter.client_id, update, voter.created_at).await })
    }

    fn removal(&self) -> JoinHandle<Result<bool, PortFailure>> {
        let (end_users, voter) = (self.end_users.clone(), self.voter.clone());
        tokio::spawn(async move { end_users.remove(voter.client_id, voter.id).await })
    }

    fn let_go(&mut self) {
        self.other.batch_execute("COMMIT").unwrap();
    }

    async fn assert_gone(&self) {
        assert_eq!(self.end_users.find(self.voter.client_id, self.voter.id).await.unwrap(), None);
        assert_eq!(PostgresSessions::new(self.database.db()).standing(self.session).await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_change_before_the_removal_is_made_and_goes_with_the_end_user() {
    let mut held = ChangeAndRemoval::held().await;
    let change = held.change();
    until_waiting(&held.database, 1).await;
    let removal = held.removal();
    until_waiting(&held.database, 2).await;
    held.let_go();
    assert!(!change.await.unwrap().unwrap().is_active);
    assert!(removal.await.unwrap().unwrap());
    held.assert_gone().await;
}

#[tokio::test]
async fn a_change_after_the_removal_finds_nobody() {
    let mut held = ChangeAndRemoval::held().await;
    let removal = held.removal();
    until_waiting(&held.database, 1).await;
    let change = held.change();
    until_waiting(&held.database, 2).await;
    held.let_go();
    assert!(removal.await.unwrap().unwrap());
    let refused = change.await.unwrap();
    assert!(matches!(refused, Err(ChangeEndUserError::NotFound)), "{refused:?}");
    held.assert_gone().await;
}

/// Both lock the session before its tokens.
#[tokio::test]
async fn a_renewal_and_the_removal_of_its_owner_do_not_wait_for_each_other_in_a_circle() {
    let database = TestDatabase::fresh().await;
    let samples = Samples::new();
    let (client, voter) = club(&database, &samples).await;
    let sessions = PostgresSessions::new(database.db());
    let session = samples.session(person(&voter), "first");
    sessions.open(session.clone()).await.unwrap();
    let mut other = database.connection();
    other.batch_execute("BEGIN; SELECT FROM refresh_tokens FOR UPDATE").unwrap();
    let now = samples.now();
    let renewal = tokio::spawn(async move { sessions.rotate(PlainRefreshTokens::renewal("first", "next"), now).await });
    until_waiting(&database, 1).await;
    let end_users = PostgresEndUsers::new(database.db());
    let removal = tokio::spawn(async move { end_users.remove(client.id, voter.id).await });
    until_waiting(&database, 2).await;
    other.batch_execute("COMMIT").unwrap();
    let renewed = Rotation::Renewed { session: session.id, person: session.person };
    assert_eq!(renewal.await.unwrap().unwrap(), renewed);
    assert!(removal.await.unwrap().unwrap());
    assert_eq!(PostgresSessions::new(database.db()).standing(session.id).await.unwrap(), None);
}

/// Whoever gave the voter a new password signed them out everywhere, also from where they were just signing in.
#[tokio::test]
async fn a_sign_in_by_the_old_password_does_not_outlive_its_change() {
    let mut held = ChangeAndRemoval::held().await;
    let change = held.change();
    until_waiting(&held.database, 1).await;
    let session = Samples::new().session(person(&held.voter), "late");
    let (sessions, late) = (PostgresSessions::new(held.database.db()), session.clone());
    let sign_in = tokio::spawn(async move { sessions.open(late).await });
    until_waiting(&held.database, 2).await;
    held.let_go();
    change.await.unwrap().unwrap();
    assert!(!sign_in.await.unwrap().unwrap());
    let standing = PostgresSessions::new(held.database.db()).standing(session.id).await.unwrap();
    assert_eq!(standing, None);
}

/// Both lock the client before its people.
#[tokio::test]
async fn a_sign_in_and_the_removal_of_its_client_do_not_wait_for_each_other_in_a_circle() {
    let database = TestDatabase::fresh().await;
    let samples = Samples::new();
    let (client, voter) = club(&database, &samples).await;
    let mut other = database.connection();
    other.batch_execute("BEGIN; SELECT FROM end_users FOR UPDATE").unwrap();
    let session = samples.session(person(&voter), "first");
    let (sessions, opened) = (PostgresSessions::new(database.db()), session.clone());
    let sign_in = tokio::spawn(async move { sessions.open(opened).await });
    until_waiting(&database, 1).await;
    let (clients, now) = (PostgresClients::new(database.db()), samples.now());
    let removal = tokio::spawn(async move { clients.remove(client.id, now).await });
    until_waiting(&database, 2).await;
    other.batch_execute("COMMIT").unwrap();
    sign_in.await.unwrap().unwrap();
    assert!(removal.await.unwrap().unwrap());
    assert_eq!(PostgresSessions::new(database.db()).standing(session.id).await.unwrap(), None);
}

/// Both change the number of the client's end users. The import has it from its first statement that changes one, and so
/// has to have whomever it changes and all usernames before.
#[tokio::test]
async fn an_import_and_a_newcomer_of_the_same_name_do_not_wait_for_each_other_in_a_circle() {
    let database = TestDatabase::fresh().await;
    let samples = Samples::new();
    let (client, voter) = club(&database, &samples).await;
    PostgresSessions::new(database.db()).open(samples.session(person(&voter), "first")).await.unwrap();
    let mut other = database.connection();
    other.batch_execute("BEGIN; SELECT FROM sessions FOR UPDATE").unwrap();

    let hash = || InstantHasher::hash_of("a password");
    let changes = EndUserChanges { is_active: Some(false), ..EndUserChanges::default() };
    let changed = vec![EndUserUpdate { id: voter.id, changes, password: None }];
    let new = vec![(samples.end_user(&client, "newcomer"), hash())];
    let (end_users, now) = (PostgresEndUsers::new(database.db()), samples.now());
    let import = tokio::spawn({
        let (end_users, owner) = (end_users.clone(), client.id);
        async move { end_users.import(owner, new, changed, now).await }
    });
    until_waiting(&database, 1).await;
    let namesake = samples.end_user(&client, "newcomer");
    let coming = tokio::spawn({
        let end_users = end_users.clone();
        async move { end_users.add(namesake, hash()).await }
    });
    until_waiting(&database, 2).await;
    other.batch_execute("COMMIT").unwrap();

    import.await.unwrap().unwrap();
    let refused = coming.await.unwrap();
    assert!(matches!(refused, Err(AddEndUserError::UsernameTaken)), "{refused:?}");
    let stats = end_users.stats(client.id).await.unwrap();
    assert_eq!((stats.active, stats.inactive), (1, 1));
}

/// A hall that signs in does not queue up for the numbers of its client, which an import may hold.
#[tokio::test]
async fn a_sign_in_does_not_wait_for_who_changes_the_number_of_end_users() {
    let database = TestDatabase::fresh().await;
    let samples = Samples::new();
    let (_, voter) = club(&database, &samples).await;
    let mut other = database.connection();
    other.batch_execute("BEGIN; SELECT FROM end_user_counts FOR UPDATE").unwrap();
    let session = samples.session(person(&voter), "first");
    let sessions = PostgresSessions::new(database.db());
    let opened = tokio::time::timeout(Duration::from_secs(8), sessions.open(session)).await.expect("it waits");
    assert!(opened.unwrap());
    other.batch_execute("COMMIT").unwrap();
}

/// All of them have found the code good before any of them has used it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_crowd_that_comes_with_one_code_at_once_one_is_let_in() {
    let database = TestDatabase::fresh().await;
    let samples = Samples::new();
    let root = samples.super_admin("root@example.org");
    PostgresAccounts::new(database.db()).add(root.clone()).await.unwrap();
    let factors = PostgresSecondFactors::new(database.db());
    let (person, at, secret) = (root.person(), samples.now(), SealedSecret(vec![7]));
    let new = NewFactor { person, checked: root.password_hash.clone(), secret: secret.clone(), at };
    assert!(factors.begin(new).await.unwrap());
    let (codes, kept) = (vec![RecoveryCodeHash(vec![8])], samples.session_id());
    let confirmation = FactorConfirmation { person, secret, step: TotpStep(1), codes, kept, at };
    assert!(factors.confirm(confirmation).await.unwrap());
    let sessions = PostgresSessions::new(wide(&database));
    for proof in [SecondFactorProof::Step(TotpStep(2)), SecondFactorProof::Recovery(RecoveryCodeHash(vec![8]))] {
        let mut other = database.connection();
        other.batch_execute("BEGIN; SELECT FROM accounts FOR UPDATE").unwrap();
        let crowd: Vec<_> = (0..CROWD)
            .map(|number| {
                let token = format!("{proof:?} {number}");
                let session = NewSession { second_factor: proof.clone(), ..samples.session(person, &token) };
                let sessions = sessions.clone();
                tokio::spawn(async move { sessions.open(session).await.unwrap() })
            })
            .collect();
        until_waiting(&database, CROWD).await;
        other.batch_execute("COMMIT").unwrap();
        let mut let_in = 0;
        for outcome in crowd {
            let_in += usize::from(outcome.await.unwrap());
        }
        assert_eq!(let_in, 1, "{proof:?}");
    }
}
