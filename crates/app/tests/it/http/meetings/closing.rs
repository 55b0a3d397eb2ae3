//! The closing record of a meeting, its amendments, and the restart.

use std::sync::Arc;

use diesel::connection::SimpleConnection as _;
use plenum_verify::{KnownKeys, Origin, check_origin, read};
use serde_json::{Value, json};

use crate::http::support::{Organization, TestApp, TestMeeting};

/// A club with a running meeting that has a declared result and a remark.
async fn held(app: &TestApp) -> (Organization, TestMeeting) {
    let club = app.client("Rowing Club").await;
    let ada = club.voter("ada").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].as_str().unwrap().to_owned();
    ada.vote(&meeting, &question, &["Yes"]).await.gives(201);
    meeting.clear().await;
    club.admin.post(&meeting.path(&format!("/rounds/{round}/declare")), Value::Null).await.gives(200);
    let remark = json!({ "kind": "REMARK", "text": "The roof held." });
    club.admin.post(&meeting.path("/remarks"), remark).await.gives(201);
    (club, meeting)
}

async fn export(club: &Organization, meeting: &TestMeeting) -> Value {
    club.admin.get(&meeting.path("/results/export?format=json")).await.gives(200)
}

/// The verdict of `plenum verify` on the file.
fn origin(file: &Value) -> Result<Origin, Vec<String>> {
    let text = file.to_string();
    let key = file["signature"]["key"].as_str().unwrap().to_owned();
    check_origin(text.as_bytes(), &read(text.as_bytes()).unwrap(), &KnownKeys::Own(vec![key]))
        .map_err(|refusal| refusal.0.into_iter().map(|difference| difference.field).collect())
}

#[tokio::test]
async fn the_end_of_a_meeting_is_recorded_and_later_changes_stand_beside_it() {
    let app = TestApp::start().await;
    let (club, meeting) = held(&app).await;
    let before = club.admin.get(&meeting.path("/results")).await.gives(200);
    assert_eq!((&before["closings"], &before["amendments"]), (&json!([]), &json!([])));
    let ended = club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    let closed = club.admin.get(&meeting.path("/results")).await.gives(200);
    let closing = &closed["closings"][0];
    assert_eq!(closing["hash"], ended["closingHash"]);
    let record = &closing["record"];
    assert_eq!(record["meeting"]["status"], "COMPLETED");
    assert_eq!(record["endedAt"], ended["endedAt"]);
    assert_eq!(record["remarks"], closed["remarks"]);
    assert_eq!(record["records"][0]["hash"], closed["rounds"][0]["record"]["hash"]);
    assert_eq!(record["lastRecordHash"], closed["rounds"][0]["record"]["hash"]);
    assert_eq!((&record["number"], &record["previousHash"]), (&json!(1), &Value::Null));
    assert_eq!(app.evidence_of_last_meeting().await, [] as [String; 0]);

    // Title, dates and remarks.
    club.admin.put(&meeting.path(""), json!({ "title": "Annual assembly" })).await.gives(200);
    club.admin.put(&meeting.path(""), json!({ "scheduledEndTime": "2031-05-01T22:00:00Z" })).await.gives(200);
    let remark = closed["remarks"][0]["id"].as_str().unwrap();
    assert_eq!(club.admin.delete(&meeting.path(&format!("/remarks/{remark}"))).await.status, 204);
    let later = json!({ "kind": "INCIDENT", "text": "Added later." });
    club.admin.post(&meeting.path("/remarks"), later).await.gives(201);
    let file = export(&club, &meeting).await;
    assert_eq!(file["closings"][0], *closing, "the record stays as it is");
    let told: Vec<_> = file["amendments"].as_array().unwrap().iter().collect();
    let fields: Vec<_> =
        told.iter().map(|one| (one["subject"].as_str().unwrap(), one["field"].as_str().unwrap())).collect();
    let expected = [("MEETING", "title"), ("MEETING", "scheduledEnd"), ("REMARK", "struck"), ("REMARK", "text")];
    assert_eq!(fields, expected);
    assert!(told.iter().all(|one| one["by"] == "Anna Berg" && one["closing"] == 1), "{told:?}");
    assert_eq!((&told[0]["was"], &told[0]["became"]), (&record["meeting"]["title"], &json!("Annual assembly")));
    assert_eq!(file["remarks"][0]["text"], "The roof held.");
    assert_eq!(file["remarks"][0]["struck"]["by"], "Anna Berg");
    assert!(matches!(origin(&file), Ok(Origin::Signed(_))), "{:?}", origin(&file));
    assert_eq!(app.evidence_of_last_meeting().await, [] as [String; 0]);
    // The documents print it.
    for format in ["csv", "xlsx", "pdf"] {
        assert_eq!(club.admin.get(&meeting.path(&format!("/results/export?format={format}"))).await.status, 200);
    }
    let csv = club.admin.get(&meeting.path("/results/export?format=csv")).await.text;
    assert!(csv.contains(closing["hash"].as_str().unwrap()), "{csv}");
    assert!(csv.contains("Title of the meeting") && csv.contains("Struck through"), "{csv}");
}

