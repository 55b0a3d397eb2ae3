//! Races for client codes, usernames and end users.

use super::*;

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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_concurrent_end_users_gets_the_username() {
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
    let calls: Vec<_> = (0..CONCURRENT_CALLS)
        .map(|number| {
            let end_user = samples.end_user(&client, if number % 2 == 0 { "bert" } else { "Bert" });
            let end_users = end_users.clone();
            tokio::spawn(async move { end_users.add(end_user, InstantHasher::hash_of("a password")).await })
        })
        .collect();
    until_waiting(&database, CONCURRENT_CALLS).await;
    other.batch_execute("ROLLBACK").unwrap();

    assert_one_was_first(calls, |error| matches!(error, AddEndUserError::UsernameTaken)).await;
    assert_eq!(end_users.stats(client.id).await.unwrap().total, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_concurrent_clients_gets_the_code() {
    let database = TestDatabase::fresh().await;
    let samples = Samples::new();
    let clients = PostgresClients::new(wide(&database));
    let mut other = database.connection();
    other.batch_execute(&format!("BEGIN; {CLUB}")).unwrap();
    let calls: Vec<_> = (0..CONCURRENT_CALLS)
        .map(|number| {
            let client = samples.client("club");
            let mut admin = samples.admin_of(&client);
            admin.email = EmailAddress::parse(&format!("admin{number}@example.org")).unwrap();
            let clients = clients.clone();
            tokio::spawn(async move { clients.add(client, admin).await })
        })
        .collect();
    until_waiting(&database, CONCURRENT_CALLS).await;
    other.batch_execute("ROLLBACK").unwrap();

    assert_one_was_first(calls, |error| matches!(error, AddClientError::CodeTaken)).await;
    assert_eq!(clients.stats().await.unwrap().total, 1);
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
    removal.await.unwrap().unwrap();
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
    removal.await.unwrap().unwrap();
    let refused = change.await.unwrap();
    assert!(matches!(refused, Err(ChangeEndUserError::NotFound)), "{refused:?}");
    held.assert_gone().await;
}

/// Both change the maintained count of the client's end users. The import locks it from its first such statement on, so it
/// must have locked the end users that it changes and all usernames before.
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
        async move { end_users.import(owner, ImportedPeople { groups: Vec::new(), new, changed }, now).await }
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
