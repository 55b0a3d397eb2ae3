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

#[tokio::test]
async fn nobody_gets_a_username_that_looks_erased() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (anna, ben) = (person(&club, "anna").await, person(&club, "ben").await);
    let name = format!("Erased-{}", anna.replace('-', "").to_uppercase());
    let wanted = "Must not be \"erased-\" and 32 hexadecimal digits: \
                  such usernames are reserved for people whose data was erased.";
    let new = json!({ "username": name, "name": "Cleo", "password": PASSWORD });
    let rows = json!({ "rows": [{ "line": 2, "username": name, "name": "Cleo" }], "dryRun": true });
    for (method, path, body) in
        [("POST", "/client/end-users".to_owned(), new), ("PUT", format!("/client/end-users/{ben}"), typed(&name))]
    {
        let error = club.admin.call(method, &path, Some(body)).await.refuses(422, "invalid_input");
        assert_eq!(error["fields"], json!({ "username": [wanted] }));
    }
    let planned = club.admin.post("/client/end-users/import", rows).await.gives(200)["data"]["rows"][0].clone();
    assert_eq!(planned["errors"], json!([{ "field": "username", "message": wanted }]), "{planned}");
    let login = json!({ "clientCode": club.code, "username": name, "password": PASSWORD });
    app.anyone().post("/auth/end-user/login", login).await.refuses(401, "invalid_credentials");
    club.admin.post(&path(&anna), typed("anna")).await.gives(200);
}

/// Such names were possible in earlier versions.
#[tokio::test]
async fn an_earlier_username_that_looks_erased_holds_back_an_erasure_with_a_reason() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (anna, ben) = (person(&club, "anna").await, person(&club, "ben").await);
    let rename = format!("UPDATE end_users SET username = 'erased-{}' WHERE id = '{ben}'", anna.replace('-', ""));
    app.database.connection().batch_execute(&rename).unwrap();
    club.admin.post(&path(&anna), typed("anna")).await.refuses(409, "erased_username_taken");
    let ben = format!("/client/end-users/{ben}");
    assert_eq!(club.admin.get(&ben).await.gives(200)["data"]["isErased"], false);
    club.admin.put(&ben, typed("ben")).await.gives(200);
    club.admin.post(&path(&anna), typed("anna")).await.gives(200);
}

#[tokio::test]
async fn an_import_names_the_row_that_would_change_an_erased_person() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let anna = person(&club, "anna").await;
    club.admin.post(&path(&anna), typed("anna")).await.gives(200);
    let erased = club.admin.get(&format!("/client/end-users/{anna}")).await.gives(200)["data"].clone();
    let row =
        |weight: &str| json!({ "line": 2, "username": erased["username"], "name": erased["name"], "weight": weight });
    let import = async |rows: Value, skip_errors: bool| {
        let body = json!({ "rows": rows, "dryRun": false, "skipErrors": skip_errors });
        club.admin.post("/client/end-users/import", body).await
    };
    let unchanged = import(json!([row("1")]), false).await.gives(200)["data"].clone();
    assert_eq!(unchanged["rows"][0]["verdict"], "unchanged", "{unchanged}");
    let rows = json!([row("3"), { "line": 3, "username": "cleo", "name": "Cleo" }]);
    import(rows.clone(), false).await.refuses(409, "import_has_errors");
    let done = import(rows, true).await.gives(200)["data"].clone();
    assert_eq!(done["counts"], json!({ "new": 1, "change": 0, "unchanged": 0, "error": 1 }));
    let message = "The personal data of this person was erased. Remove the row.";
    assert_eq!(done["rows"][0]["errors"], json!([{ "field": "username", "message": message }]));
}
