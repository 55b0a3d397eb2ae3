//! Entries of the audit log, their protection against change, and their chains.

use std::net::IpAddr;

use diesel::connection::SimpleConnection;
use diesel::sql_types::{BigInt, Nullable, Text};
use diesel::{QueryableByName, RunQueryDsl};
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{
    AuditChains, PostgresAuditTrail, PostgresClients, PostgresEndUsers, PostgresSessions, on_behalf_of,
};
use plenum_clients::testkit::{InstantHasher, Samples};
use plenum_clients::{
    Account, AuditFilter, AuditScope, AuditTrail, Client, ClientStore, EndUser, EndUserChanges, EndUserStore,
    EndUserUpdate, ImportedPeople, NewRefreshToken, NewSession, NotedAct, RefreshTokenHash, SecondFactorProof,
    SessionOrigin, SessionStore,
};
use plenum_kernel::testkit::StillClock;
use plenum_kernel::{ActingPerson, Clock, Origin, Person, SessionId, VotingWeight};
use uuid::Uuid;

const SOMEWHERE: &str = "192.0.2.7";

#[derive(Debug, PartialEq, QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    by_role: String,
    #[diesel(sql_type = Nullable<Text>)]
    by_name: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    from_address: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    subject_name: Option<String>,
    #[diesel(sql_type = Text)]
    changes: String,
}

fn sign_in(id: SessionId, person: Person) -> NewSession {
    let issued_at = StillClock::new().now();
    NewSession {
        id,
        person,
        password_hash: InstantHasher::hash_of(Samples::PASSWORD),
        second_factor: SecondFactorProof::NotAsked,
        join_link: None,
        remember_me: false,
        origin: SessionOrigin::default(),
        first_token: NewRefreshToken {
            hash: RefreshTokenHash(id.as_uuid().as_bytes().to_vec()),
            issued_at,
            expires_at: issued_at + chrono::TimeDelta::days(1),
        },
    }
}

/// A client with an administrator and a voter.
struct Club {
    database: TestDatabase,
    client: Client,
    admin: Account,
    voter: EndUser,
}

impl Club {
    async fn fresh() -> Self {
        let database = TestDatabase::fresh().await;
        let samples = Samples::new();
        let client = samples.client("club");
        let (admin, voter) = (samples.admin_of(&client), samples.end_user(&client, "ben"));
        PostgresClients::new(database.db()).add(client.clone(), admin.clone()).await.unwrap();
        let club = Self { database, client, admin, voter };
        club.end_users().add(club.voter.clone(), InstantHasher::hash_of(Samples::PASSWORD)).await.unwrap();
        club
    }

    fn end_users(&self) -> PostgresEndUsers {
        PostgresEndUsers::new(self.database.db())
    }

    fn chains(&self) -> AuditChains {
        AuditChains::new(self.database.db())
    }

    /// The administrator who acts.
    fn origin(&self) -> Origin {
        let acting = ActingPerson { session: SessionId::from_uuid(Uuid::max()), person: self.admin.person() };
        Origin { acting: Some(acting), address: SOMEWHERE.parse::<IpAddr>().unwrap() }
    }

    /// Changes the voter's weight and password.
    async fn change(&self, weight: &str) {
        let weight = Some(VotingWeight::new(weight.parse().unwrap()).unwrap());
        let changes = EndUserChanges { weight, ..EndUserChanges::default() };
        let now = StillClock::new().now();
        let hash = InstantHasher::hash_of("another password");
        let update = EndUserUpdate { id: self.voter.id, changes, password: Some(Samples::new().set_password(hash)) };
        self.end_users().update(self.client.id, update, now).await.unwrap();
    }

    fn lines(&self, chain: Uuid) -> Vec<Line> {
        diesel::sql_query(format!(
            "SELECT kind, by_role, by_name, from_address, subject_name, changes::text AS changes FROM audit_entries
             WHERE chain = '{chain}' ORDER BY id"
        ))
        .load(&mut self.database.connection())
        .unwrap()
    }

    fn last(&self) -> Line {
        self.lines(self.client.id.as_uuid()).pop().unwrap()
    }

    fn number(&self, query: &str) -> i64 {
        #[derive(QueryableByName)]
        struct Number {
            #[diesel(sql_type = BigInt)]
            number: i64,
        }
        let query = format!("SELECT ({query})::bigint AS number");
        diesel::sql_query(query).get_result::<Number>(&mut self.database.connection()).unwrap().number
    }

    async fn link_all(&self) {
        while self.chains().link().await.unwrap() {}
    }
}

