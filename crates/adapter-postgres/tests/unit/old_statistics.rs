//! Reads of a round, a rehearsal or a participant list read it once, also when PostgreSQL plans by older statistics.

use chrono::DateTime;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Uuid as SqlUuid};
use plenum_kernel::{EndUserId, PageRequest, RoundId, SessionId, VoteId};
use plenum_meetings::{RehearsalFilter, RehearsalStatus};
use plenum_voting::{Answer, Ballot, RegisterFilter};
use uuid::Uuid;

use crate::live::quorum::weight_cast;
use crate::testkit::TestDatabase;
use crate::voting::ballot_batch::count_or_refuse;
use crate::voting::eligible::Eligibility;
use crate::voting::register_page::register_page;
use crate::voting::rehearsals::load_report;
use crate::voting::results::load_papers;
use crate::voting::rows::{has_votes, load_votes};

const ROUND: Uuid = Uuid::from_u128(2);
const VOTERS: i64 = 4000;

/// A small round that the statistics include, and a large one that they do not.
const ROUNDS: &str = "
    CREATE FUNCTION id(number bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
        AS $$ SELECT lpad(to_hex(number), 32, '0')::uuid $$;
    ALTER TABLE register SET (autovacuum_enabled = false);
    ALTER TABLE votes SET (autovacuum_enabled = false);
    INSERT INTO clients (id, name, client_code, contact_email, status, subscription_plan, created_at)
        VALUES (id(1), 'Club', 'club', 'club@example.org', 'ACTIVE', 'BASIC', now());
    INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring,
                          has_participant_list, created_at)
        VALUES (id(1), id(1), 'Assembly', 'ACTIVE', now(), now() + interval '1 hour', false, false, now());
    INSERT INTO questions (id, client_id, meeting_id, position, question_text, question_type, is_required, created_at)
        VALUES (id(1), id(1), id(1), 1, 'Why?', 'OPEN_TEXT', true, now());
    INSERT INTO rounds (id, client_id, meeting_id, question_id, number, status, question_text, question_type, opened_at,
                        ended_at, register_heads, register_weight)
        SELECT id(number), id(1), id(1), id(1), number, 'ENDED', 'Why?', 'OPEN_TEXT', now(), now(), 0, 0
        FROM generate_series(1, 2) AS number;
    INSERT INTO register (round_id, end_user_id, username, name, weight, added_at)
        SELECT id(1), id(place), place, place, 1, now() FROM generate_series(1, 5) AS place;
    INSERT INTO votes (id, round_id, end_user_id, answer_text, cast_at)
        SELECT id(place), id(1), id(place), 'Aye', now() FROM generate_series(1, 5) AS place;
    ANALYZE register, votes;
    INSERT INTO register (round_id, end_user_id, username, name, weight, added_at)
        SELECT id(2), id(place), place, place, 0.5, now() FROM generate_series(1, 4000) AS place;
    INSERT INTO votes (id, round_id, end_user_id, answer_text, cast_at)
        SELECT id(10000 + place), id(2), id(place), 'Aye', now() FROM generate_series(1, 3999) AS place;";

/// The number of rows of meetings and of end users that this transaction has read.
fn looked_at(conn: &mut PgConnection) -> i64 {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = BigInt)]
        rows: i64,
    }
    let row: Row = diesel::sql_query(
        "SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint AS rows \
         FROM pg_stat_xact_user_tables \
         WHERE schemaname = current_schema() \
           AND relname IN ('register', 'votes', 'rehearsal_answers', 'participants', 'end_users')",
    )
    .get_result(conn)
    .unwrap();
    row.rows
}

/// Runs `read` and returns the number of rows that it has read.
fn cost<T>(conn: &mut PgConnection, read: impl FnOnce(&mut PgConnection) -> QueryResult<T>) -> (T, i64) {
    conn.transaction(|conn| {
        let before = looked_at(conn);
        let found = read(conn)?;
        Ok::<_, diesel::result::Error>((found, looked_at(conn) - before))
    })
    .unwrap()
}

