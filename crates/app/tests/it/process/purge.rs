//! `plenum purge` on the command line.

use std::fs;
use std::path::Path;

use diesel::connection::SimpleConnection as _;
use nix::sys::signal::Signal;
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_security::EvidenceKeyRing;
use serde_json::{Value, json};

use crate::process::aged::{age, shift_rows};
use crate::process::support::{Hall, Serving, folder, plenum, run, stderr, stdout, until};

/// The output of a command on this database, and its exit code.
fn said(folder: &Path, database: &TestDatabase, arguments: &[&str]) -> (String, Option<i32>) {
    let mut command = plenum(folder, arguments);
    command.env("DATABASE_URL", database.url());
    let output = run(command);
    (stdout(&output) + &stderr(&output), output.status.code())
}

/// A server on this database.
async fn serve(folder: &Path, database: &TestDatabase) -> Serving {
    let mut command = plenum(folder, &["serve"]);
    command.env("DATABASE_URL", database.url());
    Serving::start_as(command).await
}

/// An ended meeting with a declared result, and no server.
async fn ended_meeting(folder: &Path, database: &TestDatabase) -> Hall {
    let mut serving = serve(folder, database).await;
    let hall = Hall::new(&serving, 1).await;
    serving.try_vote(&hall.vote_path(), &hall.token_of(0)).await.unwrap();
    serving.call("PUT", &hall.path("/current-question"), &hall.admin, json!({ "questionId": null })).await;
    serving.call("POST", &hall.path(&format!("/rounds/{}/declare", hall.round)), &hall.admin, Value::Null).await;
    serving.call("POST", &hall.path("/end"), &hall.admin, Value::Null).await;
    serving.signal(Signal::SIGTERM);
    serving.ended().await;
    hall
}

#[tokio::test]
async fn a_purge_shows_what_it_removes_and_removes_it_when_it_is_confirmed() {
    let (home, database) = (folder(), TestDatabase::fresh().await);
    let hall = ended_meeting(home.path(), &database).await;
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
    age(&database, &EvidenceKeyRing::parse(&fs::read(&key).unwrap()).unwrap()).await;
    let (verified, code) = said(&["verify", "--database"]);
    assert_eq!(code, Some(0), "{verified}");
    let (shown, code) = said(&["purge", "--clock-is-right"]);
    assert_eq!(code, Some(0), "{shown}");
    for words in [&hall.meeting, "General assembly", "1 record of results, 1 closing record", "Nothing was removed."] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    for (before, words) in [
        ("2199-01-01", "at least 30 days ago"),
        ("2020-01-01", "within the retention time of 10 years"),
        ("x", "--before"),
    ] {
        let (refused, code) = said(&["purge", "--yes", "--clock-is-right", "--before", before]);
        assert!(code != Some(0) && refused.contains(words), "{before}: {refused}");
    }
    let (refused, code) = said(&["purge", "--yes", "--organization", "nobody"]);
    assert!(code == Some(1) && refused.contains("none with the code nobody"), "{refused}");

    let (removed, code) = said(&["purge", "--yes", "--clock-is-right", "--operator", "Maria Keller"]);
    assert!(code == Some(0) && removed.contains("Removed: 1 meeting, 2 records"), "{removed}");
    let (verified, code) = said(&["verify", "--database"]);
    assert_eq!(code, Some(0), "{verified}");
    let forget = "BEGIN; SET LOCAL session_replication_role = replica; DELETE FROM purges; COMMIT";
    database.connection().batch_execute(forget).unwrap();
    let (verified, code) = said(&["verify", "--database"]);
    assert!(code == Some(1) && verified.contains("The audit log was tampered with."), "{verified}");
}

#[tokio::test]
async fn rows_that_were_aged_are_named_and_stay() {
    let (home, database) = (folder(), TestDatabase::fresh().await);
    let hall = ended_meeting(home.path(), &database).await;
    shift_rows(&database, '-');
    let said = |arguments: &[&str]| said(home.path(), &database, arguments);
    let (verified, code) = said(&["verify", "--database"]);
    assert!(code == Some(1) && verified.contains("has another time than its document"), "{verified}");
    let (refused, code) = said(&["purge", "--yes"]);
    assert_eq!(code, Some(1), "{refused}");
    let words = format!("REFUSED  meeting {} (General assembly) of organization ", hall.meeting);
    for words in [words.as_str(), &format!("the row of the record of round {}", hall.round), "Nothing else is older"] {
        assert!(refused.contains(words), "{words}: {refused}");
    }
    let serving = serve(home.path(), &database).await;
    until("the refusal is logged", || serving.log().contains("did not purge a meeting")).await;
    assert!(serving.log().contains(&hall.meeting), "{}", serving.log());
    drop(serving);
    shift_rows(&database, '+');
    let (verified, code) = said(&["verify", "--database"]);
    assert_eq!(code, Some(0), "everything is still there: {verified}");
}

#[tokio::test]
async fn a_clock_that_is_years_ahead_purges_nothing_unless_it_is_said_to_be_right() {
    let (home, database) = (folder(), TestDatabase::fresh().await);
    ended_meeting(home.path(), &database).await;
    let key = fs::read(home.path().join("data/evidence-key")).unwrap();
    // To this database, the clock is eleven years ahead.
    age(&database, &EvidenceKeyRing::parse(&key).unwrap()).await;
    let serving = serve(home.path(), &database).await;
    until("the doubt is logged", || serving.log().contains("did not purge old evidence")).await;
    drop(serving);
    let said = |arguments: &[&str]| said(home.path(), &database, arguments);
    let (refused, code) = said(&["purge", "--yes"]);
    assert!(code == Some(1) && refused.contains("nothing was removed"), "{refused}");
    assert!(refused.contains("more than 400 days before") && refused.contains("--clock-is-right"), "{refused}");
    assert!(said(&["doctor"]).0.contains("The clock is in doubt"), "{}", said(&["doctor"]).0);
    let (verified, code) = said(&["verify", "--database"]);
    assert_eq!(code, Some(0), "everything is still there: {verified}");
    let (removed, code) = said(&["purge", "--yes", "--clock-is-right"]);
    assert!(code == Some(0) && removed.contains("Removed: 1 meeting, 2 records"), "{removed}");
}