#[tokio::test]
async fn a_meeting_starts_again_only_on_confirmation_and_ends_with_a_second_record() {
    let app = TestApp::start().await;
    let (club, meeting) = held(&app).await;
    let first = club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    let active = json!({ "status": "ACTIVE" });
    club.admin.put(&meeting.path(""), active.clone()).await.refuses(409, "restart_unconfirmed");
    club.admin.post(&meeting.path("/start"), Value::Null).await.refuses(409, "restart_unconfirmed");
    club.admin
        .post(&meeting.path("/start?confirmRestart=false"), Value::Null)
        .await
        .refuses(409, "restart_unconfirmed");
    let wrong = club.admin.post(&meeting.path("/start?confirmRestart=maybe"), Value::Null).await;
    assert_eq!(wrong.wrong_fields(), ["confirmRestart"]);
    // Another status in between does not avoid the confirmation.
    club.admin.put(&meeting.path(""), json!({ "status": "SCHEDULED" })).await.gives(200);
    club.admin.post(&meeting.path("/start"), Value::Null).await.refuses(409, "restart_unconfirmed");
    assert_eq!(club.admin.get(&meeting.path("")).await.gives(200)["closingHash"], first["closingHash"]);
    let started = club.admin.post(&meeting.path("/start?confirmRestart=true"), Value::Null).await.gives(200);
    assert_eq!(started["status"], "ACTIVE");
    // A repeat changes nothing.
    club.admin.post(&meeting.path("/start?confirmRestart=true"), Value::Null).await.gives(200);
    let second = club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    let file = export(&club, &meeting).await;
    let closings = file["closings"].as_array().unwrap();
    assert_eq!(closings.len(), 2);
    assert_eq!(closings[0]["hash"], first["closingHash"]);
    assert_eq!((&closings[1]["hash"], &closings[1]["record"]["number"]), (&second["closingHash"], &json!(2)));
    assert_eq!(closings[1]["record"]["previousHash"], first["closingHash"]);
    let told: Vec<_> = file["amendments"].as_array().unwrap().iter().map(|one| one["became"].clone()).collect();
    assert_eq!(told, [json!("SCHEDULED"), json!("ACTIVE")]);
    assert!(matches!(origin(&file), Ok(Origin::Signed(_))), "{:?}", origin(&file));
    assert_eq!(app.evidence_of_last_meeting().await, [] as [String; 0]);
    // The other call confirms in its body.
    let confirmed = json!({ "status": "ACTIVE", "confirmRestart": true });
    assert_eq!(club.admin.put(&meeting.path(""), confirmed).await.gives(200)["status"], "ACTIVE");
}

