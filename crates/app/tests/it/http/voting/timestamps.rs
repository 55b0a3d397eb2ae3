//! Timestamps of records, from a service on loopback.

use std::fs;
use std::path::Path;
use std::process::Command;

use diesel::connection::SimpleConnection as _;
use plenum_adapter_timestamps::testkit::Behavior;
use plenum_records::TimestampTurn;
use plenum_timestamp_format::Authorities;
use plenum_timestamp_format::testkit::TestAuthority;
use plenum_verify::{Exported, KnownAuthorities, KnownKeys, Verdict, examine, read};
use serde_json::{Value, json};

use crate::http::support::{Declared, TestApp, Timestamps, evidence_key_file};

/// The verdict on an export, with the number of its timestamps by this service.
fn examined(file: &Value, timestamps: &Timestamps) -> (Verdict, usize) {
    let content = file.to_string();
    let exported = Exported::Results(Box::new(read(content.as_bytes()).unwrap()));
    let known = KnownKeys::Own(vec![file["signature"]["key"].as_str().unwrap().to_owned()]);
    let authorities = Authorities::from_pem(timestamps.service.root_pem().as_bytes()).unwrap();
    let found = examine(content.as_bytes(), &exported, &known, &KnownAuthorities::Pinned(authorities));
    (found.verdict(), found.timestamps.len())
}

#[tokio::test]
async fn a_service_that_is_down_delays_timestamps_and_nothing_else() {
    let hall = Declared::new().await;
    let timestamps = Timestamps::of(&hall.app).await;
    timestamps.service.set(Behavior::Down);
    let turn = timestamps.turn().await;
    assert_eq!((turn.kept, turn.waiting), (0, 6));
    assert!(turn.failure.unwrap().to_string().starts_with("it cannot be reached"));
    assert_eq!(timestamps.service.requests(), 1, "the others wait, too");
    // The meeting goes on, and what is exported is signed.
    hall.meeting.admin.post(&hall.meeting.path("/end"), Value::Null).await.gives(200);
    let before = hall.export().await;
    assert_eq!(before["rounds"][0]["result"]["record"].get("timestamp"), None);
    let signed = Verdict::Signed(before["signature"]["key"].as_str().unwrap().to_owned());
    assert_eq!(examined(&before, &timestamps), (signed.clone(), 0));

    timestamps.service.set(Behavior::Grant);
    assert_eq!(timestamps.turn().await, TimestampTurn { kept: 7, waiting: 0, failure: None });
    assert_eq!(timestamps.turn().await, TimestampTurn { kept: 0, waiting: 0, failure: None });
    assert_eq!(timestamps.service.requests(), 8);
    let after = hall.export().await;
    assert_eq!(examined(&after, &timestamps), (signed, 7));
    // What was signed before stays as it was.
    for part in ["hash", "key", "recordedAt"] {
        assert_eq!(after["rounds"][0]["result"]["record"][part], before["rounds"][0]["result"]["record"][part]);
    }
    assert_eq!(after["rounds"][0]["seal"]["signature"], before["rounds"][0]["seal"]["signature"]);
    let results = hall.meeting.admin.get(&hall.meeting.path("/results")).await.gives(200);
    let mark = json!({ "authority": "Test Timestamps", "at": Timestamps::AT });
    assert_eq!(results["closings"][0]["timestamp"], mark);
    let rounds = results["rounds"].as_array().unwrap();
    assert!(rounds.len() == 6 && rounds.iter().all(|round| round["record"]["timestamp"] == mark), "{results}");
}

#[tokio::test]
async fn the_public_check_of_a_file_tells_its_timestamps() {
    let hall = Declared::new().await;
    let timestamps = Timestamps::of(&hall.app).await;
    timestamps.turn().await;
    let file = hall.export().await;
    let check = |file: String| {
        let request = hall.app.anyone().request("POST", "/public/verify");
        async move {
            let sent = request.header("content-type", "application/octet-stream").body(file).send().await.unwrap();
            sent.json::<Value>().await.unwrap()
        }
    };
    let told = check(file.to_string()).await;
    assert_eq!(told["data"]["verdict"], "signed", "{told}");
    let expected = json!({
        "hash": file["rounds"][0]["result"]["record"]["hash"], "authority": "Test Timestamps", "at": Timestamps::AT,
        "isAuthorityKnown": null,
    });
    assert_eq!(told["data"]["timestamps"][0], expected);
    assert_eq!(told["data"]["timestamps"].as_array().unwrap().len(), 6);
    let mut forged = file.clone();
    forged["rounds"][0]["seal"]["timestampToken"] = forged["rounds"][1]["seal"]["timestampToken"].clone();
    let told = check(forged.to_string()).await;
    assert_eq!(told["data"]["verdict"], "not_consistent");
    let fields: Vec<_> =
        told["data"]["differences"].as_array().unwrap().iter().map(|one| one["field"].clone()).collect();
    assert!(fields.contains(&json!("rounds.0.seal.timestampToken")), "{fields:?}");
}

