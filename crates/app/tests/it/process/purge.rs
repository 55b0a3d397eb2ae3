//! `plenum purge` on the command line.

use std::fs;
use std::path::Path;

use diesel::connection::SimpleConnection as _;
use plenum_adapter_postgres::testkit::TestDatabase;
use serde_json::{Value, json};

use crate::process::support::{Hall, Serving, folder, plenum, run, stderr, stdout};

/// The output of a command on this database, and its exit code.
fn said(folder: &Path, database: &TestDatabase, arguments: &[&str]) -> (String, Option<i32>) {
    let mut command = plenum(folder, arguments);
    command.env("DATABASE_URL", database.url());
    let output = run(command);
    (stdout(&output) + &stderr(&output), output.status.code())
}

#[tokio::test]
async fn a_purge_shows_what_it_removes_and_removes_it_when_it_is_confirmed() {
    let (home, database) = (folder(), TestDatabase::fresh().await);
    let mut command = plenum(home.path(), &["serve"]);
    command.env("DATABASE_URL", database.url());
    let serving = Serving::start_as(command).await;
    let hall = Hall::new(&serving, 1).await;
    serving.try_vote(&hall.vote_path(), &hall.token_of(0)).await.unwrap();
    serving.call("PUT", &hall.path("/current-question"), &hall.admin, json!({ "questionId": null })).await;
    serving.call("POST", &hall.path(&format!("/rounds/{}/declare", hall.round)), &hall.admin, Value::Null).await;
    serving.call("POST", &hall.path("/end"), &hall.admin, Value::Null).await;
    let said = |arguments: &[&str]| said(home.path(), &database, arguments);

    let (key, elsewhere) = (home.path().join("data/evidence-key"), home.path().join("elsewhere"));
    fs::rename(&key, &elsewhere).unwrap();
    let (verified, code) = said(&["verify", "--database"]);
    assert_eq!(code, Some(3), "without a key no record is checked: {verified}");
    assert!(verified.contains("The audit log is intact.") && verified.contains(key.to_str().unwrap()), "{verified}");
    assert!(verified.contains("PLENUM_EVIDENCE_KEY_FILE") && !verified.contains("records are intact"), "{verified}");
    fs::rename(&elsewhere, &key).unwrap();

    let (nothing, code) = said(&["purge", "--yes"]);
    assert!(code == Some(0) && nothing.starts_with("Nothing is older than "), "{nothing}");
    // Eleven years later.
    let age = "BEGIN; SET LOCAL session_replication_role = replica;
        UPDATE result_records SET recorded_at = recorded_at - interval '11 years';
        UPDATE closing_records SET recorded_at = recorded_at - interval '11 years';
        UPDATE meetings SET ended_at = ended_at - interval '11 years'; COMMIT";
    database.connection().batch_execute(age).unwrap();
    let (shown, code) = said(&["purge"]);
    assert_eq!(code, Some(0), "{shown}");
    for words in [&hall.meeting, "General assembly", "1 record of results, 1 closing record", "Nothing was removed."] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    for (before, words) in [
        ("2199-01-01", "at least 30 days ago"),
        ("2020-01-01", "within the retention time of 10 years"),
        ("x", "--before"),
    ] {
        let (refused, code) = said(&["purge", "--yes", "--before", before]);
        assert!(code != Some(0) && refused.contains(words), "{before}: {refused}");
    }
    let (refused, code) = said(&["purge", "--yes", "--organization", "nobody"]);
    assert!(code == Some(1) && refused.contains("none with the code nobody"), "{refused}");

    let (removed, code) = said(&["purge", "--yes", "--operator", "Maria Keller"]);
    assert!(code == Some(0) && removed.contains("Removed: 1 meeting, 2 records"), "{removed}");
    let (verified, code) = said(&["verify", "--database"]);
    assert_eq!(code, Some(0), "{verified}");
    let forget = "BEGIN; SET LOCAL session_replication_role = replica; DELETE FROM purges; COMMIT";
    database.connection().batch_execute(forget).unwrap();
    let (verified, code) = said(&["verify", "--database"]);
    assert!(code == Some(1) && verified.contains("the audit log names a record"), "{verified}");
}
