//! What tests ask and change in the database themselves.

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use diesel::pg::PgConnection;
use diesel::sql_types::{BigInt, Uuid as SqlUuid};
use diesel::{QueryableByName, RunQueryDsl};
use plenum_adapter_postgres::{Db, PostgresPasswords};
use plenum_clients::{PasswordChange, PasswordHash, PasswordStore as _};
use plenum_kernel::{Person, SessionId};
use plenum_voting::LogKind;

pub(crate) fn count(conn: &mut PgConnection, query: &str) -> i64 {
    #[derive(QueryableByName)]
    struct Count {
        #[diesel(sql_type = BigInt)]
        count: i64,
    }
    let row: Count = diesel::sql_query(query).get_result(conn).expect("the test server does it");
    row.count
}

/// The `id`s that `query` returns.
pub(crate) fn ids(conn: &mut PgConnection, query: &str) -> Vec<uuid::Uuid> {
    #[derive(QueryableByName)]
    struct Id {
        #[diesel(sql_type = SqlUuid)]
        id: uuid::Uuid,
    }
    let rows: Vec<Id> = diesel::sql_query(query).load(conn).expect("the test server does it");
    rows.into_iter().map(|row| row.id).collect()
}

/// Changes a password as its owner does.
pub(crate) async fn change_own_password(db: Db, person: Person) {
    let passwords = PostgresPasswords::new(db);
    let found = passwords.of_person(person).await.expect("the store answers").expect("the person is there");
    let (new, kept) = (PasswordHash::new("own".to_owned()), SessionId::from_uuid(uuid::Uuid::nil()));
    let change = PasswordChange { person, checked: found.password_hash, new, kept, at: DateTime::<Utc>::UNIX_EPOCH };
    assert!(passwords.change(change).await.expect("the store answers"), "it is the current password");
}

/// Waits until `is_so`, up to a limit.
pub(crate) async fn poll(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The kind of an entry of a round's log, as it is stored.
pub(crate) fn log_kind(text: &str) -> LogKind {
    match text {
        "OPENED" => LogKind::Opened,
        "ENDED" => LogKind::Ended,
        "REOPENED" => LogKind::Reopened,
        "JOINED" => LogKind::Joined,
        "COUNTED" => LogKind::Counted,
        "DECLARED" => LogKind::Declared,
        "ADMITTED" => LogKind::Admitted,
        "EXCLUDED" => LogKind::Excluded,
        "PASSWORD_SET" => LogKind::PasswordSet,
        "RISK_ACCEPTED" => LogKind::RiskAccepted,
        "VOIDED" => LogKind::Voided,
        other => panic!("{other} is no kind"),
    }
}
