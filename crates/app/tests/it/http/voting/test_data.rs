//! Test data counts nowhere, and its deletion leaves nothing.

use std::collections::BTreeMap;

use diesel::sql_types::{BigInt, Text};
use diesel::{QueryableByName, RunQueryDsl as _};
use serde_json::{Value, json};

use crate::http::support::{Caller, Organization, PASSWORD, TestApp, TestMeeting, TestVoter, until};

/// Every call with numbers or activity of all clients.
const OF_THE_PLATFORM: &[&str] = &[
    "/clients/stats",
    "/sessions/stats",
    "/activity",
    "/reports/clients",
    "/reports/clients?page=1&pageSize=1",
    "/reports/clients/export?format=csv",
];
/// Every call with numbers or activity of one client.
const OF_A_CLIENT: &[&str] =
    &["/client/end-users/stats", "/client/meetings/stats", "/client/activity", "/client/end-users/export?format=csv"];

/// The responses of all these calls to a super administrator and an organizer, and the counts of the client.
async fn figures(root: &Caller, club: &Organization) -> BTreeMap<String, String> {
    let mut responses = BTreeMap::new();
    for (caller, paths) in [(root, OF_THE_PLATFORM), (&club.admin, OF_A_CLIENT)] {
        for path in paths {
            let answer = caller.get(path).await;
            assert_eq!(answer.status, 200, "{path}");
            responses.insert((*path).to_owned(), answer.text);
        }
    }
    let client = root.get(&format!("/clients/{}", club.id)).await.gives(200)["data"].clone();
    responses.insert("_count".to_owned(), client["_count"].to_string());
    responses
}

async fn end_user(club: &Organization, username: &str, name: &str) -> TestVoter {
    let body = json!({ "username": username, "name": name, "password": PASSWORD });
    let made = club.admin.post("/client/end-users", body).await.gives(201);
    let id = made["data"]["id"].as_str().unwrap().to_owned();
    TestVoter { id, caller: club.admin.sign_in_voter(&club.code, username).await }
}

/// A whole meeting with a vote and a declared result. It is still running.
async fn meeting(club: &Organization, title: &str, voter: &TestVoter) -> TestMeeting {
    let meeting = club.meeting_with(json!({ "status": "ACTIVE", "title": title })).await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    voter.vote(&meeting, &question, &["Yes"]).await.gives(201);
    meeting.clear().await;
    meeting.count(&round).await.gives(200);
    let path = meeting.path(&format!("/rounds/{}/declare", round.as_str().unwrap()));
    meeting.admin.post(&path, Value::Null).await.gives(200);
    let second = meeting.ask_yes_no().await;
    meeting.open(&second).await;
    voter.vote(&meeting, &second, &["No"]).await.gives(201);
    meeting
}

/// Waits for the notes of the attendance, which follow the openings in the background. A note that is written during an
/// opening has a later time, but is the note of the event before, and another one follows.
async fn attendance_is_noted(app: &TestApp) {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = BigInt)]
        missing: i64,
    }
    let mut conn = app.database.connection();
    let statement = "SELECT count(*) AS missing FROM rounds WHERE NOT EXISTS \
                         (SELECT FROM attendance WHERE attendance.meeting_id = rounds.meeting_id \
                            AND attendance.event_at >= rounds.opened_at)";
    until("the attendance is noted", async || {
        let row: Row = diesel::sql_query(statement).get_result(&mut conn).unwrap();
        (row.missing == 0).then_some(())
    })
    .await;
}

/// All stored data, as one text for each table. Without the audit log, which also records deleted data.
fn dump(app: &TestApp) -> BTreeMap<String, String> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Text)]
        text: String,
    }
    let mut conn = app.database.connection();
    let tables: Vec<Row> = diesel::sql_query(
        "SELECT relname::text AS text FROM pg_class \
         WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname NOT LIKE 'audit%'",
    )
    .load(&mut conn)
    .unwrap();
    assert!(tables.len() > 15);
    let mut dump = BTreeMap::new();
    for Row { text: table } in tables {
        let statement =
            format!("SELECT coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '') AS text FROM {table} t");
        let row: Row = diesel::sql_query(statement).get_result(&mut conn).unwrap();
        dump.insert(table, row.text);
    }
    dump
}

