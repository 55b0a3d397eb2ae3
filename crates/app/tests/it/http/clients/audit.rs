use std::collections::BTreeSet;

use diesel::connection::SimpleConnection as _;
use diesel::sql_types::{BigInt, Text};
use diesel::{QueryableByName, RunQueryDsl};
use plenum_adapter_documents::Documents;
use plenum_adapter_http::{HttpSettings, TrustedProxies};
use plenum_verify::{ChainFault, Exported, Tables, read_exported, verify_audit};
use serde_json::{Value, json};

use crate::http::support::operations::{OPERATIONS, Operation, World};
use crate::http::support::{Caller, PASSWORD, TestApp, until};

/// Calls that leave no entry. Actions of voters on ballots and screens are secret. The others change no stored data, at
/// least in the state of this table.
const SILENT: &[&str] = &[
    "DELETE /client/meetings/{meetingId}/countdown",
    "DELETE /client/meetings/{meetingId}/invitations/pending",
    "DELETE /client/meetings/{meetingId}/rehearsal",
    "POST /auth/refresh",
    "POST /auth/second-factor",
    "POST /auth/sessions/sign-out-everywhere",
    "POST /client/end-users/import/read",
    "POST /client/meetings/{meetingId}/generate-link",
    "POST /client/meetings/{meetingId}/invitations/send",
    "POST /client/meetings/{meetingId}/proxies/import",
    "POST /client/meetings/{meetingId}/rehearsal",
    "POST /client/meetings/{meetingId}/rehearsal/end",
    "POST /client/meetings/{meetingId}/rounds/{roundId}/count",
    "POST /client/meetings/{meetingId}/start",
    "POST /client/questions/candidates/read",
    "POST /desk/entries",
    "POST /desk/votes",
    "POST /public/verify",
    "POST /public/verify/records",
    "POST /voting/meetings/{meetingId}/check-in",
    "POST /voting/meetings/{meetingId}/questions/{questionId}/vote",
    "POST /voting/meetings/{meetingId}/questions/{questionId}/votes",
    "PUT /client/meetings/{meetingId}/current-question",
    "PUT /client/meetings/{meetingId}/rounds/{roundId}/answer-curation",
    "PUT /client/questions/meeting/{meetingId}/reorder",
    "PUT /voting/meetings/{meetingId}/rehearsal",
];

async fn entries(caller: &Caller, path: &str) -> Vec<Value> {
    let answer = caller.get(path).await.gives(200);
    assert_eq!(answer["success"], true);
    answer["data"].as_array().unwrap().clone()
}

fn kinds(entries: &[Value]) -> Vec<&str> {
    entries.iter().map(|entry| entry["kind"].as_str().unwrap()).collect()
}

#[derive(QueryableByName)]
struct Written {
    #[diesel(sql_type = BigInt)]
    number: i64,
    #[diesel(sql_type = Text)]
    text: String,
}

/// The number of entries, and their whole text.
fn written(app: &TestApp) -> Written {
    diesel::sql_query(
        "SELECT count(*) AS number, coalesce(string_agg(e::text, chr(10)), '') AS text FROM audit_entries e",
    )
    .get_result(&mut app.database.connection())
    .unwrap()
}

/// The number of entries without an actor.
fn by_the_program(app: &TestApp) -> i64 {
    let query = "SELECT count(*) AS number, '' AS text FROM audit_entries WHERE by_role = 'SYSTEM'";
    diesel::sql_query(query).get_result::<Written>(&mut app.database.connection()).unwrap().number
}

#[tokio::test]
async fn every_change_and_export_over_the_api_leaves_an_entry_and_no_secret_in_it() {
    let app = TestApp::start_with_everything().await;
    let mut world = World::new(&app).await;
    let mut silent = BTreeSet::new();
    let is_logged = |operation: &&Operation| operation.method != "GET" || operation.path.ends_with("/export");
    // A refused call changes nothing.
    for operation in OPERATIONS.iter().filter(is_logged).filter(|operation| operation.success < 400) {
        world.renew_meetings().await;
        let caller = world.caller_of(&app, operation).await;
        let (before, nobodys) = (written(&app).number, by_the_program(&app));
        let answer = caller.call(operation.method, &operation.address(&world), operation.body(&world)).await;
        let call = format!("{} {}", operation.method, operation.path);
        assert_eq!(answer.status, operation.success, "{call}: {}", answer.text);
        assert_eq!(by_the_program(&app), nobodys, "{call} does not say on whose behalf");
        if written(&app).number == before {
            silent.insert(call);
        }
    }
    assert_eq!(silent.iter().map(String::as_str).collect::<Vec<_>>(), SILENT);
    let text = written(&app).text;
    let token = world.voter.caller.token().to_owned();
    for secret in [PASSWORD, "$2", &world.voter.caller.refresh_token, &token] {
        assert!(!text.contains(secret), "{secret} stands in the log");
    }
}

