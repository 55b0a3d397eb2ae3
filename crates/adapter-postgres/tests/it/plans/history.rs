//! A database after years of use.

use diesel::connection::SimpleConnection as _;
use diesel::pg::PgConnection;
use uuid::Uuid;

/// The number of other clients.
pub(crate) const CLIENTS: u128 = 2_000;
/// The number of past meetings of each, each with a round.
pub(crate) const MEETINGS: u128 = 10;
/// A client with many more.
pub(crate) const BUSY: Uuid = Uuid::from_u128(1_100);
/// Its number of meetings. Enough that the first page of its list costs less than all of it.
pub(crate) const BUSY_MEETINGS: u128 = 300;
/// The number of end users of each, all of whom voted in each round.
const VOTERS: u128 = 15;
/// The number of end users of the client with the running meeting.
pub(crate) const HALL: u128 = 300;

/// The client with the running meeting.
pub(crate) const CLIENT: Uuid = Uuid::from_u128(1);
/// Its administrator.
pub(crate) const ADMIN: Uuid = Uuid::from_u128(1);
/// The running meeting, with one question and an open round.
pub(crate) const MEETING: Uuid = Uuid::from_u128(1);
/// The question.
pub(crate) const QUESTION: Uuid = Uuid::from_u128(1);
/// The open round, with a vote of every voter with an even number.
pub(crate) const ROUND: Uuid = Uuid::from_u128(1);
/// An ended round of the same meeting.
pub(crate) const PAST_ROUND: Uuid = Uuid::from_u128(2);
/// Its question.
pub(crate) const PAST_QUESTION: Uuid = Uuid::from_u128(2);

/// A meeting of the same client for a few people on its list, with a question that was never opened.
pub(crate) const LISTED_MEETING: Uuid = Uuid::from_u128(2);
/// Its question.
pub(crate) const LISTED_QUESTION: Uuid = Uuid::from_u128(3);
/// The number of people on its list.
pub(crate) const LISTED: u128 = 20;
/// A meeting of the same client for all its people, with a question that was never opened.
pub(crate) const OPEN_MEETING: Uuid = Uuid::from_u128(3);
/// Its question.
pub(crate) const OPEN_QUESTION: Uuid = Uuid::from_u128(4);
/// The number of past rounds of another question of the meeting with a list, each with some logged actions.
const LISTED_ROUNDS: u128 = 200;
/// The quorum of both, so that presence is read.
const QUORUM: &str = r#"{"comparison":"at_least","numerator":1,"denominator":2,"unit":"weight","attendance":"voted"}"#;

