//! The search for records without a timestamp, and for what a purge may remove, after years of records.

use chrono::{TimeZone as _, Utc};
use diesel::connection::SimpleConnection as _;
use diesel::pg::PgConnection;
use plenum_adapter_postgres::PostgresTimestamps;
use plenum_kernel::{ClientId, MeetingId};
use plenum_voting::{MAX_COUNTED_WAITING, NewTimestamp, RecordTimestamps, StoredTimestamp, UnstampedRecord};
use uuid::Uuid;

use crate::plans::observed::{Observed, costs};

/// The number of records with a timestamp, each of a completed meeting.
const STAMPED: u32 = 30_000;
/// The number of clients.
const CLIENTS: u32 = 1_000;

/// Old records with a timestamp. Their statistics are never brought up to date.
fn write(conn: &mut PgConnection) {
    conn.batch_execute(&format!(
        "
        ALTER TABLE unstamped_records SET (autovacuum_enabled = false);
        ALTER TABLE record_timestamps SET (autovacuum_enabled = false);
        CREATE FUNCTION id(number bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
            AS $$ SELECT lpad(to_hex(number), 32, '0')::uuid $$;
        ANALYZE;
        INSERT INTO clients (id, name, client_code, contact_email, status, subscription_plan, created_at)
            SELECT id(n), 'Club', 'club-' || n, 'club@example.org', 'ACTIVE', 'BASIC', now()
            FROM generate_series(1, {CLIENTS}) AS n;
        SET session_replication_role = replica;
        INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring,
                              has_participant_list, created_at, started_at, ended_at)
            SELECT id(n), id(1 + n % {CLIENTS}), 'Assembly', 'COMPLETED', at - interval '1 hour', at, false, false, at, at, at
            FROM (SELECT n, timestamptz '2020-01-01 00:00+00' + n * interval '1 hour' AS at FROM generate_series(1, {STAMPED}) AS n) AS past;
        SET session_replication_role = DEFAULT;
        INSERT INTO result_records (round_id, client_id, meeting_id, number, hash, signing_key, signature, recorded_at, document,
                                    is_test)
            SELECT id, client_id, id, 1, 'a' || right(encode(sha256(id::text::bytea), 'hex'), 63), 'key', 'signature', ended_at,
                   '{{\"auditHead\":null}}', false
            FROM meetings;
        INSERT INTO closing_records (meeting_id, number, client_id, hash, signing_key, signature, recorded_at, document, is_test)
            SELECT id, 1, client_id, 'b' || right(encode(sha256(id::text::bytea), 'hex'), 63), 'key', 'signature', ended_at,
                   '{{\"auditHead\":null}}', false
            FROM meetings;
        INSERT INTO record_timestamps (hash, client_id, meeting_id, token, authority, stamped_at, requested_at, received_at,
                                       is_test)
            SELECT hash, client_id, meeting_id, 'token'::bytea, 'authority', recorded_at, recorded_at, recorded_at, false
            FROM result_records UNION ALL
            SELECT hash, client_id, meeting_id, 'token'::bytea, 'authority', recorded_at, recorded_at, recorded_at, false
            FROM closing_records;
        ANALYZE meetings, result_records, closing_records;"
    ))
    .unwrap();
}

/// Records of years without a timestamp service.
const WITHOUT_SERVICE: &str = "
    INSERT INTO result_records (round_id, client_id, meeting_id, number, hash, signing_key, signature, recorded_at, document, is_test)
        SELECT id(1000000 + n), id(1), id(1000000 + n), 1, 'c' || right(encode(sha256(n::text::bytea), 'hex'), 63), 'key',
               'signature', timestamptz '2024-01-01' + n * interval '1 minute', '{\"auditHead\":null}', false
        FROM generate_series(1, 20000) AS n";

fn timestamp(record: UnstampedRecord) -> NewTimestamp {
    let at = Utc.with_ymd_and_hms(2026, 1, 1, 0, 0, 0).unwrap();
    let UnstampedRecord { client, meeting, hash } = record;
    let timestamp = StoredTimestamp { hash, token: b"token".to_vec(), authority: "authority".to_owned(), at };
    NewTimestamp { client, meeting, timestamp, requested_at: at, received_at: at }
}

#[tokio::test]
async fn a_search_for_records_costs_the_same_with_any_history() {
    let Some(mut observed) = Observed::start(write).await else { return };
    let timestamps = PostgresTimestamps::new(observed.db());
    assert_eq!(costs!(observed, "an empty queue", at most 1, timestamps.waiting(20)), []);

    // A service is set after years without one. The statistics know nothing of the queue.
    observed.marker().batch_execute(WITHOUT_SERVICE).unwrap();
    for _ in 0..2 {
        let timestamps = PostgresTimestamps::new(observed.db());
        let found = costs!(observed, "a long queue", at most 21, timestamps.waiting(20));
        let oldest = (found[0].client, found[0].meeting);
        assert_eq!(oldest.0, ClientId::from_uuid(Uuid::from_u128(1)));
        assert!(oldest.1 >= MeetingId::from_uuid(Uuid::from_u128(1_000_001)));
        let counted = costs!(observed, "its length", at most 10_001, timestamps.count_waiting());
        assert_eq!(counted, u64::from(MAX_COUNTED_WAITING));
        let oldest = found[0].clone();
        assert!(costs!(observed, "a timestamp", at most 20, timestamps.keep(timestamp(oldest.clone()))));
        let left = costs!(observed, "the queue after it", at most 25, timestamps.waiting(20));
        assert!(!left.contains(&oldest));
        observed.plan_for_any_value();
    }

    let findings = observed.findings();
    assert!(findings.is_empty(), "{findings}");
}