#[tokio::test]
async fn a_change_is_logged_with_its_person_address_and_content_but_no_password() {
    let club = Club::fresh().await;
    on_behalf_of(club.origin(), club.change("2.5")).await;
    let name = format!("{} {}", club.admin.first_name, club.admin.last_name);
    assert_eq!(
        club.last(),
        Line {
            kind: "end_user_changed".to_owned(),
            by_role: "CLIENT".to_owned(),
            by_name: Some(name),
            from_address: Some(SOMEWHERE.to_owned()),
            subject_name: Some(format!("{} (ben)", club.voter.name)),
            changes: format!(
                r#"[["password_hash", null, null], ["weight", "{}.0000", "2.5000"]]"#,
                club.voter.weight.as_decimal().trunc()
            ),
        }
    );
}

#[tokio::test]
async fn changes_without_a_caller_have_the_program_as_their_origin() {
    let club = Club::fresh().await;
    on_behalf_of(club.origin(), async { tokio::task::yield_now().await }).await;
    club.change("2.5").await;
    let last = club.last();
    assert_eq!((last.by_role.as_str(), last.by_name, last.from_address), ("SYSTEM", None, None));
}

#[tokio::test]
async fn a_connection_does_not_keep_whom_it_worked_for() {
    let club = Club::fresh().await;
    for round in 0..20 {
        on_behalf_of(club.origin(), club.change(&format!("{round}.25"))).await;
        assert_eq!(club.last().by_role, "CLIENT");
        club.change(&format!("{round}.5")).await;
        assert_eq!(club.last().by_role, "SYSTEM");
    }
}

#[tokio::test]
async fn people_changed_at_once_are_recorded_one_by_one() {
    let club = Club::fresh().await;
    let samples = Samples::new();
    let people: Vec<EndUser> = (101..401).map(|n| samples.end_user(&club.client, &format!("voter{n}"))).collect();
    let new = people.iter().map(|person| (person.clone(), InstantHasher::hash_of(Samples::PASSWORD))).collect();
    let (store, now) = (club.end_users(), StillClock::new().now());
    store.import(club.client.id, ImportedPeople { new, ..ImportedPeople::default() }, now).await.unwrap();
    let hundredths = |person: &EndUser| {
        let number: u32 = person.username.as_str()[5..].parse().unwrap();
        format!("{}.{:02}", number / 100, number % 100)
    };
    let heavier = |person: &EndUser| {
        let weight = VotingWeight::new(hundredths(person).parse().unwrap()).unwrap();
        let changes = EndUserChanges { weight: Some(weight), ..EndUserChanges::default() };
        EndUserUpdate { id: person.id, changes, password: None }
    };
    let changed = people.iter().map(heavier).collect();
    let people_changed = ImportedPeople { changed, ..ImportedPeople::default() };
    on_behalf_of(club.origin(), async { store.import(club.client.id, people_changed, now).await.unwrap() }).await;
    let lines = club.lines(club.client.id.as_uuid());
    let (came, became): (Vec<&Line>, Vec<&Line>) =
        lines[lines.len() - 600..].iter().partition(|line| line.kind == "end_user_created");
    assert_eq!([came.len(), became.len()], [300, 300]);
    for person in &people {
        let name = Some(format!("{} ({})", person.name, person.username.as_str()));
        let logged: Vec<_> = became.iter().filter(|line| line.subject_name == name).collect();
        assert_eq!(logged.len(), 1);
        assert!(logged[0].changes.ends_with(&format!("\"{}00\"]]", hundredths(person))), "{:?}", logged[0]);
    }
}

#[tokio::test]
async fn a_refused_change_leaves_no_entry() {
    let club = Club::fresh().await;
    let before = club.number("SELECT count(*) FROM audit_entries");
    let mut twin = Samples::new().end_user(&club.client, "other");
    twin.id = plenum_kernel::EndUserId::from_uuid(Uuid::max());
    twin.username = club.voter.username.clone();
    twin.client_id = club.client.id;
    club.end_users().add(twin, InstantHasher::hash_of(Samples::PASSWORD)).await.unwrap_err();
    assert_eq!(club.number("SELECT count(*) FROM audit_entries"), before);
}

