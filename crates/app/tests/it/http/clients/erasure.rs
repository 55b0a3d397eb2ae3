//! The erasure of voters' personal data.

use diesel::connection::SimpleConnection as _;
use plenum_adapter_postgres::PostgresEndUsers;
use plenum_adapter_security::SystemClock;
use plenum_app::EvidenceCheck;
use plenum_clients::EndUserStore as _;
use plenum_kernel::Clock as _;
use plenum_voting::Retention;
use serde_json::{Value, json};

use crate::http::support::{Caller, Declared, Organization, PASSWORD, TestApp, evidence_keys};

async fn person(club: &Organization, username: &str) -> String {
    let body = json!({
        "username": username, "name": "Anna Lind", "email": "anna@example.org", "address": "Main Street 1",
        "password": PASSWORD,
    });
    let made = club.admin.post("/client/end-users", body).await.gives(201);
    made["data"]["id"].as_str().unwrap().to_owned()
}

fn path(id: &str) -> String {
    format!("/client/end-users/{id}/erase")
}

fn typed(username: &str) -> Value {
    json!({ "username": username })
}

#[tokio::test]
async fn an_erased_person_has_no_name_and_cannot_sign_in() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let id = person(&club, "anna").await;
    let anna = app.anyone().sign_in_voter(&club.code, "anna").await;
    let error = club.admin.post(&path(&id), typed("ben")).await.refuses(422, "invalid_input");
    assert_eq!(error["fields"]["username"], json!(["Must be the username of this person."]));
    club.admin.post(&path(&id), typed("anna")).await.gives(200);

    anna.get("/auth/me").await.refuses(401, "session_ended");
    let login = json!({ "clientCode": club.code, "username": "anna", "password": PASSWORD });
    app.anyone().post("/auth/end-user/login", login).await.refuses(401, "invalid_credentials");
    let shown = club.admin.get(&format!("/client/end-users/{id}")).await.gives(200)["data"].clone();
    assert_eq!((&shown["name"], &shown["isErased"]), (&json!("Erased person"), &json!(true)), "{shown}");
    assert_eq!((&shown["email"], &shown["address"], &shown["lastLoginAt"]), (&Value::Null, &Value::Null, &Value::Null));
    let changes = [("PUT", format!("/client/end-users/{id}")), ("POST", path(&id))];
    for (method, path) in changes {
        club.admin.call(method, &path, Some(typed("anna"))).await.refuses(409, "end_user_erased");
    }
    club.admin
        .post(&format!("/client/end-users/{id}/export-credentials"), Value::Null)
        .await
        .refuses(409, "end_user_erased");

    let entries = club.admin.get("/client/audit?kind=end_user_erased").await.gives(200)["data"].clone();
    assert_eq!(entries.as_array().unwrap().len(), 1);
    assert_eq!(entries[0]["changes"], json!([]));
    assert!(!entries.to_string().contains("Lind"), "{entries}");
    let changed = club.admin.get("/client/audit?kind=end_user_changed").await.gives(200)["data"].clone();
    assert_eq!(changed, json!([]), "no other entry tells what was erased");
}

#[tokio::test]
async fn nobody_is_erased_during_a_meeting_or_by_another_organization() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let ada = club.voter("ada").await;
    other.admin.post(&path(&ada.id), typed("ada")).await.refuses(404, "end_user_not_found");
    let meeting = club.meeting().await;
    club.admin.post(&path(&ada.id), typed("ada")).await.refuses(409, "end_user_in_running_meeting");
    let question = meeting.ask_yes_no().await;
    meeting.open(&question).await;
    club.admin.post(&path(&ada.id), typed("ada")).await.refuses(409, "end_user_in_open_round");
    meeting.clear().await;
    meeting.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    club.admin.post(&path(&ada.id), typed("ada")).await.gives(200);
}

/// The results that the organizer reads, without the attendance, which is noted a moment later.
async fn results(caller: &Caller, hall: &Declared) -> Value {
    caller.get(&hall.meeting.path("/results")).await.gives(200)["rounds"].clone()
}

#[tokio::test]
async fn declared_results_keep_the_name_and_still_check_out() {
    let hall = Declared::new().await;
    hall.meeting.admin.post(&hall.meeting.path("/end"), Value::Null).await.gives(200);
    let before = results(&hall.meeting.admin, &hall).await;
    hall.meeting.admin.post(&path(&hall.ada.id), typed("ada")).await.gives(200);
    assert_eq!(results(&hall.meeting.admin, &hall).await, before);
    hall.app.link_audit_log().await;
    let check = EvidenceCheck::new(hall.app.database.db(), evidence_keys());
    let found = check.findings(None).await.unwrap();
    assert_eq!((found.records, found.audit_log), (Vec::new(), Vec::new()));
}

#[tokio::test]
async fn the_rule_finds_people_who_were_deactivated_long_ago() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (old, young, active) =
        (person(&club, "old").await, person(&club, "young").await, person(&club, "active").await);
    for id in [&old, &young] {
        club.admin.put(&format!("/client/end-users/{id}"), json!({ "isActive": false })).await.gives(200);
    }
    let earlier = format!("UPDATE end_users SET inactive_since = now() - interval '5 years' WHERE id = '{old}'");
    app.database.connection().batch_execute(&earlier).unwrap();
    club.admin.get(&format!("/client/end-users/{active}")).await.gives(200);
    let store = PostgresEndUsers::new(app.database.db());
    let cutoff = |years| Retention::years(years).unwrap().cutoff(SystemClock.now());
    let due = async |years| store.inactive_since(cutoff(years), None, 10).await.unwrap();
    let ids: Vec<String> = due(1).await.into_iter().map(|(_, id)| id.to_string()).collect();
    assert_eq!(ids, [old]);
    assert_eq!(due(6).await, []);
}