#[tokio::test]
async fn an_entry_has_actor_address_and_changed_fields() {
    let http = HttpSettings { trusted_proxies: TrustedProxies::parse("127.0.0.1").unwrap(), ..HttpSettings::default() };
    let app = TestApp::start_with(http).await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let change = club
        .admin
        .request("PUT", &format!("/client/end-users/{}", ben.id))
        .header("x-forwarded-for", "198.51.100.7")
        .json(&json!({ "weight": 2.5 }));
    assert_eq!(change.send().await.unwrap().status(), 200);
    let entry = &entries(&club.admin, "/client/audit?limit=1").await[0];
    assert_eq!(entry["kind"], "end_user_changed");
    assert_eq!(entry["by"]["name"], "Anna Berg");
    assert_eq!((&entry["by"]["role"], &entry["by"]["address"]), (&json!("CLIENT"), &json!("198.51.100.7")));
    assert_eq!((&entry["subject"]["id"], &entry["subject"]["kind"]), (&json!(ben.id), &json!("end_user")));
    assert_eq!(entry["changes"], json!([{ "field": "weight", "before": "1.0000", "after": "2.5000" }]));
}

#[tokio::test]
async fn a_vote_leaves_no_entry_and_its_withdrawal_no_person() {
    let app = TestApp::start_with_everything().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    meeting.open(&question).await;
    let before = written(&app).number;
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    assert_eq!(written(&app).number, before);
    ben.caller.delete(&format!("/voting/meetings/{}/questions/{question}/vote", meeting.id)).await.gives(200);
    let entry = &entries(&club.admin, "/client/audit?limit=1").await[0];
    assert_eq!(entry["kind"], "votes_discarded");
    assert_eq!(entry["by"], json!({ "role": "END_USER", "id": null, "name": null, "address": null }));
}

#[tokio::test]
async fn sign_ins_are_recorded_also_failed_ones_of_existing_names() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    ben.caller.post("/auth/logout", Value::Null).await.gives(200);
    for name in ["ben", "nobody"] {
        let wrong = json!({ "clientCode": club.code, "username": name, "password": "a wrong one" });
        app.anyone().post("/auth/end-user/login", wrong).await.gives(401);
    }
    let failed = until("the failure is noted", async || {
        let entries = entries(&club.admin, "/client/audit?kind=sign_in_failed").await;
        (!entries.is_empty()).then_some(entries)
    })
    .await;
    assert_eq!(failed.len(), 1, "an unknown name is recorded: {failed:?}");
    assert_eq!((&failed[0]["by"]["role"], &failed[0]["subject"]["id"]), (&json!("NOBODY"), &json!(ben.id)));
    let of_ben = entries(&club.admin, "/client/audit?person=(ben)").await;
    assert_eq!(kinds(&of_ben), ["sign_in_failed", "signed_out", "signed_in", "end_user_created"]);
    assert!(of_ben.iter().all(|entry| entry["by"]["address"] == "127.0.0.1"), "{of_ben:?}");
}

#[tokio::test]
async fn changes_of_own_credentials_are_recorded_without_passwords() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let body = json!({ "currentPassword": PASSWORD, "newPassword": "battery staple" });
    club.admin.put("/auth/password", body).await.gives(200);
    let changed = &entries(&club.admin, "/client/audit?limit=1").await[0];
    assert_eq!((&changed["kind"], &changed["by"]["name"]), (&json!("account_changed"), &json!("Anna Berg")));
    assert_eq!(changed["changes"], json!([{ "field": "password_hash", "before": null, "after": null }]));
    let credentials = json!({ "email": "admin@rowing-club.example", "password": "battery staple" });
    for _ in 0..2 {
        app.anyone().post("/auth/login", credentials.clone()).await.gives(200);
    }
    let everywhere = club.admin.post("/auth/sessions/sign-out-everywhere", json!({ "keepThis": true })).await;
    assert_eq!(everywhere.gives(200)["ended"], 2);
    let entries = entries(&club.admin, "/client/audit?limit=4").await;
    assert_eq!(kinds(&entries), ["signed_out", "signed_out", "signed_in", "signed_in"]);
    assert_eq!(entries[0]["by"]["id"], changed["by"]["id"]);
}