#[tokio::test]
async fn a_quorum_that_changes_after_the_end_changes_no_attendance_note() {
    let app = TestApp::start().await;
    let (club, meeting) = held(&app).await;
    let share = |numerator: u32, denominator: u32| {
        json!({
            "comparison": "at_least", "numerator": numerator, "denominator": denominator, "unit": "heads",
            "attendance": "present",
        })
    };
    let set = async |quorum: Option<(u32, u32)>| {
        let quorum = quorum.map(|(numerator, denominator)| {
            let mut quorum = share(numerator, denominator);
            quorum["atOpening"] = json!("warn");
            quorum
        });
        club.admin.put(&meeting.path(""), json!({ "quorum": quorum })).await.gives(200);
    };
    // Three of four were present, by a note of this version and by one of an instance of the previous version.
    let notes = format!(
        "INSERT INTO attendance (client_id, meeting_id, noted_at, present_heads, present_weight, eligible_heads,
                                 eligible_weight, quorum)
         SELECT client_id, id, now() - made.before, 3, 3, 4, 4, made.quorum FROM meetings,
             (VALUES (interval '2 minutes', '{}'::jsonb), (interval '1 minute', NULL)) AS made (before, quorum)
         WHERE id = '{}'",
        share(1, 2),
        meeting.id
    );
    app.database.connection().batch_execute(&notes).unwrap();
    let noted = async || {
        let file = export(&club, &meeting).await;
        let report = plenum_verify::verify(&read(file.to_string().as_bytes()).unwrap());
        assert!(report.agrees(), "{report:?}");
        assert!(matches!(origin(&file), Ok(Origin::Signed(_))), "{:?}", origin(&file));
        assert_eq!(app.evidence_of_last_meeting().await, [] as [String; 0]);
        [0_usize, 1].map(|place| file["attendance"][place]["isQuorate"].clone())
    };
    set(Some((1, 2))).await;
    assert_eq!(noted().await, [json!(true), json!(true)]);
    set(Some((2, 3))).await;
    assert_eq!(noted().await, [json!(true), json!(true)], "a change while the meeting runs");
    club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    assert_eq!(noted().await, [json!(true), json!(true)]);
    set(Some((4, 5))).await;
    assert_eq!(noted().await, [json!(true), json!(false)], "that of the previous version has no quorum of its own");
    set(None).await;
    assert_eq!(noted().await, [json!(true), Value::Null]);
    club.admin.post(&meeting.path("/start?confirmRestart=true"), Value::Null).await.gives(200);
    set(Some((1, 1))).await;
    assert_eq!(noted().await, [json!(true), json!(false)]);
    club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    assert_eq!(noted().await, [json!(true), json!(false)]);
    let tables = club.admin.get(&meeting.path("/results/export?format=csv")).await.text;
    assert!(tables.lines().any(|line| line.contains("not met")), "{tables}");
}

#[tokio::test]
async fn of_two_ends_at_once_one_writes_the_record() {
    let app = TestApp::start().await;
    let (club, meeting) = held(&app).await;
    let path = Arc::new(meeting.path(""));
    let racers: Vec<_> = (0..6)
        .map(|_| {
            let (admin, path) = (club.admin.clone(), Arc::clone(&path));
            tokio::spawn(async move { admin.put(&path, json!({ "status": "COMPLETED" })).await.status })
        })
        .collect();
    for racer in racers {
        assert_eq!(racer.await.unwrap(), 200);
    }
    let results = club.admin.get(&meeting.path("/results")).await.gives(200);
    assert_eq!((results["closings"].as_array().unwrap().len(), &results["amendments"]), (1, &json!([])));
}

#[tokio::test]
async fn nobody_else_restarts_a_meeting_or_strikes_its_remarks() {
    let app = TestApp::start().await;
    let (club, meeting) = held(&app).await;
    club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    let remark = club.admin.get(&meeting.path("/remarks")).await.gives(200)[0]["id"].as_str().unwrap().to_owned();
    let remark = meeting.path(&format!("/remarks/{remark}"));
    let (other, root) = (app.client("Chess Club").await, app.super_admin().await);
    let confirmed = json!({ "status": "ACTIVE", "confirmRestart": true });
    other.admin.put(&meeting.path(""), confirmed.clone()).await.refuses(404, "meeting_not_found");
    other.admin.post(&meeting.path("/start?confirmRestart=true"), Value::Null).await.refuses(404, "meeting_not_found");
    other.admin.delete(&remark).await.refuses(404, "remark_not_found");
    let voter = club.voter("ben").await;
    for caller in [&root, &voter.caller] {
        assert_eq!(caller.put(&meeting.path(""), confirmed.clone()).await.status, 403);
        assert_eq!(caller.delete(&remark).await.status, 403);
    }
    let results = club.admin.get(&meeting.path("/results")).await.gives(200);
    assert_eq!((&results["meeting"]["status"], &results["amendments"]), (&json!("COMPLETED"), &json!([])));
    assert!(results["remarks"][0].get("struck").is_none(), "{results}");
}