#[tokio::test]
async fn a_column_that_is_added_later_is_noted_without_its_content() {
    let club = Club::fresh().await;
    let later =
        "ALTER TABLE accounts ADD COLUMN one_time_secret TEXT; UPDATE accounts SET one_time_secret = 'JBSWY3DP'";
    club.database.connection().batch_execute(later).unwrap();
    assert_eq!(club.last().changes, r#"[["one_time_secret", null, null]]"#);
}

#[tokio::test]
async fn sign_ins_their_ends_and_failed_ones_are_logged() {
    let club = Club::fresh().await;
    let (sessions, now) = (PostgresSessions::new(club.database.db()), StillClock::new().now());
    let person = Person::EndUser { end_user: club.voter.id, client: club.client.id };
    let session = SessionId::from_uuid(Uuid::from_u128(1));
    assert!(sessions.open(sign_in(session, person)).await.unwrap());
    on_behalf_of(Origin { acting: Some(ActingPerson { session, person }), ..club.origin() }, async {
        sessions.end(session, now).await.unwrap();
    })
    .await;
    let nobody = Origin { acting: None, ..club.origin() };
    let trail = PostgresAuditTrail::new(club.database.db());
    on_behalf_of(nobody, async { trail.note(NotedAct::SignInFailed(person)).await.unwrap() }).await;
    let lines = club.lines(club.client.id.as_uuid());
    let logged: Vec<_> =
        lines.iter().rev().take(3).rev().map(|line| (line.kind.as_str(), line.by_role.as_str())).collect();
    assert_eq!(logged, [("signed_in", "END_USER"), ("signed_out", "END_USER"), ("sign_in_failed", "NOBODY")]);
    assert_eq!(lines.last().unwrap().subject_name, lines[lines.len() - 2].by_name);
}

#[tokio::test]
async fn no_sign_in_or_change_waits_for_a_chain() {
    let club = Club::fresh().await;
    club.link_all().await;
    let mut chainer = club.database.connection();
    // More entries than one transaction links.
    let hold = "BEGIN; LOCK TABLE audit_heads IN ACCESS EXCLUSIVE MODE; SELECT FROM audit_entries FOR UPDATE;
                SELECT pg_advisory_xact_lock(hashtextextended(current_schema()::text, 2))";
    chainer.batch_execute(hold).unwrap();
    let person = Person::EndUser { end_user: club.voter.id, client: club.client.id };
    let sessions = PostgresSessions::new(club.database.db());
    for number in 1..=3 {
        let id = SessionId::from_uuid(Uuid::from_u128(number));
        assert!(sessions.open(sign_in(id, person)).await.unwrap());
    }
    club.change("2.5").await;
    assert!(!club.chains().link().await.unwrap());
    chainer.batch_execute("COMMIT").unwrap();
    assert_eq!(club.last().kind, "session_ended", "a new password ends them");
}

#[tokio::test]
async fn the_log_is_only_written_on() {
    let club = Club::fresh().await;
    club.link_all().await;
    club.change("2.5").await;
    let mut conn = club.database.connection();
    for statement in [
        "UPDATE audit_entries SET kind = 'client_changed'",
        "UPDATE audit_entries SET hash = '\\x00' WHERE number = 1",
        "UPDATE audit_entries SET number = 9, previous_hash = '', hash = '', by_name = 'Eve' WHERE number IS NULL",
        "DELETE FROM audit_entries",
        "DELETE FROM audit_entries WHERE number IS NULL",
        "TRUNCATE audit_entries",
        "UPDATE audit_heads SET number = number - 1",
        "UPDATE audit_heads SET hash = '\\x00'",
        "DELETE FROM audit_heads",
        "TRUNCATE audit_heads",
    ] {
        let refused = conn.batch_execute(statement).unwrap_err().to_string();
        assert!(refused.contains("only"), "{statement}: {refused}");
    }
}

#[tokio::test]
async fn entries_of_racing_writers_and_linkers_form_one_chain_without_a_gap() {
    let club = Club::fresh().await;
    let chain = club.client.id.as_uuid();
    let mut work = tokio::task::JoinSet::new();
    for _ in 0..32 {
        let trail = PostgresAuditTrail::new(club.database.db());
        let scope = NotedAct::EndUsersExported(club.client.id);
        work.spawn(async move { trail.note(scope).await.map(drop) });
        let chains = club.chains();
        work.spawn(async move { chains.link().await.map(drop) });
    }
    while let Some(outcome) = work.join_next().await {
        outcome.unwrap().unwrap();
    }
    assert_eq!(club.lines(chain).len(), 35);
    club.link_all().await;
    let state = club.chains().state(chain).await.unwrap();
    assert_eq!((state.head.clone().unwrap().0, state.waiting), (35, 0));
    let page = club.chains().page(chain, 0).await.unwrap();
    assert!(page.entries.iter().map(|entry| entry.number).eq(1..=35));
    assert!(page.entries.windows(2).all(|pair| pair[1].previous_hash == pair[0].hash));
    assert_eq!(club.chains().all().await.unwrap(), [Uuid::nil(), chain]);
}

#[tokio::test]
async fn actions_of_super_administrators_are_in_the_platforms_log_too() {
    let club = Club::fresh().await;
    let root = Samples::new().super_admin("root@example.org");
    let origin = Origin {
        acting: Some(ActingPerson { session: SessionId::from_uuid(Uuid::max()), person: root.person() }),
        ..club.origin()
    };
    let before = club.lines(Uuid::nil()).len();
    club.change("2.5").await;
    club.link_all().await;
    let trail = PostgresAuditTrail::new(club.database.db());
    trail.note(NotedAct::EndUsersExported(club.client.id)).await.unwrap();
    assert_eq!(club.lines(Uuid::nil()).len(), before, "what a client does is its own business");
    on_behalf_of(origin, club.change("3.5")).await;
    let platform = club.lines(Uuid::nil());
    assert_eq!(platform.len(), before + 1);
    assert_eq!(platform.last(), Some(&club.last()));
}

#[tokio::test]
async fn the_log_of_a_removed_client_stays_and_ends_with_its_removal() {
    let club = Club::fresh().await;
    club.link_all().await;
    let before = club.lines(club.client.id.as_uuid()).len();
    let clients = PostgresClients::new(club.database.db());
    let removal = clients.remove(club.client.id, StillClock::new().now());
    assert!(on_behalf_of(club.origin(), removal).await.unwrap());
    assert_eq!(club.lines(club.client.id.as_uuid()).len(), before + 1);
    let last = club.last();
    assert_eq!((last.kind.as_str(), last.by_role.as_str()), ("client_deleted", "CLIENT"));
    assert_eq!(last.subject_name, Some(club.client.name.to_string()));
    // It is linked like all others, although its client is deleted.
    club.link_all().await;
    assert_eq!(club.number("SELECT count(*) FROM audit_entries WHERE number IS NULL"), 0);
    assert_eq!(club.number("SELECT count(*) FROM audit_heads"), 2);
    let logged: Vec<_> = club.lines(Uuid::nil()).into_iter().map(|line| line.kind).collect();
    assert_eq!(logged, ["client_created", "client_deleted"]);
    let trail = PostgresAuditTrail::new(club.database.db());
    trail.note(NotedAct::EndUsersExported(club.client.id)).await.unwrap();
    assert_eq!(club.lines(club.client.id.as_uuid()).len(), before + 1, "nothing is noted in a client that is gone");
}

#[tokio::test]
async fn the_log_of_a_client_that_is_test_data_goes_with_it_unless_a_result_was_real() {
    for (has_real_result, left) in [(false, 0), (true, 1)] {
        let club = Club::fresh().await;
        club.link_all().await;
        let id = club.client.id;
        let mut statements = format!("UPDATE clients SET name = 'TEST_Club' WHERE id = '{id}'");
        if has_real_result {
            statements += &format!(
                "; INSERT INTO result_records VALUES (gen_random_uuid(), '{id}', gen_random_uuid(), 1, repeat('0', 64), '',
                       '', now(), '{{}}', false)"
            );
        }
        club.database.connection().batch_execute(&statements).unwrap();
        assert!(PostgresClients::new(club.database.db()).remove(id, StillClock::new().now()).await.unwrap());
        let heads = club.number(&format!("SELECT count(*) FROM audit_heads WHERE chain = '{id}'"));
        assert_eq!(heads, left, "{has_real_result}");
        assert_eq!(club.lines(id.as_uuid()).is_empty(), !has_real_result);
    }
}