#[tokio::test]
async fn an_organization_sees_its_own_log_and_super_administrators_the_platform_log() {
    let app = TestApp::start().await;
    let (mine, theirs) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    theirs.voter("ben").await;
    let of_mine = entries(&mine.admin, "/client/audit").await;
    assert_eq!(kinds(&of_mine), ["signed_in", "account_created", "client_created"]);
    let root = app.super_admin().await;
    let platform = entries(&root, "/audit").await;
    assert!(!kinds(&platform).contains(&"end_user_created"), "{platform:?}");
    assert_eq!(kinds(&platform)[0], "signed_in");
    let made = entries(&root, "/audit?kind=client_created&search=sailing").await;
    assert_eq!(made.len(), 1);
    assert_eq!(made[0]["subject"]["name"], "Sailing Club");
    root.delete(&format!("/clients/{}", theirs.id)).await.gives(200);
    assert_eq!(entries(&root, "/audit?limit=1").await[0]["kind"], "client_deleted");
}

#[tokio::test]
async fn pages_are_consecutive_and_an_invalid_query_is_refused() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for _ in 0..7 {
        club.meeting_with(json!({ "status": "DRAFT" })).await;
    }
    let all = entries(&club.admin, "/client/audit").await;
    let (mut read, mut path) = (Vec::new(), "/client/audit?limit=4".to_owned());
    loop {
        let page = club.admin.get(&path).await.gives(200);
        read.extend(page["data"].as_array().unwrap().clone());
        let Some(next) = page["next"].as_str() else { break };
        path = format!("/client/audit?limit=4&behind={next}");
    }
    let ids = |entries: &[Value]| entries.iter().map(|entry| entry["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&read), ids(&all));
    for (query, field) in
        [("limit=0", "limit"), ("kind=x", "kind"), ("from=x", "from"), ("until=1", "until"), ("behind=x", "behind")]
    {
        assert_eq!(club.admin.get(&format!("/client/audit?{query}")).await.wrong_fields(), [field]);
    }
    for query in ["", "?format=pdf"] {
        assert_eq!(club.admin.get(&format!("/client/audit/export{query}")).await.wrong_fields(), ["format"]);
    }
}

#[tokio::test]
async fn an_exported_log_can_be_verified_and_a_changed_one_is_found() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    club.voter("ben").await;
    let exported = until("everything is linked", async || {
        let file = club.admin.get("/client/audit/export?format=json").await;
        assert_eq!(file.status, 200);
        (file.json()["entries"].as_array().unwrap().len() >= 6).then_some(file.text)
    })
    .await;
    let tables = Tables { reader: &Documents::new(), most: u64::MAX };
    let Exported::Audit(mut log) = read_exported(exported.as_bytes(), tables).unwrap() else {
        panic!("it is an audit log")
    };
    assert_eq!(verify_audit(&log, None), []);
    assert_eq!(log.entries[0].kind, "client_created");
    assert!(log.entries.iter().any(|entry| entry.kind == "audit_log_exported"), "an export is noted itself");
    log.entries[2].by_name = Some("Eve".to_owned());
    assert_eq!(verify_audit(&log, None), [ChainFault::Changed(3)]);
}

#[tokio::test]
async fn exported_tables_of_the_log_contain_no_formula() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let formula = json!({ "username": "eve", "name": "=1+1", "password": PASSWORD });
    club.admin.post("/client/end-users", formula).await.gives(201);
    let csv = club.admin.get("/client/audit/export?format=csv&person=eve").await;
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    let lines: Vec<&str> = csv.text.lines().collect();
    assert!(lines[2..].iter().all(|line| line.starts_with("Signature,")), "{}", csv.text);
    assert!(lines[0].ends_with("Time,Number,What,By,Role,From,On,Name,Meeting,Changes,Hash"), "{}", lines[0]);
    assert!(lines[1].contains("end_user_created") && !lines[1].contains(",=1+1"), "{}", lines[1]);
    let xlsx = club.admin.get("/client/audit/export?format=xlsx").await;
    assert!(xlsx.text.starts_with("PK"));
}