#[tokio::test]
async fn a_round_that_the_statistics_do_not_know_is_read_once() {
    let database = TestDatabase::undisturbed().await;
    let mut conn = database.connection();
    conn.batch_execute(ROUNDS).unwrap();
    let conn = &mut conn;
    let a_few = 6 * VOTERS;

    let (votes, rows) = cost(conn, |conn| load_votes(conn, ROUND));
    assert!(votes.len() == 3999 && rows <= a_few, "{rows} rows for the votes");
    let (papers, rows) = cost(conn, |conn| load_papers(conn, ROUND));
    assert_eq!(papers.iter().filter(|paper| paper.answer.is_some()).count(), 3999);
    assert!(papers.len() == 4000 && rows <= a_few, "{rows} rows for the papers");
    let (weight, rows) = cost(conn, |conn| weight_cast(conn, ROUND));
    assert_eq!(weight.to_string(), "1999.5");
    assert!(rows <= a_few, "{rows} rows for the weight");
    for (has_voted, total) in [(None, 4000), (Some(true), 3999), (Some(false), 1)] {
        let page = PageRequest { page: 1, page_size: 200 };
        let filter = RegisterFilter { has_voted, search: None, page };
        let (found, rows) = cost(conn, |conn| register_page(conn, ROUND, &filter));
        assert_eq!(found.total, total);
        assert!(rows <= a_few, "{rows} rows for the register, {has_voted:?}");
    }
}

#[tokio::test]
async fn a_ballot_looks_at_its_own_entry_alone() {
    let database = TestDatabase::undisturbed().await;
    let mut conn = database.connection();
    conn.batch_execute(ROUNDS).unwrap();
    let running = "
        UPDATE rounds SET status = 'OPEN', ended_at = NULL WHERE id = id(2);
        INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
            SELECT id(place), id(1), place, place, 1, true, 'hash', now() FROM generate_series(3999, 4000) AS place;";
    conn.batch_execute(running).unwrap();
    for (voter, expected) in [(3999, "VotedBefore"), (4000, "Counted"), (4001, "NotInRegister")] {
        let ballot = Ballot {
            vote_id: VoteId::from_uuid(Uuid::from_u128(50_000 + voter)),
            round_id: RoundId::from_uuid(ROUND),
            voter: EndUserId::from_uuid(Uuid::from_u128(voter)),
            cast_by: None,
            cast_on: None,
            session: SessionId::from_uuid(Uuid::from_u128(1)),
            answer: Answer::Text("Aye".to_owned()),
            cast_at: DateTime::UNIX_EPOCH,
        };
        let mut answers = [None];
        let ((), rows) = cost(&mut conn, |conn| count_or_refuse(conn, &[&ballot], &mut answers));
        assert!(rows <= 20, "{rows} rows for a ballot: {expected}");
        let answer = format!("{:?}", answers[0].as_ref().unwrap());
        assert!(answer.starts_with(expected), "{answer}");
    }
}

#[tokio::test]
async fn a_join_would_look_at_every_vote_for_every_entry() {
    let database = TestDatabase::undisturbed().await;
    let mut conn = database.connection();
    conn.batch_execute(ROUNDS).unwrap();
    let (_, rows) = cost(&mut conn, |conn| {
        diesel::sql_query(
            "SELECT count(votes.id) FROM register \
             LEFT JOIN votes ON votes.round_id = register.round_id AND votes.end_user_id = register.end_user_id \
             WHERE register.round_id = $1",
        )
        .bind::<SqlUuid, _>(ROUND)
        .execute(conn)
    });
    assert!(rows > 10 * VOTERS, "{rows}");
}