#[tokio::test]
async fn what_somebody_changes_behind_the_product_is_refused_or_found() {
    let app = TestApp::start().await;
    let (club, meeting) = held(&app).await;
    club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    club.admin.put(&meeting.path(""), json!({ "title": "Annual assembly" })).await.gives(200);
    let id = &meeting.id;
    let run = |statement: &str| app.database.connection().batch_execute(statement);
    for statement in [
        format!("UPDATE closing_records SET document = '{{}}' WHERE meeting_id = '{id}'"),
        format!("DELETE FROM closing_records WHERE meeting_id = '{id}'"),
        format!("UPDATE amendments SET became = 'Other' WHERE meeting_id = '{id}'"),
        format!("DELETE FROM amendments WHERE meeting_id = '{id}'"),
        format!("DELETE FROM remarks WHERE meeting_id = '{id}'"),
        format!("UPDATE remarks SET remark_text = 'Other' WHERE meeting_id = '{id}'"),
        "TRUNCATE closing_records".to_owned(),
        "TRUNCATE amendments".to_owned(),
    ] {
        let refused = run(&statement).unwrap_err().to_string();
        assert!(refused.contains("never change"), "{statement}: {refused}");
    }
    assert_eq!(app.evidence_of_last_meeting().await, [] as [String; 0]);
    // With the triggers switched off, the check detects each change, and the test reverts it.
    for (table, statement, back, words) in [
        ("meetings", "title = 'Bent'", "title = 'Annual assembly'", "meeting.title"),
        ("remarks", "remark_text = 'Bent'", "remark_text = 'The roof held.'", "remarks.0.text"),
        (
            "questions",
            "question_text = question_text || '!'",
            "question_text = rtrim(question_text, '!')",
            "tells it: question ",
        ),
        ("closing_records", "document = document || ' '", "document = rtrim(document)", "closing record 1 is damaged"),
        ("amendments", "became = 'Bent'", "became = 'Annual assembly'", "meeting.title"),
    ] {
        let key = if table == "meetings" { "id" } else { "meeting_id" };
        let bend = |change: &str| {
            let statement = format!(
                "ALTER TABLE {table} DISABLE TRIGGER USER; UPDATE {table} SET {change} WHERE {key} = '{id}';
                 ALTER TABLE {table} ENABLE TRIGGER USER"
            );
            run(&statement).unwrap();
        };
        bend(statement);
        let found = app.evidence_of_last_meeting().await;
        assert!(found.iter().any(|finding| finding.contains(words)), "{statement}: {found:?}");
        let file = export(&club, &meeting).await;
        // The agenda is no part of a file.
        assert_eq!(origin(&file).is_ok(), table == "questions", "{statement}: {:?}", origin(&file));
        bend(back);
        assert_eq!(app.evidence_of_last_meeting().await, [] as [String; 0], "{statement}");
    }
    app.link_audit_log().await;
    run(&format!(
        "BEGIN; SET LOCAL session_replication_role = replica; DELETE FROM closing_records WHERE meeting_id = '{id}';
         DELETE FROM amendments WHERE meeting_id = '{id}'; UPDATE meetings SET closing_hash = NULL WHERE id = '{id}'; COMMIT"
    ))
    .unwrap();
    let found = app.evidence_of_last_meeting().await;
    assert!(found.iter().any(|finding| finding.contains("names a closing record of meeting")), "{found:?}");
}