/// The output of `plenum` in this folder, and its exit code.
fn said(folder: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plenum"));
    command.args(arguments).current_dir(folder).env("PLENUM_DATA_DIR", folder);
    let output = command.output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

#[tokio::test]
async fn the_command_names_the_authority_and_refuses_another_one() {
    let hall = Declared::new().await;
    let timestamps = Timestamps::of(&hall.app).await;
    timestamps.turn().await;
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    write("evidence-key", &evidence_key_file());
    write("own.pem", &timestamps.service.root_pem());
    write("other.pem", TestAuthority::new("Other").root_pem());
    write("empty.pem", "no certificate");
    write("results.json", &hall.export().await.to_string());
    write("archive.json", &hall.meeting.admin.get(&hall.meeting.path("/archive")).await.gives(200).to_string());
    for file in ["results.json", "archive.json"] {
        let (text, code) = said(folder.path(), &["verify", file]);
        assert_eq!(code, Some(0), "{text}");
        assert_eq!(
            text.matches("Timestamped by Test Timestamps at 2026-11-21 18:10:04 UTC: record").count(),
            6,
            "{text}"
        );
        assert!(text.contains("(the authority is not checked)"), "{text}");
        let with =
            |certificates: &str| said(folder.path(), &["verify", file, "--timestamp-certificates", certificates]);
        let (text, code) = with("own.pem");
        assert!(code == Some(0) && !text.contains("not checked"), "{text}");
        let (text, code) = with("other.pem");
        assert!(code == Some(1) && text.contains("Verdict: not consistent."), "{text}");
        let (text, code) = with("empty.pem");
        assert!(code == Some(2) && text.contains("contains no certificate"), "{text}");
    }
}

/// Runs statements with the rights of the database's owner, and without triggers.
fn force(app: &TestApp, statements: &str) {
    let forced = format!("SET session_replication_role = replica; {statements}; RESET session_replication_role");
    app.database.connection().batch_execute(&forced).unwrap();
}

#[tokio::test]
async fn a_timestamp_never_changes_and_a_forced_change_is_found() {
    let hall = Declared::new().await;
    let timestamps = Timestamps::of(&hall.app).await;
    timestamps.turn().await;
    assert_eq!(hall.app.evidence_of_last_meeting().await, [] as [String; 0]);
    for statement in
        ["UPDATE record_timestamps SET authority = 'X'", "DELETE FROM record_timestamps", "TRUNCATE record_timestamps"]
    {
        let refused = hall.app.database.connection().batch_execute(statement).unwrap_err().to_string();
        assert!(refused.contains("never changes"), "{statement}: {refused}");
    }
    let round = format!("(SELECT hash FROM result_records WHERE round_id = '{}')", hall.round);
    for (change, words) in [
        ("SET authority = 'X'", "its row and its token differ"),
        ("SET stamped_at = stamped_at - interval '1 day'", "its row and its token differ"),
        ("SET token = substring(token FOR 300)", "is not valid: its structure differs"),
        (
            "SET token = (SELECT max(token) FROM record_timestamps t WHERE t.hash <> record_timestamps.hash)",
            "another hash",
        ),
        ("SET hash = repeat('0', 64)", "and no such record"),
    ] {
        let save = "CREATE TABLE IF NOT EXISTS saved AS SELECT * FROM record_timestamps";
        force(&hall.app, &format!("{save}; UPDATE record_timestamps {change} WHERE hash = {round}"));
        let found = hall.app.evidence_of_last_meeting().await;
        assert!(found.len() == 1 && found[0].contains(words), "{change}: {found:?}");
        force(
            &hall.app,
            "DELETE FROM record_timestamps; INSERT INTO record_timestamps SELECT * FROM saved; DROP TABLE saved",
        );
    }
    assert_eq!(hall.app.evidence_of_last_meeting().await, [] as [String; 0]);
}

#[tokio::test]
async fn timestamps_of_test_data_go_with_their_meeting() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let voter = club.voter("TEST_ada").await;
    let meeting = club.meeting_with(json!({ "title": "TEST_Assembly", "status": "ACTIVE" })).await;
    let [question, ..] = meeting.with_questions().await;
    let round = meeting.open(&question).await["roundId"].as_str().unwrap().to_owned();
    voter.vote(&meeting, &question, &["Yes"]).await.gives(201);
    meeting.clear().await;
    meeting.admin.post(&meeting.path(&format!("/rounds/{round}/declare")), Value::Null).await.gives(200);
    let timestamps = Timestamps::of(&app).await;
    assert_eq!(timestamps.turn().await.kept, 1);
    meeting.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    meeting.admin.delete(&meeting.path("")).await.gives(200);
    force(
        &app,
        "DO $$ BEGIN IF EXISTS (SELECT FROM record_timestamps) THEN RAISE EXCEPTION 'it stays'; END IF; END $$",
    );
    assert_eq!(timestamps.turn().await, TimestampTurn { kept: 0, waiting: 0, failure: None });
}