/// A voter of the client.
pub(crate) const fn voter(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// Writes all rows. Keys and checks belong to other tests; without them this takes seconds instead of minutes.
pub(crate) fn write(conn: &mut PgConnection) {
    conn.batch_execute("SET session_replication_role = replica; SET synchronous_commit = off").unwrap();
    for rows in [past_meetings(), people(), agendas(), rounds(), meeting_records(), sessions_and_audit_log()] {
        conn.batch_execute(&rows).unwrap();
    }
    conn.batch_execute("SELECT recount_clients(); DROP TABLE past; ANALYZE").unwrap();
}

/// Lists the past meetings. Their ids begin at 1,000,000, those of past voters at 100,000.
fn past_meetings() -> String {
    let more = BUSY_MEETINGS - MEETINGS;
    format!(
        "
        CREATE FUNCTION id(number bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
            AS $$ SELECT lpad(to_hex(number), 32, '0')::uuid $$;
        CREATE TABLE past AS
            SELECT 1000 + client AS client, 1000000 + (client - 1) * {MEETINGS} + meeting AS meeting,
                   timestamptz '2020-01-01' + client * interval '1 minute' + meeting * interval '1 day' AS at
            FROM generate_series(1, {CLIENTS}) AS client, generate_series(1, {MEETINGS}) AS meeting
            UNION ALL
            SELECT 1100, 2000000 + meeting, timestamptz '2021-01-01' + meeting * interval '1 day'
            FROM generate_series(1, {more}) AS meeting;"
    )
}

/// Clients, accounts and end users.
fn people() -> String {
    format!(
        "
        INSERT INTO clients (id, name, client_code, contact_email, status, subscription_plan, created_at)
            SELECT id(number), 'Club ' || number, 'club-' || number, 'club-' || number || '@example.org', 'ACTIVE',
                   'BASIC', timestamptz '2020-01-01' + number * interval '1 minute'
            FROM (SELECT 1 AS number UNION SELECT 1000 + generate_series(1, {CLIENTS})) AS numbers;
        INSERT INTO client_codes (code, client_id) SELECT client_code, id FROM clients;
        INSERT INTO accounts (id, client_id, role, email, password_hash, first_name, last_name, created_at)
            SELECT id, id, 'CLIENT', contact_email, 'hash', 'Anna', name, created_at FROM clients;
        INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
            SELECT id(number), id(1), 'voter-' || number, 'Voter ' || number, 1, true, 'hash', timestamptz '2021-01-01'
            FROM generate_series(1, {HALL}) AS number
            UNION ALL
            SELECT id(100000 + client * 100 + number), id(1000 + client), 'voter-' || number, 'Voter ' || number, 1, true,
                   'hash', timestamptz '2020-01-01'
            FROM generate_series(1, {CLIENTS}) AS client, generate_series(1, {VOTERS}) AS number;"
    )
}

/// Meetings with their questions and options.
fn agendas() -> String {
    format!(
        "
        INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring,
                              has_participant_list, created_at, started_at, ended_at, counts_surveys_at_end)
            SELECT id(meeting), id(client), 'Assembly ' || meeting, 'COMPLETED', at, at + interval '1 hour', false,
                   false, at, at, at + interval '1 hour', true
            FROM past
            UNION ALL
            SELECT id(number), id(1), 'Assembly', 'ACTIVE', now(), now() + interval '1 hour', false, number = 2, now(),
                   now(), NULL, false
            FROM generate_series(1, 3) AS number;
        UPDATE meetings SET quorum = '{QUORUM}', quorum_at_opening = 'WARN' WHERE id IN (id(2), id(3));
        INSERT INTO questions (id, client_id, meeting_id, position, question_text, question_type, is_required, created_at)
            SELECT id(meeting), id(client), id(meeting), 1, 'Shall it be?', 'OPEN_TEXT', true, at FROM past
            UNION ALL
            SELECT id(number), id(1), id(1), number, 'Shall it be?', 'OPEN_TEXT', true, now()
            FROM generate_series(1, 2) AS number
            UNION ALL
            SELECT id(number), id(1), id(number - 1), 1, 'Shall it be?', 'OPEN_TEXT', true, now()
            FROM generate_series(3, 4) AS number
            UNION ALL
            SELECT id(5), id(1), id(2), 2, 'Shall it be?', 'OPEN_TEXT', true, now();
        INSERT INTO options (id, client_id, question_id, position, option_text, role)
            SELECT id, client_id, id, 1, 'Yes', 'yes' FROM questions;
        UPDATE meetings SET current_question_id = id(1) WHERE id = id(1);"
    )
}

/// Rounds with their options.
fn rounds() -> String {
    format!(
        "
        INSERT INTO rounds (id, client_id, meeting_id, question_id, number, status, question_text, question_type,
                            opened_at, ended_at, register_heads, register_weight)
            SELECT id(meeting), id(client), id(meeting), id(meeting), 1, 'ENDED', 'Shall it be?', 'OPEN_TEXT', at,
                   at + interval '1 minute', {VOTERS}, {VOTERS}
            FROM past
            UNION ALL
            SELECT id(number), id(1), id(1), id(number), 1, CASE number WHEN 1 THEN 'OPEN' ELSE 'ENDED' END,
                   'Shall it be?', 'OPEN_TEXT', timestamptz '2025-12-31', CASE number WHEN 1 THEN NULL ELSE timestamptz '2026-01-01 00:00+00' END, {HALL}, {HALL}
            FROM generate_series(1, 2) AS number
            UNION ALL
            SELECT id(500 + number), id(1), id(2), id(5), number, 'ENDED', 'Shall it be?', 'OPEN_TEXT',
                   timestamptz '2025-12-31' + number * interval '1 minute',
                   timestamptz '2025-12-31' + number * interval '1 minute', {LISTED}, {LISTED}
            FROM generate_series(1, {LISTED_ROUNDS}) AS number;
        INSERT INTO round_options (round_id, option_id, position, option_text, role)
            SELECT id, id, 1, 'Yes', 'yes' FROM rounds;"
    )
}

/// Participants, exclusions, attendance, rehearsals, registers, votes and logs.
fn meeting_records() -> String {
    format!(
        "
        INSERT INTO participants (client_id, meeting_id, end_user_id)
            SELECT id(client), id(meeting), id(100000 + (client - 1000) * 100 + 1) FROM past
            UNION ALL
            SELECT id(1), id(2), id(number) FROM generate_series(1, {LISTED}) AS number;
        INSERT INTO exclusions (question_id, end_user_id, reason, excluded_at, excluded_by)
            SELECT id(meeting), id(100000 + (client - 1000) * 100 + {VOTERS}), 'His own contract', at, 'Anna' FROM past;
        INSERT INTO attendance (client_id, meeting_id, noted_at, present_heads, present_weight, eligible_heads,
                                eligible_weight)
            SELECT id(client), id(meeting), at + number * interval '1 minute', number, number, {VOTERS}, {VOTERS}
            FROM past, generate_series(1, 3) AS number;
        INSERT INTO rehearsals (meeting_id, client_id, id, started_at, started_by, ended_at)
            SELECT id(meeting), id(client), id(meeting), at, 'Anna', at + interval '1 minute' FROM past;
        INSERT INTO rehearsal_answers (rehearsal_id, end_user_id, received_at)
            SELECT id(meeting), id(100000 + (client - 1000) * 100 + number), at
            FROM past, generate_series(1, 2) AS number;
        INSERT INTO register (round_id, end_user_id, username, name, weight, added_at)
            SELECT id(meeting), id(100000 + (client - 1000) * 100 + number), number, number, 1, at
            FROM past, generate_series(1, {VOTERS}) AS number
            UNION ALL
            SELECT id(round), id(number), number, number, 1, now()
            FROM generate_series(1, 2) AS round, generate_series(1, {HALL}) AS number;
        INSERT INTO votes (id, round_id, end_user_id, answer_text, cast_at)
            SELECT gen_random_uuid(), round_id, end_user_id, 'Aye', added_at FROM register
            WHERE round_id <> id(1) OR right(end_user_id::text, 1) IN ('0', '2', '4', '6', '8', 'a', 'c', 'e');
        INSERT INTO round_counters (round_id, writer, votes_cast) SELECT round_id, 1, count(*) FROM votes GROUP BY round_id;
        INSERT INTO round_log (id, round_id, logged_at, kind, done_by)
            SELECT gen_random_uuid(), id, opened_at, kind, 'Anna'
            FROM rounds CROSS JOIN unnest(ARRAY['OPENED', 'ENDED', 'COUNTED']) AS kind;"
    )
}

/// Sessions and the audit log.
fn sessions_and_audit_log() -> String {
    format!(
        "
        INSERT INTO sessions (id, client_id, end_user_id, remember_me, started_at, expires_at)
            SELECT id(1000000 + (row_number() OVER ())), client_id, id, false, now(), now() + interval '1 day'
            FROM end_users, generate_series(1, 5);
        INSERT INTO refresh_tokens (token_hash, session_id, issued_at, expires_at)
            SELECT sha256(id::text::bytea), id, started_at, expires_at FROM sessions;
        INSERT INTO audit_entries (chain, noted_at, kind, by_role, subject_kind, changes, number, previous_hash, hash)
            SELECT CASE number % 4 WHEN 0 THEN id(1) ELSE id(1000 + number % {CLIENTS}) END,
                   timestamptz '2021-01-01' + number * interval '1 minute',
                   CASE number % 1000 WHEN 0 THEN 'meeting_created' ELSE 'signed_in' END, 'SYSTEM', 'session', '[]',
                   number, '', ''
            FROM generate_series(1, 40000) AS number;
        INSERT INTO audit_heads (chain, number, hash) SELECT chain, max(number), '' FROM audit_entries GROUP BY chain;"
    )
}
