//! The register of a large meeting is prepared while its question is shown.

use diesel::connection::SimpleConnection as _;
use diesel::sql_types::{BigInt, Nullable, Text};
use diesel::{PgConnection, QueryableByName, RunQueryDsl as _, sql_query};
use plenum_adapter_postgres::testkit::TestDatabase;
use serde_json::{Value, json};

use crate::process::support::{Hall, Serving, folder, plenum, text, until};

/// Enough people that a register is prepared.
const IMPORTED: i64 = 400;

#[derive(QueryableByName)]
struct Prepared {
    #[diesel(sql_type = Nullable<Text>)]
    round: Option<String>,
    #[diesel(sql_type = BigInt)]
    entries: i64,
}

/// The id of the prepared round, and the number of its entries.
fn prepared(connection: &mut PgConnection) -> (Option<String>, i64) {
    let statement = "SELECT min(prepared_registers.round_id::text) AS round, count(register.end_user_id) AS entries \
                     FROM prepared_registers LEFT JOIN register ON register.round_id = prepared_registers.round_id";
    let row: Prepared = sql_query(statement).get_result(connection).unwrap();
    (row.round, row.entries)
}

#[tokio::test]
async fn a_question_that_is_shown_opens_with_the_prepared_register_and_last_changes() {
    const VOTERS: usize = 2;
    let folder = folder();
    let database = TestDatabase::fresh().await;
    let mut command = plenum(folder.path(), &["serve"]);
    command.env("DATABASE_URL", database.url());
    let serving = Serving::start_as(command).await;
    let hall = Hall::new(&serving, VOTERS).await;
    let mut connection = database.connection();
    assert_eq!(prepared(&mut connection), (None, 0), "a small register is not prepared");
    connection
        .batch_execute(&format!(
            "INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
                 SELECT gen_random_uuid(), clients.id, 'member-' || n, 'Member ' || n, 1, true, '-', now()
                 FROM clients, generate_series(1, {IMPORTED}) AS n"
        ))
        .unwrap();
    let body = json!({ "meetingId": hall.meeting, "questionText": "And this?", "questionType": "YES_NO" });
    let next = text(&serving.call("POST", "/client/questions", &hall.admin, body).await["id"]);

    let show = json!({ "questionId": next, "open": false });
    serving.call("PUT", &hall.path("/current-question"), &hall.admin, show).await;
    let everybody = IMPORTED + i64::try_from(VOTERS).unwrap();
    until("the register is prepared", || prepared(&mut connection).1 == everybody).await;
    let (round, _) = prepared(&mut connection);
    // After the preparation somebody comes, and somebody goes.
    let body =
        json!({ "username": "late", "name": "Late", "password": crate::process::support::PASSWORD, "weight": 3 });
    serving.call("POST", "/client/end-users", &hall.admin, body).await;
    connection.batch_execute("UPDATE end_users SET is_active = false WHERE username = 'member-1'").unwrap();

    let opened = serving.call("PUT", &hall.path("/current-question"), &hall.admin, json!({ "questionId": next })).await;

    let opened = &opened["currentQuestion"];
    assert_eq!(Some(text(&opened["roundId"])), round);
    let path = format!("/voting/meetings/{}/questions/{next}/vote", hall.meeting);
    let late = serving.sign_in_voter("rowing-club", "late", crate::process::support::PASSWORD).await;
    for token in [hall.token_of(0), text(&late["token"])] {
        serving.call("POST", &path, &token, json!({ "answers": ["Yes"] })).await;
    }
    serving.call("PUT", &hall.path("/current-question"), &hall.admin, json!({ "questionId": null })).await;
    let round = round.unwrap();
    let result = serving.call("POST", &hall.path(&format!("/rounds/{round}/count")), &hall.admin, Value::Null).await;
    assert_eq!(result["register"]["heads"], json!(everybody), "with one more, and one less");
    assert_eq!(result["votesCast"]["heads"], 2);
    assert_eq!(prepared(&mut connection), (None, 0), "no question is left");
}
