//! Races for sessions, tokens and codes of second factors.

use super::*;

/// A refresh that has to wait decides by the state afterwards.
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

    assert_eq!(refreshing.await.unwrap().unwrap(), Rotation::Stolen { session: session.id });
    assert!(
        !sessions.session_state(session.id).await.unwrap().unwrap().is_active,
        "the stolen token ended the session"
    );
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

    assert_eq!(sessions.session_state(outdated.id).await.unwrap(), None);
    assert!(sessions.session_state(next.id).await.unwrap().is_some());
    let tokens: Count = diesel::sql_query("SELECT count(*) AS count FROM refresh_tokens")
        .get_result(&mut database.connection())
        .unwrap();
    assert_eq!(tokens.count, 1);
}

/// Rotates `presented` by many concurrent calls, held until all have begun, and returns their outcomes.
async fn rotate_at_once(database: &TestDatabase, presented: &str, now: chrono::DateTime<chrono::Utc>) -> Vec<Rotation> {
    let sessions = PostgresSessions::new(wide(database));
    let mut other = database.connection();
    other.batch_execute("BEGIN; SELECT FROM refresh_tokens FOR UPDATE").unwrap();
    let calls: Vec<JoinHandle<Result<Rotation, PortFailure>>> = (0..CONCURRENT_CALLS)
        .map(|_| {
            let renewal = PlainRefreshTokens::renewal(presented, &format!("after {presented}"));
            let sessions = sessions.clone();
            tokio::spawn(async move { sessions.rotate(renewal, now).await })
        })
        .collect();
    until_waiting(database, CONCURRENT_CALLS).await;
    other.batch_execute("COMMIT").unwrap();
    let mut outcomes = Vec::new();
    for outcome in calls {
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
    assert_eq!(tokens, 3, "one for each renewal, and none for each of the calls");
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
    let ended = outcomes.iter().filter(|outcome| **outcome == Rotation::Stolen { session: stolen.id }).count();
    let refused = outcomes.iter().filter(|outcome| **outcome == Rotation::Refused).count();
    assert_eq!((ended, refused), (1, outcomes.len() - 1), "one of them ends the session, and the others find it ended");
    assert!(!stands(&database, stolen.id).await);
    let refused = sessions.rotate(PlainRefreshTokens::renewal("after first", "third"), later).await.unwrap();
    assert_eq!(refused, Rotation::Refused);
    assert!(stands(&database, other.id).await);
    let renewed = sessions.rotate(PlainRefreshTokens::renewal("on the laptop", "next"), later).await.unwrap();
    assert_eq!(renewed, Rotation::Renewed { session: other.id, person: other.person });
}

/// The hourly job skips tokens whose session is being renewed, and waits for nothing.
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
    // The unused session, and the first token of the other one.
    assert_eq!(sessions.sweep(much_later, 100).await.unwrap(), 2);
    other.batch_execute("COMMIT").unwrap();
    assert_eq!(sessions.sweep(much_later, 100).await.unwrap(), 0);
    assert!(stands(&database, held.id).await);
    assert_eq!(sessions.session_state(idle.id).await.unwrap(), None);
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
    removal.await.unwrap().unwrap();
    assert_eq!(PostgresSessions::new(database.db()).session_state(session.id).await.unwrap(), None);
}

/// A new password signs the voter out everywhere, including a sign-in at the same moment.
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
    let session_state = PostgresSessions::new(held.database.db()).session_state(session.id).await.unwrap();
    assert_eq!(session_state, None);
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
    removal.await.unwrap().unwrap();
    assert_eq!(PostgresSessions::new(database.db()).session_state(session.id).await.unwrap(), None);
}

/// Sign-ins do not wait for the maintained counts of their client, which an import may have locked.
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

/// All calls found the code valid before any of them spent it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_concurrent_sign_ins_with_one_code_succeeds() {
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
        let calls: Vec<_> = (0..CONCURRENT_CALLS)
            .map(|number| {
                let token = format!("{proof:?} {number}");
                let session = NewSession { second_factor: proof.clone(), ..samples.session(person, &token) };
                let sessions = sessions.clone();
                tokio::spawn(async move { sessions.open(session).await.unwrap() })
            })
            .collect();
        until_waiting(&database, CONCURRENT_CALLS).await;
        other.batch_execute("COMMIT").unwrap();
        let mut let_in = 0;
        for outcome in calls {
            let_in += usize::from(outcome.await.unwrap());
        }
        assert_eq!(let_in, 1, "{proof:?}");
    }
}
