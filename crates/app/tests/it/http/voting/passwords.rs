//! Passwords that an organizer sets while their owners may vote.

use plenum_verify::{read, verify};
use serde_json::{Value, json};

use crate::http::support::{Answer, Organization, PASSWORD, TestApp, TestMeeting, TestVoter};

const REASON: &str = "Lost the letter";
const NEW_PASSWORD: &str = "correct horse battery";

/// The three calls that set a voter's password, with a reason or without.
async fn ways(club: &Organization, voter: &TestVoter, username: &str, reason: Option<&str>) -> [Answer; 3] {
    let with_reason = |mut body: Value| {
        if let Some(reason) = reason {
            body["passwordReason"] = json!(reason);
        }
        body
    };
    let path = format!("/client/end-users/{}", voter.id);
    let rows = json!([
        { "line": 2, "name": "Newcomer" },
        { "line": 3, "name": username, "username": username, "password": NEW_PASSWORD },
    ]);
    [
        club.admin.put(&path, with_reason(json!({ "name": username, "password": NEW_PASSWORD }))).await,
        club.admin.post(&format!("{path}/export-credentials"), with_reason(json!({}))).await,
        club.admin.post("/client/end-users/import", with_reason(json!({ "rows": rows, "dryRun": false }))).await,
    ]
}

async fn can_sign_in(app: &TestApp, club: &Organization, username: &str, password: &str) -> bool {
    let credentials = json!({ "clientCode": club.code, "username": username, "password": password });
    app.anyone().post("/auth/end-user/login", credentials).await.status == 200
}

async fn entries(meeting: &TestMeeting, round: &Value, kind: &str) -> Vec<Value> {
    let log = meeting.result(round).await.gives(200)["log"].as_array().unwrap().clone();
    log.into_iter().filter(|entry| entry["kind"] == kind).collect()
}

#[tokio::test]
async fn a_password_during_a_vote_needs_a_reason_and_every_record_tells_it() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);

    let title = club.admin.get(&meeting.path("")).await.gives(200)["title"].clone();
    let votes = json!([{ "meeting": title, "question": "Agreed?", "people": 1 }]);
    let before = club.admin.get("/client/end-users").await.gives(200)["data"].clone();
    for refused in ways(&club, &ada, "ada", None).await.into_iter().chain(ways(&club, &ada, "ada", Some(" ")).await) {
        let body = refused.refuses(409, "password_reason_needed");
        assert_eq!(body["openVotes"], votes);
        assert_eq!(
            body["fields"],
            json!({ "passwordReason": ["Must be the reason for the new password, of 1 to 200 characters."] })
        );
        let text = body["error"].as_str().unwrap();
        let beginning = format!("1 person may vote on “Agreed?” in “{}”, and voting is open.", title.as_str().unwrap());
        assert!(text.starts_with(&beginning), "{text}");
    }
    assert_eq!(club.admin.get("/client/end-users").await.gives(200)["data"], before, "nothing has changed");
    ada.sees(&meeting).await;
    assert!(can_sign_in(&app, &club, "ada", PASSWORD).await);
    for refused in ways(&club, &ada, "ada", Some(&"x".repeat(201))).await {
        assert_eq!(refused.wrong_fields(), ["passwordReason"], "{}", refused.text);
    }

    for done in ways(&club, &ada, "ada", Some(REASON)).await {
        done.gives(200);
    }
    assert!(can_sign_in(&app, &club, "ada", NEW_PASSWORD).await);
    // What the voter does is not told.
    let own = json!({ "currentPassword": PASSWORD, "newPassword": NEW_PASSWORD });
    ben.caller.put("/auth/password", own).await.gives(200);
    meeting.clear().await;
    club.admin.put(&format!("/client/end-users/{}", ada.id), json!({ "password": PASSWORD })).await.gives(200);
    meeting.count(&round).await.gives(200);

    let logged = entries(&meeting, &round, "PASSWORD_SET").await;
    assert_eq!(logged.len(), 3, "{logged:?}");
    let opened = entries(&meeting, &round, "OPENED").await;
    let person = json!({ "name": "ada", "username": "ada", "weight": 1 });
    for entry in &logged {
        assert_eq!((&entry["person"], &entry["reason"]), (&person, &json!(REASON)));
        assert_eq!(entry["by"], opened[0]["by"], "{entry}");
    }
    let declare = meeting.path(&format!("/rounds/{}/declare", round.as_str().unwrap()));
    club.admin.post(&declare, Value::Null).await.gives(200);
    assert_eq!(entries(&meeting, &round, "PASSWORD_SET").await, logged);
    let file = club.admin.get(&meeting.path("/results/export?format=json")).await;
    let report = verify(&read(file.text.as_bytes()).unwrap());
    assert!(report.agrees(), "{report:?}");
    let in_file: Value = serde_json::from_str(&file.text).unwrap();
    let log = in_file["rounds"][0]["result"]["log"].as_array().unwrap();
    assert_eq!(log.iter().filter(|entry| entry["kind"] == "PASSWORD_SET").count(), 3);
    let table = club.admin.get(&meeting.path("/results/export?format=csv")).await.text;
    assert_eq!(
        table.lines().filter(|line| line.contains("Password set") && line.contains(REASON)).count(),
        3,
        "{table}"
    );
    let audit = club.admin.get("/client/audit?kind=voter_password_set").await.gives(200)["data"].clone();
    assert_eq!(audit.as_array().unwrap().len(), 3);
    assert_eq!(audit[0]["subject"]["name"], "ada (ada)");
    assert_eq!(audit[0]["subject"]["meeting"], title);
    let changes = json!([
        { "field": "question", "before": null, "after": "Agreed?" }, { "field": "reason", "before": null, "after": REASON },
    ]);
    assert_eq!(audit[0]["changes"], changes);
}

