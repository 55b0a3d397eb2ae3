//! Calls that need a client while another transaction changes its code or removes it, and may still be rolled back.

use plenum_adapter_postgres::{PostgresAuditTrail, PostgresJoinLinks, PostgresPasswords};
use plenum_clients::{
    Account, AuditTrail, JoinLinkStore, JoinLinkUse, JoinTokenHash, NewJoinLinks, NewReset, NotedAct, PasswordChange,
    PasswordStore, ResetTokenHash,
};
use plenum_kernel::PasswordSetter;

use super::*;

/// A client with an administrator and a voter, who have a session each, a reset link and a personal link that works once.
struct BusyClub {
    database: TestDatabase,
    samples: Samples,
    client: Client,
    admin: Account,
    voter: EndUser,
}

impl BusyClub {
    async fn new() -> Self {
        let database = TestDatabase::fresh().await;
        let samples = Samples::new();
        let client = samples.client("club");
        let admin = samples.admin_of(&client);
        PostgresClients::new(database.db()).add(client.clone(), admin.clone()).await.unwrap();
        let voter = samples.end_user(&client, "anna");
        PostgresEndUsers::new(database.db())
            .add(voter.clone(), InstantHasher::hash_of(Samples::PASSWORD))
            .await
            .unwrap();
        let club = Self { database, samples, client, admin, voter };
        for (owner, token) in [(club.admin.person(), "admin's"), (person(&club.voter), "voter's")] {
            let session = club.samples.session(owner, token);
            assert!(PostgresSessions::new(club.database.db()).open(session).await.unwrap());
        }
        let made_at = club.samples.now();
        let expires_at = made_at + TimeDelta::hours(1);
        let reset = NewReset {
            token: ResetTokenHash(b"reset".to_vec()),
            person: club.admin.person(),
            email: club.admin.email.clone(),
            password_hash: InstantHasher::hash_of(Samples::PASSWORD),
            made_at,
            expires_at,
        };
        assert!(PostgresPasswords::new(club.database.db()).store_reset(reset).await.unwrap());
        let link = NewJoinLinks {
            links: vec![(club.voter.id, JoinTokenHash(b"link".to_vec()))],
            meeting: None,
            is_single_use: true,
            setter: PasswordSetter { by: club.admin.id, reason: None },
            made_at,
            expires_at: Some(expires_at),
        };
        assert_eq!(PostgresJoinLinks::new(club.database.db()).make(club.client.id, link).await.unwrap().len(), 1);
        club
    }

    /// The outcomes of all calls that lock the client: whether each was carried out.
    async fn calls(&self, round: &str) -> Vec<(&'static str, Result<bool, PortFailure>)> {
        let (db, now) = (self.database.db(), self.samples.now());
        let sessions = PostgresSessions::new(db.clone());
        let passwords = PostgresPasswords::new(db.clone());
        let session = |owner, name: &str| self.samples.session(owner, &format!("{name} {round}"));
        let join_link = Some(JoinLinkUse { token: JoinTokenHash(b"link".to_vec()), code: None });
        let by_link = NewSession { join_link, ..session(person(&self.voter), "by link") };
        let checked = InstantHasher::hash_of(Samples::PASSWORD);
        let secret = SealedSecret(b"sealed".to_vec());
        let factor = NewFactor { person: self.admin.person(), checked: checked.clone(), secret, at: now };
        let (new, kept) = (InstantHasher::hash_of("another password"), self.samples.session_id());
        let change = PasswordChange { person: person(&self.voter), checked, new, kept, at: now };
        let trail = PostgresAuditTrail::new(db.clone());
        let (reset, set) = (ResetTokenHash(b"reset".to_vec()), InstantHasher::hash_of("a reset password"));
        vec![
            ("a voter's sign-in", sessions.open(session(person(&self.voter), "voter")).await),
            ("a sign-in by a link", sessions.open(by_link).await),
            ("an administrator's sign-in", sessions.open(session(self.admin.person(), "admin")).await),
            ("a sign-out everywhere", sessions.end_all(person(&self.voter), None, now).await.map(|ended| ended > 0)),
            ("a second factor", PostgresSecondFactors::new(db).begin(factor).await),
            ("an entry of the audit log", trail.note(NotedAct::EndUsersExported(self.client.id)).await.map(|()| true)),
            ("a change of the password", passwords.change(change).await),
            ("a reset", passwords.reset(&reset, set, now).await.map(|owner| owner.is_some())),
        ]
    }
}

/// None of them is refused, as if the password were wrong or the link void, and none waits.
#[tokio::test]
async fn people_of_a_client_whose_code_changes_are_asked_to_try_again_and_lose_nothing() {
    let club = BusyClub::new().await;
    for change in ["UPDATE clients SET client_code = 'another'", "SELECT FROM clients FOR UPDATE"] {
        let mut other = club.database.connection();
        other.batch_execute(&format!("BEGIN; {change}")).unwrap();
        let calls = tokio::time::timeout(Duration::from_secs(8), club.calls(change)).await.expect("none waits");
        for (call, outcome) in calls {
            assert!(outcome.as_ref().is_err_and(PortFailure::is_busy), "{call}: {outcome:?}");
        }
        other.batch_execute("ROLLBACK").unwrap();
    }
    for (call, outcome) in club.calls("afterwards").await {
        assert!(outcome.unwrap(), "{call}");
    }
}

/// Other changes of a client do not hold the lock.
#[tokio::test]
async fn people_of_a_client_whose_name_changes_sign_in() {
    let club = BusyClub::new().await;
    let mut other = club.database.connection();
    other.batch_execute("BEGIN; UPDATE clients SET name = 'Another club'").unwrap();
    for (call, outcome) in club.calls("meanwhile").await {
        assert!(outcome.unwrap(), "{call}");
    }
    other.batch_execute("ROLLBACK").unwrap();
}

/// A client that is gone has nobody.
#[tokio::test]
async fn people_of_a_removed_client_are_unknown() {
    let club = BusyClub::new().await;
    let (clients, now) = (PostgresClients::new(club.database.db()), club.samples.now());
    assert!(clients.remove(club.client.id, now).await.unwrap());
    let sessions = PostgresSessions::new(club.database.db());
    let session = club.samples.session(person(&club.voter), "late");
    assert!(!sessions.open(session).await.unwrap());
    assert_eq!(sessions.end_all(person(&club.voter), None, now).await.unwrap(), 0);
}
