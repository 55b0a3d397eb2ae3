//! Changes that the database itself refuses.

use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::result::Error;
use diesel::sql_types::BigInt;
use diesel::{QueryableByName, RunQueryDsl};
use plenum_adapter_postgres::testkit::TestDatabase;

/// A client with one row of each kind: an account, an end user, a meeting, a current question, a round, a vote.
const ONE_OF_EVERYTHING: &str = "
    INSERT INTO clients VALUES
        (uuid(1), 'Club', 'club', 'club@example.org', 'ACTIVE', 'BASIC', now()),
        (uuid(2), 'Other', 'other', 'other@example.org', 'ACTIVE', 'BASIC', now());
    INSERT INTO accounts VALUES (uuid(10), uuid(1), 'CLIENT', 'a@example.org', 'hash', 'A', 'B', NULL, now());
    INSERT INTO end_users VALUES
        (uuid(20), uuid(1), 'anna', 'Anna', NULL, NULL, 1.5, true, 'hash', NULL, now()),
        (uuid(21), uuid(2), 'olga', 'Olga', NULL, NULL, 1, true, 'hash', NULL, now());
    INSERT INTO sessions VALUES (uuid(30), uuid(1), NULL, uuid(20), false, now(), now(), NULL);
    INSERT INTO refresh_tokens VALUES ('\\x01', uuid(30), now(), now(), NULL);
    INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring,
                          has_participant_list, created_at)
        VALUES (uuid(40), uuid(1), 'Meeting', 'ACTIVE', now(), now() + interval '1 hour', false, true, now());
    INSERT INTO participants VALUES (uuid(1), uuid(40), uuid(20));
    INSERT INTO questions VALUES
        (uuid(50), uuid(1), uuid(40), 1, 'Yes?', 'YES_NO', true, NULL, NULL, now()),
        (uuid(51), uuid(1), uuid(40), 2, 'No?', 'YES_NO', true, NULL, NULL, now());
    INSERT INTO options VALUES (uuid(60), uuid(1), uuid(50), 1, 'Yes', 'yes');
    UPDATE meetings SET current_question_id = uuid(50);
    INSERT INTO rounds VALUES
        (uuid(70), uuid(1), uuid(40), uuid(50), 1, 'OPEN', 'Yes?', 'YES_NO', NULL, NULL, now(), NULL, 1, 1.5,
         false);
    INSERT INTO round_options VALUES (uuid(70), uuid(60), 1, 'Yes', 'yes');
    INSERT INTO register VALUES (uuid(70), uuid(20), 'anna', 'Anna', 1.5, now());
    INSERT INTO votes VALUES (uuid(80), uuid(70), uuid(20), ARRAY[uuid(60)], NULL, NULL, now());
    INSERT INTO round_counters VALUES (uuid(70), 0, 1);";

const UUID: &str = "
    CREATE FUNCTION uuid(number integer) RETURNS uuid LANGUAGE sql IMMUTABLE
    RETURN lpad(number::text, 32, '0')::uuid;";

async fn filled() -> (TestDatabase, PgConnection) {
    let database = TestDatabase::fresh().await;
    let mut conn = database.connection();
    conn.batch_execute(UUID).unwrap();
    conn.batch_execute(ONE_OF_EVERYTHING).unwrap();
    (database, conn)
}

/// The constraint that refuses the statement.
fn refused(conn: &mut PgConnection, statement: &str) -> String {
    match conn.batch_execute(statement) {
        Err(Error::DatabaseError(_, information)) => {
            information.constraint_name().unwrap_or_else(|| panic!("{}: {statement}", information.message())).to_owned()
        }
        other => panic!("{other:?}: {statement}"),
    }
}

fn count(conn: &mut PgConnection, table: &str) -> i64 {
    #[derive(QueryableByName)]
    struct Count {
        #[diesel(sql_type = BigInt)]
        count: i64,
    }
    let row: Count = diesel::sql_query(format!("SELECT count(*) AS count FROM {table}")).get_result(conn).unwrap();
    row.count
}

#[tokio::test]
async fn a_voter_has_one_vote_in_a_round() {
    let (_database, mut conn) = filled().await;
    let second = "INSERT INTO votes VALUES (uuid(81), uuid(70), uuid(20), ARRAY[uuid(60)], NULL, NULL, now())";
    assert_eq!(refused(&mut conn, second), "votes_round_id_end_user_id_key");
}

#[tokio::test]
async fn a_person_outside_the_register_has_no_vote() {
    let (_database, mut conn) = filled().await;
    let stranger = "INSERT INTO votes VALUES (uuid(81), uuid(70), uuid(21), ARRAY[uuid(60)], NULL, NULL, now())";
    assert_eq!(refused(&mut conn, stranger), "votes_round_id_end_user_id_fkey");
}