#[tokio::test]
async fn test_data_in_a_real_client_changes_no_number_and_no_file() {
    let app = TestApp::start().await;
    let (root, club) = (app.super_admin().await, app.client("Rowing Club").await);
    let anna = end_user(&club, "anna", "Anna").await;
    meeting(&club, "Assembly", &anna).await;
    let before = figures(&root, &club).await;
    assert_eq!(before["_count"], json!({ "users": 1, "endUsers": 1, "meetings": 1 }).to_string());

    let bert = end_user(&club, "bert", "TEST_Bert").await;
    let cleo = end_user(&club, "TEST_cleo", "Cleo").await;
    let test = meeting(&club, "TEST_Assembly", &bert).await;
    let planned = club.meeting_with(json!({ "title": "TEST_Planned" })).await;
    assert_eq!(figures(&root, &club).await, before);
    for (path, tests) in [("/client/end-users", 2), ("/client/meetings", 2)] {
        let listed = club.admin.get(&format!("{path}?page=1")).await.gives(200);
        let found = listed["data"].as_array().unwrap().iter().filter(|row| row["isTest"] == true).count();
        assert_eq!((found, &listed["meta"]["total"]), (tests, &json!(tests + 1)), "{path}");
    }

    let rename = async |path: String, body: Value| club.admin.put(&path, body).await.gives(200);
    let renamed = rename(format!("/client/end-users/{}", cleo.id), json!({ "username": "cleo" })).await;
    assert_eq!(renamed["data"]["isTest"], false);
    let renamed = rename(planned.path(""), json!({ "title": "test_Planned" })).await;
    assert_eq!(renamed["isTest"], false);
    let after = figures(&root, &club).await;
    assert_eq!(after["_count"], json!({ "users": 1, "endUsers": 2, "meetings": 2 }).to_string());
    for (path, text) in &before {
        assert!(path == "/clients/stats" || after[path] != *text, "{path}: {text}");
    }
    rename(format!("/client/end-users/{}", cleo.id), json!({ "name": "TEST_" })).await;
    rename(planned.path(""), json!({ "title": "TEST_Planned" })).await;
    assert_eq!(figures(&root, &club).await, before);

    club.admin.post(&test.path("/end"), Value::Null).await.gives(200);
    for over in [test, planned] {
        assert_eq!(club.admin.delete(&over.path("")).await.status, 200);
    }
    for voter in [bert, cleo] {
        assert_eq!(club.admin.delete(&format!("/client/end-users/{}", voter.id)).await.status, 200);
    }
    assert_eq!(figures(&root, &club).await, before);
    app.link_audit_log().await;
    assert_eq!(app.evidence_of_last_meeting().await, [] as [String; 0], "its records went with it");
}

#[tokio::test]
async fn votes_of_a_meeting_that_was_opened_as_test_data_cannot_be_deleted_from_a_real_one() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let anna = end_user(&club, "anna", "Anna").await;
    for (title, other) in [("TEST_Assembly", "Assembly"), ("Assembly", "TEST_Assembly")] {
        let meeting = meeting(&club, title, &anna).await;
        let before = meeting.rounds().await;
        let refused = club.admin.put(&meeting.path(""), json!({ "title": other, "description": "Changed" })).await;
        refused.refuses(409, "test_mark_settled");
        let known = club.admin.get(&meeting.path("")).await.gives(200);
        assert_eq!((&known["title"], &known["description"]), (&json!(title), &Value::Null));
        assert_eq!(meeting.rounds().await, before);
        let allowed = json!({ "title": format!("{title} 2026") });
        assert_eq!(club.admin.put(&meeting.path(""), allowed).await.gives(200)["isTest"], known["isTest"]);
        club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    }
}