#[tokio::test]
async fn no_reason_is_needed_outside_of_an_open_round_of_a_real_meeting() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let other = app.client("Chess Club").await;
    let stranger = other.voter("ada").await;
    let trial = club.meeting_with(json!({ "status": "ACTIVE", "title": "TEST_Assembly" })).await;
    let of_trial = trial.ask_yes_no().await;
    trial.open(&of_trial).await;
    let path = |voter: &TestVoter| format!("/client/end-users/{}", voter.id);
    let new = || json!({ "password": NEW_PASSWORD });
    club.admin.put(&path(&ada), new()).await.gives(200);

    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let exclude = json!({ "endUserId": ben.id, "reason": "Conflict of interest" });
    club.admin.post(&meeting.path(&format!("/questions/{question}/exclusions")), exclude).await.gives(201);
    meeting.open(&question).await;
    club.admin.put(&path(&ben), new()).await.gives(200);
    // An edit without a password, and the people of others.
    club.admin.put(&path(&ada), json!({ "name": "Ada Young", "password": "" })).await.gives(200);
    club.admin.put(&path(&stranger), new()).await.refuses(404, "end_user_not_found");
    other.admin.put(&path(&ada), new()).await.refuses(404, "end_user_not_found");
    other.admin.put(&path(&stranger), new()).await.gives(200);
    club.admin.put(&path(&ada), new()).await.refuses(409, "password_reason_needed");
    meeting.clear().await;
    club.admin.put(&path(&ada), new()).await.gives(200);
    // A body is optional.
    let credentials = format!("{}/export-credentials", path(&ada));
    club.admin.call("POST", &credentials, None).await.gives(200);
    club.admin.post(&credentials, Value::Null).await.gives(200);
    club.admin.post(&credentials, json!({ "passwordReason": REASON })).await.gives(200);
    club.admin.call_with_text("POST", &credentials, "{").await.refuses(400, "not_json");
}

#[tokio::test]
async fn a_reopening_tells_passwords_of_the_pause_and_who_joined() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    meeting.clear().await;
    let path = format!("/client/end-users/{}", ada.id);
    club.admin.put(&path, json!({ "password": NEW_PASSWORD, "username": "ada-1" })).await.gives(200);
    // Whoever set the password can sign in and change it in the voter's place. That hides nothing.
    let credentials = json!({ "clientCode": club.code, "username": "ada-1", "password": NEW_PASSWORD });
    let session = app.anyone().post("/auth/end-user/login", credentials).await.gives(200);
    let own = json!({ "currentPassword": NEW_PASSWORD, "newPassword": "staple horse battery" });
    app.anyone().with_session(&session).put("/auth/password", own).await.gives(200);
    let namesake = club.voter("Ada").await;
    meeting.put_question(json!({ "questionId": question })).await.refuses(409, "username_in_register");
    club.admin.put(&format!("/client/end-users/{}", namesake.id), json!({ "username": "ada-2" })).await.gives(200);
    assert_eq!(meeting.open(&question).await["roundId"], round);
    meeting.clear().await;
    meeting.count(&round).await.gives(200);
    let set = entries(&meeting, &round, "PASSWORD_SET").await;
    assert_eq!(set.len(), 1);
    assert_eq!((&set[0]["person"]["username"], &set[0]["reason"]), (&json!("ada"), &Value::Null));
    let joined = entries(&meeting, &round, "JOINED").await;
    assert_eq!(joined.len(), 1);
    assert_eq!(joined[0]["person"]["username"], "ada-2");
    let declare = meeting.path(&format!("/rounds/{}/declare", round.as_str().unwrap()));
    club.admin.post(&declare, Value::Null).await.gives(200);
    let file = club.admin.get(&meeting.path("/results/export?format=json")).await;
    assert!(verify(&read(file.text.as_bytes()).unwrap()).agrees(), "{}", file.text);
}