/// The entries after the first `seen`, the earliest first, without exports and sign-ins.
async fn kinds_since(caller: &Caller, seen: &mut usize) -> Vec<String> {
    let entries = entries(caller, "/client/audit?limit=200").await;
    let new = entries.len() - *seen;
    *seen = entries.len();
    entries[..new].iter().rev().map(|entry| entry["kind"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn each_action_on_a_round_is_one_entry_in_order() {
    let app = TestApp::start_with_everything().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting().await;
    let (first, second) = (meeting.ask_yes_no().await, meeting.ask_yes_no().await);
    let exclusions = meeting.path(&format!("/questions/{first}/exclusions"));
    let mut seen = 0;
    kinds_since(&club.admin, &mut seen).await;
    let show = json!({ "questionId": second, "open": false });

    meeting.put_question(show).await;
    assert!(kinds_since(&club.admin, &mut seen).await.is_empty(), "reading leaves no entry");
    let opened = meeting.open(&first).await;
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["round_opened"]);
    let entry = &entries(&club.admin, "/client/audit?limit=1").await[0];
    let change = |field: &str| {
        let changes = entry["changes"].as_array().unwrap();
        changes.iter().find(|change| change["field"] == field).map(|change| change["after"].clone())
    };
    assert_eq!(entry["subject"]["id"], opened["roundId"]);
    assert_eq!((change("status"), change("ended_at")), (Some(json!("OPEN")), None), "{entry}");
    assert_eq!(change("register_heads"), Some(json!("2")), "{entry}");
    let body = json!({ "endUserId": ada.id, "reason": "Conflict of interest" });
    club.admin.post(&exclusions, body).await.gives(201);
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["voter_excluded"]);
    let admissions = meeting.path(&format!("/rounds/{}/admissions", opened["roundId"].as_str().unwrap()));
    club.admin.post(&admissions, json!({ "endUserId": ada.id, "reason": "It was a mistake" })).await.gives(201);
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["voter_readmitted", "voter_admitted"]);
    club.admin.put(&meeting.path("/countdown"), json!({ "seconds": 600 })).await.gives(200);
    club.admin.put(&meeting.path("/countdown"), json!({ "seconds": 900 })).await.gives(200);
    club.admin.delete(&meeting.path("/countdown")).await.gives(200);
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["round_changed"; 3]);
    meeting.clear().await;
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["round_ended"]);
    meeting.open(&first).await;
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["round_reopened"], "without votes, frozen anew");
    ben.vote(&meeting, &first, &["Yes"]).await.gives(201);
    meeting.clear().await;
    club.voter("cleo").await;
    kinds_since(&club.admin, &mut seen).await;
    meeting.open(&first).await;
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["round_reopened"], "with votes and one more voter");
    let entry = &entries(&club.admin, "/client/audit?limit=1").await[0];
    let heads = json!({ "field": "register_heads", "before": "2", "after": "3" });
    assert!(entry["changes"].as_array().unwrap().contains(&heads), "{entry}");
    meeting.open(&second).await;
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["round_ended", "round_opened"]);
    meeting.clear().await;
    kinds_since(&club.admin, &mut seen).await;
    let rounds = meeting.rounds().await;
    let declare = meeting.path(&format!("/rounds/{}/declare", rounds[0]["id"].as_str().unwrap()));
    club.admin.post(&declare, Value::Null).await.gives(200);
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["result_declared"]);
    let revote = json!({ "questionId": first, "reason": "Miscounted" });
    club.admin.post(&meeting.path("/rounds"), revote).await.gives(201);
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["round_opened"]);
    club.admin.put(&meeting.path("/countdown"), json!({ "seconds": 600 })).await.gives(200);
    let sooner = "UPDATE rounds SET closes_at = now() WHERE closes_at IS NOT NULL";
    app.database.connection().batch_execute(sooner).unwrap();
    until("the countdown ended it", async || {
        (entries(&club.admin, "/client/audit?limit=1").await[0]["kind"] == "round_ended").then_some(())
    })
    .await;
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["round_changed", "round_changed", "round_ended"]);
    meeting.open(&second).await;
    kinds_since(&club.admin, &mut seen).await;
    club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["meeting_ended", "round_ended", "meeting_closed"]);
}

/// A changed field of an entry, before and after.
fn change_of<'a>(entry: &'a Value, field: &str) -> Option<(&'a Value, &'a Value)> {
    let changes = entry["changes"].as_array().unwrap();
    changes.iter().find(|change| change["field"] == field).map(|change| (&change["before"], &change["after"]))
}