#[tokio::test]
async fn an_organization_in_which_voting_was_opened_keeps_its_mark() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    for (name, other) in [("Rowing Club", "TEST_Rowing Club"), ("TEST_CLIENT_1", "Sailing Club")] {
        let club = app.client(name).await;
        let anna = end_user(&club, "anna", "Anna").await;
        let path = format!("/clients/{}", club.id);
        for free in [other, name] {
            assert_eq!(root.put(&path, json!({ "name": free })).await.gives(200)["data"]["name"], free);
        }
        meeting(&club, "Assembly", &anna).await;
        let body = json!({ "name": other, "contactEmail": "changed@example.org" });
        let refused = root.put(&path, body).await.refuses(409, "test_mark_settled");
        assert_eq!(refused["fields"], json!({ "name": ["Can no longer gain or lose TEST_ at the beginning."] }));
        assert_eq!(
            refused["error"],
            "Voting was opened in this organization, so its name can no longer gain or lose TEST_ at the beginning"
        );
        let known = root.get(&path).await.gives(200)["data"].clone();
        assert_eq!(known["name"], name);
        assert_ne!(known["contactEmail"], "changed@example.org");
        let allowed = format!("{name} 1897");
        assert_eq!(root.put(&path, json!({ "name": allowed })).await.gives(200)["data"]["name"], allowed);
    }
}

#[tokio::test]
async fn a_test_client_counts_only_in_its_own_statistics() {
    let app = TestApp::start().await;
    let (root, club) = (app.super_admin().await, app.client("Rowing Club").await);
    let anna = end_user(&club, "anna", "Anna").await;
    meeting(&club, "Assembly", &anna).await;
    let before = figures(&root, &club).await;

    let test = app.client("TEST_CLIENT_1").await;
    let bert = end_user(&test, "bert", "TEST_Bert").await;
    meeting(&test, "TEST_Assembly", &bert).await;
    meeting(&test, "Assembly", &bert).await;
    // The sign-in added a session of the super administrator.
    let of_root = |mut figures: BTreeMap<String, String>| {
        figures.remove("/sessions/stats");
        figures.retain(|path, _| path != "/activity");
        figures
    };
    assert_eq!(of_root(figures(&root, &club).await), of_root(before));
    let sessions = root.get("/sessions/stats").await.gives(200)["data"].clone();
    assert_eq!(sessions["endUsers"], 1, "{sessions}");
    let activity = root.get("/activity?limit=100").await;
    assert!(!activity.text.contains("TEST_"), "{}", activity.text);

    let stats = test.admin.get("/client/end-users/stats").await.gives(200)["data"].clone();
    assert_eq!((&stats["total"], &stats["active"]), (&json!(1), &json!(1)));
    assert_eq!(test.admin.get("/client/meetings/stats").await.gives(200)["total"], 2);
    assert!(test.admin.get("/client/end-users/export?format=csv").await.text.contains("TEST_Bert"));
    assert!(test.admin.get("/client/activity").await.text.contains("TEST_Assembly"));
    let listed = root.get("/clients?search=TEST_CLIENT&page=1").await.gives(200);
    let found = &listed["data"][0];
    assert_eq!((&found["isTest"], &listed["meta"]["total"]), (&json!(true), &json!(1)));
    assert_eq!(found["_count"], json!({ "users": 1, "endUsers": 1, "meetings": 2 }));
}

#[tokio::test]
async fn a_test_person_sees_no_real_meeting_for_everybody_and_is_not_in_its_register() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (anna, bert) = (end_user(&club, "anna", "Anna").await, end_user(&club, "bert", "TEST_Bert").await);
    let real = club.meeting().await;
    let test = club.meeting_with(json!({ "status": "ACTIVE", "title": "TEST_Assembly" })).await;
    for (meeting, heads) in [(&real, 1), (&test, 2)] {
        let known = club.admin.get(&meeting.path("")).await.gives(200);
        assert_eq!(known["participantCount"], heads);
        let question = meeting.ask_yes_no().await;
        meeting.open(&question).await;
        assert_eq!(meeting.rounds().await[0]["registerSize"], heads, "{:?}", meeting.rounds().await);
        anna.vote(meeting, &question, &["Yes"]).await.gives(201);
    }
    let shown = bert.caller.get("/voting/meetings").await.gives(200)["meetings"].clone();
    let shown: Vec<_> = shown.as_array().unwrap().iter().map(|meeting| meeting["id"].clone()).collect();
    assert_eq!(shown, [json!(test.id)]);
    assert_eq!(bert.caller.get(&format!("/voting/meetings/{}", real.id)).await.status, 403);
}