#[tokio::test]
async fn a_rehearsal_that_the_statistics_do_not_know_is_read_once() {
    let database = TestDatabase::undisturbed().await;
    let mut conn = database.connection();
    conn.batch_execute(ROUNDS).unwrap();
    let rehearsals = "
        ALTER TABLE end_users SET (autovacuum_enabled = false);
        ALTER TABLE rehearsal_answers SET (autovacuum_enabled = false);
        INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring,
                              has_participant_list, created_at)
            SELECT id(2), client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring,
                   has_participant_list, created_at FROM meetings;
        INSERT INTO rehearsals (meeting_id, client_id, id, started_at, started_by)
            SELECT id(number), id(1), id(number), now(), 'Ada' FROM generate_series(1, 2) AS number;
        INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
            SELECT id(place), id(1), place, place, 1, true, 'hash', now() FROM generate_series(1, 5) AS place;
        INSERT INTO rehearsal_answers SELECT id(1), id(place), now(), now() FROM generate_series(1, 5) AS place;
        ANALYZE end_users, rehearsal_answers, rehearsals;
        INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
            SELECT id(place), id(1), place, place, 1, true, 'hash', now() FROM generate_series(6, 4000) AS place;
        INSERT INTO rehearsal_answers
            SELECT id(2), id(place), now(), now() + place * interval '1 ms' FROM generate_series(1, 3999) AS place;";
    conn.batch_execute(rehearsals).unwrap();
    let connected: Vec<Uuid> = (1..=4000).map(Uuid::from_u128).collect();
    for (statuses, total) in [(&RehearsalStatus::ALL[..], 4000), (&RehearsalStatus::SILENT, 1)] {
        let filter =
            RehearsalFilter { search: None, statuses, can_seal: None, page: PageRequest { page: 1, page_size: 200 } };
        let (report, rows) = cost(&mut conn, |conn| load_report(conn, Uuid::from_u128(2), &connected, &filter));
        assert_eq!((report.page.total, report.counts.answered), (total, 3999));
        assert_eq!((report.answered.median_ms, report.answered.p95_ms), (Some(2_000), Some(3_800)));
        // The figures and the page, each with the people and their answers.
        assert!(rows <= 5 * VOTERS, "{rows} rows for the report");
    }
}

/// The statistics state that lists are long.
#[tokio::test]
async fn a_short_participant_list_is_read_alone() {
    let database = TestDatabase::undisturbed().await;
    let mut conn = database.connection();
    conn.batch_execute(ROUNDS).unwrap();
    let lists = "
        ALTER TABLE end_users SET (autovacuum_enabled = false);
        ALTER TABLE participants SET (autovacuum_enabled = false);
        INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring,
                              has_participant_list, created_at)
            SELECT id(number), client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring,
                   true, created_at FROM meetings, generate_series(2, 14) AS number;
        INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
            SELECT id(place), id(1), place, place, 1, true, 'hash', now() FROM generate_series(1, 4000) AS place;
        INSERT INTO participants
            SELECT id(1), id(meeting), id(place) FROM generate_series(2, 13) AS meeting, generate_series(1, 1000) AS place;
        ANALYZE end_users, meetings, participants;
        INSERT INTO participants SELECT id(1), id(14), id(place) FROM generate_series(3996, 4000) AS place;
        SET plan_cache_mode = force_generic_plan;";
    conn.batch_execute(lists).unwrap();
    let now = Eligibility { meeting: Uuid::from_u128(14), question: None, open_round: None };
    let (weights, rows) = cost(&mut conn, |conn| now.weights(conn));
    assert!(weights.len() == 5 && rows <= 30, "{rows} rows for {} people", weights.len());
}

/// The statistics state that a vote in any round is soon found.
#[tokio::test]
async fn a_round_without_votes_is_known_by_no_other_rounds_votes() {
    let database = TestDatabase::undisturbed().await;
    let mut conn = database.connection();
    conn.batch_execute(ROUNDS).unwrap();
    let known = "
        INSERT INTO rounds (id, client_id, meeting_id, question_id, number, status, question_text, question_type, opened_at,
                            ended_at, register_heads, register_weight)
            VALUES (id(3), id(1), id(1), id(1), 3, 'ENDED', 'Why?', 'OPEN_TEXT', now(), now(), 0, 0);
        ANALYZE votes;
        SET plan_cache_mode = force_generic_plan;";
    conn.batch_execute(known).unwrap();
    for (round, expected) in [(ROUND, true), (Uuid::from_u128(3), false)] {
        let (found, rows) = cost(&mut conn, |conn| has_votes(conn, round));
        assert!(found == expected && rows <= 1, "{rows} rows for {found}");
    }
}