#[tokio::test]
async fn each_action_on_a_round_with_check_in_is_one_entry_too() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let [ada, ben, cleo, dora] =
        [club.voter("ada").await, club.voter("ben").await, club.voter("cleo").await, club.voter("dora").await];
    let meeting = club.meeting_with(json!({ "status": "ACTIVE", "checkIn": "ON" })).await;
    let (first, second) = (meeting.ask_yes_no().await, meeting.ask_yes_no().await);
    let secret = json!({ "options": ["Yes", "No", "Abstain"], "secrecy": "secret" });
    let secret = meeting.ask("YES_NO", secret).await;
    for person in [&ada, &ben] {
        club.admin.post(&meeting.path("/attendance"), json!({ "endUserId": person.id, "kind": "IN" })).await.gives(200);
    }
    let mut seen = 0;
    kinds_since(&club.admin, &mut seen).await;

    let opened = meeting.open(&first).await;
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["round_opened"]);
    let entry = &entries(&club.admin, "/client/audit?limit=1").await[0];
    assert_eq!(change_of(entry, "status"), Some((&Value::Null, &json!("OPEN"))), "{entry}");
    assert_eq!(change_of(entry, "absent_heads"), Some((&Value::Null, &json!("2"))), "{entry}");
    let admissions = meeting.path(&format!("/rounds/{}/admissions", opened["roundId"].as_str().unwrap()));
    club.admin.post(&admissions, json!({ "endUserId": cleo.id, "reason": "Votes from home" })).await.gives(201);
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["voter_admitted"]);
    let exclusion = json!({ "endUserId": dora.id, "reason": "Conflict of interest" });
    club.admin.post(&meeting.path(&format!("/questions/{first}/exclusions")), exclusion).await.gives(201);
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["voter_excluded"]);
    meeting.clear().await;
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["round_ended"]);
    meeting.open(&first).await;
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["round_reopened"], "without votes, frozen anew");
    ben.vote(&meeting, &first, &["Yes"]).await.gives(201);
    meeting.clear().await;
    club.voter("eva").await;
    kinds_since(&club.admin, &mut seen).await;
    meeting.open(&first).await;
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["round_reopened"], "with votes and one more absent voter");
    let entry = &entries(&club.admin, "/client/audit?limit=1").await[0];
    assert_eq!(change_of(entry, "absent_heads"), Some((&json!("1"), &json!("2"))), "{entry}");
    meeting.open(&second).await;
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["round_ended", "round_opened"]);
    meeting.clear().await;
    let declare = meeting.path(&format!("/rounds/{}/declare", meeting.rounds().await[0]["id"].as_str().unwrap()));
    club.admin.post(&declare, Value::Null).await.gives(200);
    kinds_since(&club.admin, &mut seen).await;
    let revote = json!({ "questionId": first, "reason": "Miscounted" });
    club.admin.post(&meeting.path("/rounds"), revote).await.gives(201);
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["round_opened"], "a new vote on the question");
    meeting.clear().await;
    kinds_since(&club.admin, &mut seen).await;
    let at_risk = meeting.path("/current-question?acceptRisk=true");
    club.admin.put(&at_risk, json!({ "questionId": secret })).await.gives(200);
    assert_eq!(kinds_since(&club.admin, &mut seen).await, ["urn_key_made", "round_opened"]);
}

#[tokio::test]
async fn manual_changes_of_rounds_are_recorded_too() {
    let app = TestApp::start_with_everything().await;
    let club = app.client("Rowing Club").await;
    club.voter("ada").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    meeting.open(&question).await;
    meeting.clear().await;
    let mut seen = 0;
    kinds_since(&club.admin, &mut seen).await;
    for (statement, kinds) in [
        ("UPDATE rounds SET register_heads = 9", vec!["round_changed"]),
        (
            "BEGIN; UPDATE rounds SET register_heads = 8; UPDATE rounds SET register_heads = 7; COMMIT",
            vec!["round_changed"],
        ),
        ("BEGIN; UPDATE rounds SET register_heads = 1; ROLLBACK", vec![]),
        ("UPDATE rounds SET absent_heads = 5", vec!["round_changed"]),
        (
            "BEGIN; INSERT INTO rounds SELECT (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'number', 2, 'ended_at', opened_at))).* FROM rounds r; COMMIT",
            vec!["round_opened"],
        ),
        ("DELETE FROM rounds WHERE number = 2", vec!["round_deleted"]),
    ] {
        app.database.connection().batch_execute(statement).unwrap();
        assert_eq!(kinds_since(&club.admin, &mut seen).await, kinds, "{statement}");
    }
    let deleted = entries(&club.admin, "/client/audit?kind=round_deleted").await;
    assert_eq!(deleted.len(), 1);
}