#[tokio::test]
async fn a_listed_test_person_watches_a_real_meeting_and_has_no_vote() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (anna, bert) = (end_user(&club, "anna", "Anna").await, end_user(&club, "bert", "TEST_Bert").await);
    let meeting = club.meeting().await;
    meeting.admin.post(&meeting.path("/participants"), json!({ "endUserIds": [anna.id, bert.id] })).await.gives(200);
    bert.sees(&meeting).await;
    let question = meeting.ask_yes_no().await;
    meeting.open(&question).await;
    let round = meeting.rounds().await[0].clone();
    assert_eq!(round["registerSize"], 1);
    bert.vote(&meeting, &question, &["Yes"]).await.refuses(403, "not_in_register");
    let admitted = json!({ "endUserId": bert.id, "reason": "Came late" });
    let path = meeting.path(&format!("/rounds/{}/admissions", round["id"].as_str().unwrap()));
    club.admin.post(&path, admitted.clone()).await.refuses(409, "test_person");
    let renamed = club.admin.put(&format!("/client/end-users/{}", bert.id), json!({ "name": "Bert" })).await;
    renamed.gives(200);
    club.admin.post(&path, admitted).await.gives(201);
    bert.vote(&meeting, &question, &["Yes"]).await.gives(201);
}

#[tokio::test]
async fn deleting_a_test_client_with_a_running_meeting_leaves_nothing() {
    let app = TestApp::start().await;
    let (root, club) = (app.super_admin().await, app.client("Rowing Club").await);
    let anna = end_user(&club, "anna", "Anna").await;
    meeting(&club, "Assembly", &anna).await;
    attendance_is_noted(&app).await;
    let before = dump(&app);
    let body = json!({
        "name": "TEST_CLIENT_1", "firstName": "A", "lastName": "B", "email": "t@test.example", "password": PASSWORD,
    });
    let made = root.post("/clients", body).await.gives(201);
    let test = Organization::new(&made["data"], app.anyone().sign_in("t@test.example").await);
    let bert = end_user(&test, "TEST_bert", "Bert").await;
    meeting(&test, "TEST_Assembly", &bert).await;
    assert_ne!(dump(&app), before);
    assert_eq!(root.delete(&format!("/clients/{}", test.id)).await.status, 200);
    assert_eq!(dump(&app), before);
}

#[tokio::test]
async fn deleting_a_test_meeting_and_its_people_one_by_one_leaves_nothing() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let anna = end_user(&club, "anna", "Anna").await;
    meeting(&club, "Assembly", &anna).await;
    attendance_is_noted(&app).await;
    let before = dump(&app);

    let (bert, cleo) = (end_user(&club, "TEST_bert", "Bert").await, end_user(&club, "cleo", "TEST_Cleo").await);
    let test = meeting(&club, "TEST_Assembly", &bert).await;
    test.admin.post(&test.path("/participants"), json!({ "endUserIds": [bert.id, cleo.id] })).await.gives(200);
    test.admin.post(&test.path("/remarks"), json!({ "kind": "REMARK", "text": "TEST_" })).await.gives(201);
    test.admin.delete(&test.path("")).await.refuses(409, "meeting_active");
    test.admin.post(&test.path("/end"), Value::Null).await.gives(200);
    assert_eq!(test.admin.delete(&test.path("")).await.status, 200);
    for voter in [bert, cleo] {
        assert_eq!(club.admin.delete(&format!("/client/end-users/{}", voter.id)).await.status, 200);
    }
    assert_eq!(dump(&app), before);
}