#[tokio::test]
async fn a_vote_is_exactly_one_answer() {
    let (_database, mut conn) = filled().await;
    conn.batch_execute("DELETE FROM votes").unwrap();
    let vote = |answer: &str| format!("INSERT INTO votes VALUES (uuid(81), uuid(70), uuid(20), {answer}, now())");
    assert_eq!(refused(&mut conn, &vote("NULL, NULL, NULL")), "votes_answer_check");
    assert_eq!(refused(&mut conn, &vote("ARRAY[uuid(60)], 1, NULL")), "votes_answer_check");
    assert_eq!(refused(&mut conn, &vote("ARRAY[]::uuid[], NULL, NULL")), "votes_option_ids_check");
}

#[tokio::test]
async fn weights_are_within_their_bounds() {
    let (_database, mut conn) = filled().await;
    for weight in ["-0.0001", "100.0001"] {
        assert_eq!(refused(&mut conn, &format!("UPDATE end_users SET weight = {weight}")), "end_users_weight_check");
    }
    // By a kind of weight, up to 18 digits and 6 decimals.
    for weight in ["-0.0001", "1000000000000000000", "0.0000001"] {
        for column in ["weight", "second_weight"] {
            let constraint = format!("register_{column}_check");
            assert_eq!(refused(&mut conn, &format!("UPDATE register SET {column} = {weight}")), constraint);
        }
    }
    conn.batch_execute("UPDATE register SET weight = 999999999999999999.999999, second_weight = 0").unwrap();
    conn.batch_execute("UPDATE end_users SET weight = 0; UPDATE end_users SET weight = 100").unwrap();
    conn.batch_execute("UPDATE end_users SET weight = 0.0001").unwrap();
}

#[tokio::test]
async fn a_weight_of_a_kind_has_24_digits() {
    let (_database, mut conn) = filled().await;
    for weight in ["-0.000001", "1000000000000000000", "0.0000001"] {
        for (column, constraint) in
            [("weight", "register_weight_check"), ("second_weight", "register_second_weight_check")]
        {
            assert_eq!(refused(&mut conn, &format!("UPDATE register SET {column} = {weight}")), constraint);
        }
    }
    conn.batch_execute("UPDATE register SET weight = 999999999999999999.999999, second_weight = 0").unwrap();
    let kind = "INSERT INTO weight_kinds VALUES (uuid(5), uuid(1), 'Shares', NULL, 7, now())";
    assert_eq!(refused(&mut conn, kind), "weight_kinds_decimals_check");
    assert_eq!(refused(&mut conn, "UPDATE end_users SET weights = '[]'"), "end_users_weights_check");
}

#[tokio::test]
async fn names_that_must_differ_differ() {
    let (_database, mut conn) = filled().await;
    for (statement, constraint) in [
        (
            "INSERT INTO clients VALUES (uuid(3), 'X', 'club', 'x@example.org', 'ACTIVE', 'BASIC', now())",
            "clients_client_code_key",
        ),
        (
            "INSERT INTO accounts VALUES (uuid(11), NULL, 'SUPER_ADMIN', 'a@example.org', 'hash', 'A', 'B', NULL, now())",
            "accounts_email_key",
        ),
        (
            "INSERT INTO end_users VALUES (uuid(22), uuid(1), 'ANNA', 'A', NULL, NULL, 1, true, 'hash', NULL, now())",
            "end_users_client_id_username_key",
        ),
        (
            "INSERT INTO options VALUES (uuid(61), uuid(1), uuid(50), 2, 'Yes', 'yes')",
            "options_question_id_option_text_key",
        ),
        (
            "INSERT INTO rounds VALUES (uuid(71), uuid(1), uuid(40), uuid(51), 1, 'OPEN', 'x', 'YES_NO', NULL, NULL,
                                        now(), NULL, 0, 0, false)",
            "rounds_meeting_id_open_key",
        ),
        ("UPDATE questions SET position = 1", "questions_meeting_id_position_key"),
    ] {
        assert_eq!(refused(&mut conn, statement), constraint);
    }
    // The same username in another client is another person.
    conn.batch_execute(
        "INSERT INTO end_users VALUES (uuid(22), uuid(2), 'anna', 'A', NULL, NULL, 1, true, 'h', NULL, now())",
    )
    .unwrap();
}

#[tokio::test]
async fn nothing_points_across_clients() {
    let (_database, mut conn) = filled().await;
    for (statement, constraint) in [
        ("INSERT INTO participants VALUES (uuid(1), uuid(40), uuid(21))", "participants_client_id_end_user_id_fkey"),
        ("INSERT INTO participants VALUES (uuid(2), uuid(40), uuid(21))", "participants_client_id_meeting_id_fkey"),
        (
            "INSERT INTO options VALUES (uuid(61), uuid(2), uuid(50), 2, 'No', 'no')",
            "options_client_id_question_id_fkey",
        ),
        (
            "INSERT INTO sessions VALUES (uuid(31), uuid(2), NULL, uuid(20), false, now(), now(), NULL)",
            "sessions_client_id_end_user_id_fkey",
        ),
    ] {
        assert_eq!(refused(&mut conn, statement), constraint);
    }
}

