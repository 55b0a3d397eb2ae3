//! A database as if all of it had happened eleven years ago: rows, signed documents and the audit log.

use chrono::{DateTime, TimeDelta, Utc};
use diesel::connection::SimpleConnection as _;
use diesel::sql_types::{Binary, Text, Uuid as SqlUuid};
use diesel::{PgConnection, QueryableByName, RunQueryDsl as _, sql_query};
use plenum_adapter_postgres::AuditChains;
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_security::EvidenceKeyRing;
use plenum_kernel::EvidenceKeys as _;
use plenum_result_format::{canonical, closing_message, record_message, sha256};
use serde_json::{Value, json};
use uuid::Uuid;

/// The age in hours, so that no time zone makes a difference.
const HOURS: i64 = 11 * 366 * 24;

#[derive(QueryableByName)]
struct Stored {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    hash: String,
    #[diesel(sql_type = Text)]
    document: String,
}

/// The rows alone, as somebody with rights on the database can age them. `by` is a sign.
pub(super) fn shift_rows(database: &TestDatabase, by: char) {
    let interval = format!("{by} interval '{HOURS} hours'");
    let statements = format!(
        "BEGIN; SET LOCAL session_replication_role = replica;
         UPDATE result_records SET recorded_at = recorded_at {interval};
         UPDATE closing_records SET recorded_at = recorded_at {interval};
         UPDATE meetings SET started_at = started_at {interval}, ended_at = ended_at {interval}; COMMIT"
    );
    database.connection().batch_execute(&statements).unwrap();
}

/// Rows, documents and audit log. The documents are signed anew, and the log is linked anew.
pub(super) async fn age(database: &TestDatabase, keys: &EvidenceKeyRing) {
    shift_rows(database, '-');
    {
        let conn = &mut database.connection();
        conn.batch_execute("BEGIN; SET LOCAL session_replication_role = replica").unwrap();
        let results = "SELECT round_id AS id, hash, document FROM result_records ORDER BY meeting_id, number";
        let mut hashes: Vec<(String, String)> = Vec::new();
        for stored in sql_query(results).load::<Stored>(&mut *conn).unwrap() {
            let update = "UPDATE result_records SET document = $2, hash = $3, signature = $4 WHERE round_id = $1";
            let new = sign_again(conn, &stored, &hashes, (update, &|hash| keys.sign(&record_message(hash))));
            sql_query("UPDATE rounds SET record_hash = $2 WHERE id = $1")
                .bind::<SqlUuid, _>(stored.id)
                .bind::<Text, _>(&new)
                .execute(&mut *conn)
                .unwrap();
            hashes.push((stored.hash, new));
        }
        let closings = "SELECT meeting_id AS id, hash, document FROM closing_records ORDER BY meeting_id, number";
        for stored in sql_query(closings).load::<Stored>(&mut *conn).unwrap() {
            let update = "UPDATE closing_records SET document = $2, hash = $3, signature = $4 WHERE meeting_id = $1";
            let new = sign_again(conn, &stored, &hashes, (update, &|hash| keys.sign(&closing_message(hash))));
            sql_query("UPDATE meetings SET closing_hash = $2 WHERE id = $1")
                .bind::<SqlUuid, _>(stored.id)
                .bind::<Text, _>(&new)
                .execute(&mut *conn)
                .unwrap();
            hashes.push((stored.hash, new));
        }
        for (old, new) in &hashes {
            sql_query("UPDATE audit_entries SET changes = replace(changes::text, $1, $2)::jsonb")
                .bind::<Text, _>(old)
                .bind::<Text, _>(new)
                .execute(&mut *conn)
                .unwrap();
        }
        let relink = format!(
            "UPDATE audit_entries SET noted_at = noted_at - interval '{HOURS} hours', number = NULL, previous_hash = NULL,
             hash = NULL; DELETE FROM audit_heads; COMMIT"
        );
        conn.batch_execute(&relink).unwrap();
    }
    while AuditChains::new(database.db()).link().await.unwrap() {}
}

/// Signs a hash.
type Sign<'a> = &'a dyn Fn(&str) -> Vec<u8>;

/// Stores an aged document by this statement, and returns its hash.
fn sign_again(
    conn: &mut PgConnection,
    stored: &Stored,
    hashes: &[(String, String)],
    (update, sign): (&str, Sign<'_>),
) -> String {
    let mut text = stored.document.clone();
    for (old, new) in hashes {
        text = text.replace(old, new);
    }
    let mut document: Value = serde_json::from_str(&text).unwrap();
    document["auditHead"] = Value::Null;
    for name in ["recordedAt", "startedAt", "endedAt"] {
        let at = document.get(name).and_then(Value::as_str).map(|at| at.parse::<DateTime<Utc>>().unwrap());
        if let Some(at) = at {
            document[name] = json!(at - TimeDelta::hours(HOURS));
        }
    }
    let document = String::from_utf8(canonical(&document)).unwrap();
    let hash = sha256(document.as_bytes());
    let changed = sql_query(update)
        .bind::<SqlUuid, _>(stored.id)
        .bind::<Text, _>(&document)
        .bind::<Text, _>(&hash)
        .bind::<Binary, _>(sign(&hash))
        .execute(conn)
        .unwrap();
    assert_eq!(changed, 1);
    hash
}
