//! What tests ask the database themselves.

use std::time::{Duration, Instant};

use diesel::pg::PgConnection;
use diesel::sql_types::{BigInt, Uuid as SqlUuid};
use diesel::{QueryableByName, RunQueryDsl};
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