#[tokio::test]
async fn a_value_outside_its_list_is_refused() {
    let (_database, mut conn) = filled().await;
    for (statement, constraint) in [
        ("UPDATE clients SET status = 'active'", "clients_status_check"),
        ("UPDATE clients SET subscription_plan = 'FREE'", "clients_subscription_plan_check"),
        ("UPDATE clients SET client_code = 'Club' WHERE id = uuid(1)", "clients_client_code_check"),
        ("UPDATE clients SET name = ''", "clients_name_check"),
        ("UPDATE accounts SET email = 'A@example.org'", "accounts_email_check"),
        ("UPDATE accounts SET client_id = NULL", "accounts_role_client_id_check"),
        ("UPDATE accounts SET role = 'SUPER_ADMIN'", "accounts_role_client_id_check"),
        ("UPDATE sessions SET account_id = uuid(10)", "sessions_person_check"),
        ("UPDATE meetings SET status = 'RUNNING'", "meetings_status_check"),
        ("UPDATE meetings SET scheduled_end_time = scheduled_start_time", "meetings_scheduled_end_time_check"),
        ("UPDATE meetings SET max_participants = 0", "meetings_max_participants_check"),
        ("UPDATE questions SET question_type = 'SINGLE_CHOICE'", "questions_question_type_check"),
        ("UPDATE questions SET rating_max = 5", "questions_rating_max_check"),
        ("UPDATE questions SET question_type = 'RATING', rating_max = 7", "questions_rating_max_check"),
        ("UPDATE questions SET max_choices = 2", "questions_max_choices_check"),
        ("UPDATE options SET role = 'maybe'", "options_role_check"),
        ("UPDATE rounds SET status = 'ENDED'", "rounds_ended_at_check"),
        ("UPDATE rounds SET status = 'ENDED', ended_at = now(), closes_at = now()", "rounds_closes_at_check"),
        ("UPDATE rounds SET register_heads = -1", "rounds_register_heads_check"),
    ] {
        assert_eq!(refused(&mut conn, statement), constraint, "{statement}");
    }
}

#[tokio::test]
async fn two_questions_may_change_places_within_a_transaction() {
    let (_database, mut conn) = filled().await;
    conn.batch_execute("BEGIN; UPDATE questions SET position = 3 - position; COMMIT").unwrap();
}

#[tokio::test]
async fn deleting_a_meeting_deletes_everything_in_it_and_nothing_else() {
    let (_database, mut conn) = filled().await;
    conn.batch_execute("DELETE FROM meetings").unwrap();
    for table in
        ["participants", "questions", "options", "rounds", "round_options", "register", "votes", "round_counters"]
    {
        assert_eq!(count(&mut conn, table), 0, "{table}");
    }
    assert_eq!(count(&mut conn, "end_users"), 2);
    assert_eq!(count(&mut conn, "sessions"), 1);
}

#[tokio::test]
async fn deleting_a_client_deletes_everything_of_it_and_nothing_of_another() {
    let (_database, mut conn) = filled().await;
    conn.batch_execute("DELETE FROM clients WHERE id = uuid(1)").unwrap();
    for table in ["accounts", "sessions", "refresh_tokens", "meetings", "questions", "rounds", "votes"] {
        assert_eq!(count(&mut conn, table), 0, "{table}");
    }
    assert_eq!(count(&mut conn, "clients"), 1);
    assert_eq!(count(&mut conn, "end_users"), 1);
}

#[tokio::test]
async fn deleting_an_end_user_keeps_their_votes() {
    let (_database, mut conn) = filled().await;
    conn.batch_execute("DELETE FROM end_users WHERE id = uuid(20)").unwrap();
    assert_eq!(count(&mut conn, "sessions"), 0);
    assert_eq!(count(&mut conn, "participants"), 0);
    assert_eq!(count(&mut conn, "register"), 1);
    assert_eq!(count(&mut conn, "votes"), 1);
}

#[tokio::test]
async fn the_current_question_is_one_of_the_meetings_own_and_cannot_vanish() {
    let (_database, mut conn) = filled().await;
    assert_eq!(refused(&mut conn, "DELETE FROM questions WHERE id = uuid(50)"), "meetings_id_current_question_id_fkey");
    assert_eq!(
        refused(&mut conn, "UPDATE meetings SET current_question_id = uuid(99)"),
        "meetings_id_current_question_id_fkey"
    );
}
