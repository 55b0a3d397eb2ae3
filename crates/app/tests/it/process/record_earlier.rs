//! Records of results and ends of meetings that have none: a start writes none, and a command does.

use diesel::RunQueryDsl as _;
use diesel::connection::SimpleConnection as _;
use plenum_adapter_postgres::testkit::TestDatabase;
use serde_json::{Value, json};

use crate::process::support::{Hall, Serving, folder, plenum, run, stderr, stdout};

/// Removes the records of everything, changes the votes, and makes the declaration older than the first key.
const ATTACK: &str = "BEGIN; SET LOCAL session_replication_role = replica;
    DELETE FROM result_records; DELETE FROM closing_records;
    UPDATE rounds SET record_hash = NULL, declared_at = '2020-01-01Z', ended_at = '2020-01-01Z', counted_at = '2020-01-01Z';
    UPDATE meetings SET closing_hash = NULL;
    COMMIT";

#[tokio::test]
async fn a_start_signs_nothing_whose_record_was_removed_from_the_database() {
    let (home, database) = (folder(), TestDatabase::fresh().await);
    let command = |arguments: &[&str]| {
        let mut command = plenum(home.path(), arguments);
        command.env("DATABASE_URL", database.url());
        command
    };
    let said = |arguments: &[&str]| {
        let output = run(command(arguments));
        (stdout(&output) + &stderr(&output), output.status.code())
    };
    let records = || {
        let mut conn = database.connection();
        diesel::sql_query("SELECT hash FROM result_records UNION ALL SELECT hash FROM closing_records")
            .execute(&mut conn)
            .unwrap()
    };
    let (refused, code) = said(&["evidence-key", "record-earlier", "--yes"]);
    assert!(code == Some(1) && refused.contains("there is no evidence key here"), "{refused}");
    let serving = Serving::start_as(command(&["serve"])).await;
    let hall = Hall::new(&serving, 1).await;
    serving.try_vote(&hall.vote_path(), &hall.token_of(0)).await.unwrap();
    serving.call("PUT", &hall.path("/current-question"), &hall.admin, json!({ "questionId": null })).await;
    serving.call("POST", &hall.path(&format!("/rounds/{}/declare", hall.round)), &hall.admin, Value::Null).await;
    serving.call("POST", &hall.path("/end"), &hall.admin, Value::Null).await;
    drop(serving);
    assert_eq!(records(), 2);
    let (all, code) = said(&["evidence-key", "record-earlier"]);
    assert!(code == Some(0) && all.contains("Every declared result and ended meeting has its record."), "{all}");

    database.connection().batch_execute(ATTACK).unwrap();
    drop(Serving::start_as(command(&["serve"])).await);
    assert_eq!(records(), 0, "nothing is signed by a start");
    let (verified, code) = said(&["verify", "--database"]);
    assert_eq!(code, Some(1), "{verified}");
    for words in ["the audit log names a record of round", "the audit log names a closing record of meeting"] {
        assert!(verified.contains(words), "{words}: {verified}");
    }

    let (listed, code) = said(&["evidence-key", "record-earlier"]);
    assert_eq!(code, Some(0), "{listed}");
    for words in [&hall.round, &format!("End of meeting {}", hall.meeting), "Nothing was recorded."] {
        assert!(listed.contains(words), "{words}: {listed}");
    }
    assert_eq!(records(), 0);
    let (recorded, code) = said(&["evidence-key", "record-earlier", "--yes"]);
    assert!(code == Some(0) && recorded.contains("1 result, 1 ended meeting"), "{recorded}");
    assert_eq!(records(), 2);
    let (verified, code) = said(&["verify", "--database"]);
    assert_eq!(code, Some(1), "the audit log still names the records that were removed: {verified}");
}