#[tokio::test]
async fn a_log_is_read_the_newest_first_in_pages_that_fit_together() {
    let club = Club::fresh().await;
    let trail = PostgresAuditTrail::new(club.database.db());
    for _ in 0..5 {
        trail.note(NotedAct::EndUsersExported(club.client.id)).await.unwrap();
    }
    let scope = AuditScope::Client(club.client.id);
    let all = trail.list(scope, &AuditFilter::default(), 100).await.unwrap();
    assert_eq!(all.len(), 8);
    let (mut filter, mut read) = (AuditFilter::default(), Vec::new());
    loop {
        let page = trail.list(scope, &filter, 3).await.unwrap();
        filter.behind = page.last().map(|entry| entry.place);
        read.extend(page.iter().cloned());
        if page.len() < 3 {
            break;
        }
    }
    assert_eq!(read, all);
    assert!(all.windows(2).all(|pair| pair[0].place > pair[1].place));
    let newest = all[0].place.at;
    let until = AuditFilter { until: Some(newest), ..AuditFilter::default() };
    assert_eq!(trail.list(scope, &until, 100).await.unwrap(), all[1..]);
    let from = AuditFilter { from: Some(newest), ..AuditFilter::default() };
    assert_eq!(trail.list(scope, &from, 100).await.unwrap(), all[..1]);
    let kind = AuditFilter { kind: Some("end_user_created"), ..AuditFilter::default() };
    assert_eq!(trail.list(scope, &kind, 100).await.unwrap().len(), 1);
}
