use diesel::connection::SimpleConnection as _;
use plenum_adapter_http::HttpSettings;
use serde_json::{Value, json};

use crate::http::support::{Answer, NO_ID, Organization, TestApp, TestMeeting, TestVoter};

/// Changes the database without the product.
fn damage(app: &TestApp, statements: &str) {
    app.database.connection().batch_execute(statements).unwrap();
}

/// A running meeting with this title, an open question, and a vote on it.
async fn voted(club: &Organization, voter: &TestVoter, title: &str) -> (TestMeeting, String, String) {
    let meeting = club.meeting_with(json!({ "status": "ACTIVE", "title": title })).await;
    let question = meeting.ask_yes_no().await;
    meeting.open(&question).await;
    let vote = voter.vote(&meeting, &question, &["Yes"]).await.gives(201)["vote"]["id"].clone();
    (meeting, question, format!("/votes/{}", vote.as_str().unwrap()))
}

#[tokio::test]
async fn a_healthy_installation_passes_every_test() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter_of_weight("ben", "2.5").await;
    let meeting = club.meeting().await;
    for (question, answer) in meeting.with_questions().await.iter().zip(["Yes", "A", "5", "12.5", "Trees"]) {
        meeting.open(question).await;
        ben.vote(&meeting, question, &[answer]).await.gives(201);
    }
    meeting.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    for caller in [app.super_admin().await, club.admin] {
        let database = caller.get("/test/database").await.gives(200);
        assert_eq!(database["success"], true);
        assert!(database["details"]["serverVersion"].is_string(), "{database}");
        assert!(database["details"]["latencyMs"].as_f64().unwrap() > 0.0, "{database}");

        let schema = caller.get("/test/schema").await.gives(200);
        assert_eq!(schema["details"], json!({ "differences": [] }));
        assert_eq!((&schema["success"], &schema["isValid"]), (&json!(true), &json!(true)));
        assert_eq!(schema["message"], "The database has the expected schema.");

        let migrations = caller.get("/test/migrations").await.gives(200);
        assert_eq!((&migrations["success"], &migrations["pending"]), (&json!(true), &json!([])));
        assert!(migrations["details"]["applied"].as_u64().unwrap() > 0, "{migrations}");

        let integrity = caller.get("/test/data-integrity").await.gives(200);
        assert_eq!((&integrity["success"], &integrity["isValid"]), (&json!(true), &json!(true)), "{integrity}");
        assert_eq!(integrity["message"], "No issues were found.");
        let details = &integrity["details"];
        assert_eq!((&details["issuesFound"], &details["issues"]), (&json!(0), &json!([])));
        let checks = details["checks"].as_array().unwrap();
        assert!(checks.len() > 10 && checks.iter().all(|check| check["issuesFound"] == 0), "{checks:?}");
    }
}

#[tokio::test]
async fn the_token_identifies_its_owner() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for (caller, role, client) in
        [(app.super_admin().await, "SUPER_ADMIN", Value::Null), (club.admin, "CLIENT", json!(club.id))]
    {
        let answer = caller.get("/test/auth").await.gives(200);
        let me = caller.get("/auth/me").await.gives(200)["user"].clone();
        assert_eq!(answer["success"], true);
        assert_eq!(answer["details"], json!({ "userRole": role, "userId": me["id"], "clientId": client }));
    }
}

#[tokio::test]
async fn the_machine_is_described_to_super_administrators_only() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let connections =
        |answer: Value| (answer["details"]["connections"].clone(), answer["details"]["maxConnections"].clone());
    let (used, limit) = connections(app.super_admin().await.get("/test/database").await.gives(200));
    assert!(used.as_u64().unwrap() > 0 && limit.as_u64().unwrap() > 0, "{used} of {limit}");
    assert_eq!(connections(club.admin.get("/test/database").await.gives(200)), (Value::Null, Value::Null));
    club.admin.get("/test/memory").await.refuses(403, "wrong_role");
}

#[tokio::test]
async fn memory_is_reported_in_bytes() {
    let app = TestApp::start().await;
    let answer = app.super_admin().await.get("/test/memory").await.gives(200);
    let details = &answer["details"];
    let resident = details["residentBytes"].as_u64().unwrap();
    assert!(resident > 1024 * 1024, "{answer}");
    assert!(details["peakBytes"].is_null() || details["peakBytes"].as_u64().unwrap() >= resident, "{answer}");
    assert_eq!(answer["success"], true);
}

#[tokio::test]
async fn an_expired_token_is_refused() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for caller in [app.super_admin().await, club.admin] {
        let answer = caller.get("/test/expired-token").await;
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        let body = answer.gives(200);
        let token = body["token"].as_str().unwrap();
        assert_ne!(token, caller.token());
        let over = caller.with_token(token);
        for path in
            ["/auth/me", "/test/auth", "/clients", "/client/meetings", "/voting/meetings", "/test/expired-token"]
        {
            over.get(path).await.refuses(401, "token_expired");
        }
        let expired_at: chrono::DateTime<chrono::Utc> = body["expiredAt"].as_str().unwrap().parse().unwrap();
        assert!(
            plenum_kernel::Clock::now(&plenum_adapter_security::SystemClock) - expired_at
                >= chrono::TimeDelta::minutes(59)
        );
        // It is not a refresh token either, and its session continues.
        assert_ne!(over.post("/auth/refresh", json!({ "refreshToken": token })).await.status, 200);
        caller.get("/test/auth").await.gives(200);
    }
}

/// Each tested origin with its kind, whether it is accepted, and whether it should be.
fn probes(answer: &Value) -> Vec<(&str, &str, bool, bool)> {
    let text = |value: &Value| -> &'static str { Box::leak(value.as_str().unwrap().to_owned().into_boxed_str()) };
    let probes = answer["details"]["probes"].as_array().unwrap();
    let probe = |probe: &Value| {
        let is = |name: &str| probe[name].as_bool().unwrap();
        (text(&probe["origin"]), text(&probe["kind"]), is("isAllowed"), is("expected"))
    };
    probes.iter().map(probe).collect()
}

#[tokio::test]
async fn the_server_accepts_its_own_and_configured_origins_and_no_others() {
    for base_path in ["", "/plenum"] {
        let app = TestApp::start_with(HttpSettings {
            base_path: base_path.to_owned(),
            public_url: Some("https://vote.example.org".to_owned()),
            cors_origins: vec!["https://intranet.example.org".to_owned(), "http://other.example:8443".to_owned()],
            ..HttpSettings::default()
        })
        .await;
        let club = app.client("Rowing Club").await;
        for caller in [app.super_admin().await, club.admin] {
            let answer = caller.get("/test/cors").await.gives(200);
            assert_eq!((&answer["success"], &answer["isValid"]), (&json!(true), &json!(true)), "{answer}");
            let expected = [
                ("https://vote.example.org", "own", true, true),
                ("https://intranet.example.org", "allowed", true, true),
                ("http://other.example:8443", "allowed", true, true),
                ("https://foreign.invalid", "foreign", false, false),
                ("https://vote.example.org.foreign.invalid", "foreign", false, false),
                ("https://intranet.example.org.foreign.invalid", "foreign", false, false),
                ("http://other.example.foreign.invalid:8443", "foreign", false, false),
                ("null", "null", false, false),
            ];
            assert_eq!(probes(&answer), expected);
            let origins = answer["details"]["probes"].as_array().unwrap().iter().map(|probe| &probe["allowOrigin"]);
            let origins: Vec<_> = origins.filter(|origin| !origin.is_null()).collect();
            assert_eq!(origins, [&json!("https://intranet.example.org"), &json!("http://other.example:8443")]);
        }
    }
}

#[tokio::test]
async fn a_refused_origin_that_should_be_accepted_is_named() {
    // These cannot be configured. They are never accepted.
    let cors_origins = vec!["null".to_owned(), "*".to_owned()];
    let app = TestApp::start_with(HttpSettings { cors_origins, ..HttpSettings::default() }).await;
    let answer = app.super_admin().await.get("/test/cors").await.gives(200);
    assert_eq!(answer["isValid"], false);
    assert!(answer["message"].as_str().unwrap().contains("blocks pages of null, *"), "{answer}");
    let problems = &answer["details"]["probes"][1]["problems"];
    assert!(problems.to_string().contains("Access-Control-Allow-Credentials is missing"), "{problems}");
}

#[tokio::test]
async fn a_check_that_cannot_run_states_the_reason() {
    let app = TestApp::start().await;
    let (root, club) = (app.super_admin().await, app.client("Rowing Club").await);
    damage(&app, "ALTER TABLE round_counters DROP COLUMN votes_cast");
    for caller in [&root, &club.admin] {
        let integrity = caller.get("/test/data-integrity").await.gives(200);
        assert_eq!((&integrity["success"], &integrity["isValid"]), (&json!(true), &json!(false)));
        let message = integrity["message"].as_str().unwrap();
        assert!(message.contains("The check vote_count could not be carried out: column"), "{message}");
        let checks = integrity["details"]["checks"].as_array().unwrap();
        let failed = checks.iter().filter(|check| !check["failure"].is_null());
        assert!(failed.map(|check| &check["name"]).any(|name| name == "vote_count"), "{integrity}");
    }
    damage(&app, "DROP INDEX meetings_client_id_created_at_idx");
    let schema = root.get("/test/schema").await.gives(200);
    let differences = schema["details"]["differences"].as_array().unwrap();
    assert!(differences.contains(&json!("The index meetings_client_id_created_at_idx of meetings is missing.")));
}

#[tokio::test]
async fn a_changed_schema_is_invalid_and_the_difference_is_named() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    damage(&app, "ALTER TABLE meetings DROP COLUMN recurring_pattern");
    let schema = root.get("/test/schema").await.gives(200);
    assert_eq!((&schema["success"], &schema["isValid"]), (&json!(true), &json!(false)));
    assert_eq!(schema["message"], "The database differs from the expected schema in 1 place.");
    assert_eq!(schema["details"]["differences"], json!(["The column recurring_pattern of meetings is missing."]));
}

#[tokio::test]
async fn a_missing_migration_is_named() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    let applied = root.get("/test/migrations").await.gives(200)["details"]["applied"].as_u64().unwrap();
    damage(&app, "DELETE FROM __diesel_schema_migrations WHERE version LIKE '%000003'");
    let migrations = root.get("/test/migrations").await.gives(200);
    assert_eq!(migrations["pending"], json!(["2026-11-21-000003_voting"]));
    assert_eq!(migrations["details"]["applied"], applied - 1);
    assert_eq!(migrations["message"], "The database lacks 1 migration.");
}

#[tokio::test]
async fn inconsistent_data_is_reported_to_its_owner() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let ben = club.voter("ben").await;
    let (meeting, ..) = voted(&club, &ben, "Assembly").await;
    let round = meeting.rounds().await[0]["id"].clone();
    damage(&app, "UPDATE round_counters SET votes_cast = 12; UPDATE meetings SET started_at = NULL");
    for caller in [&app.super_admin().await, &club.admin] {
        let integrity = caller.get("/test/data-integrity").await.gives(200);
        assert_eq!((&integrity["success"], &integrity["isValid"]), (&json!(true), &json!(false)));
        assert_eq!(integrity["message"], "2 issues were found.");
        let details = &integrity["details"];
        assert_eq!(details["issuesFound"], 2);
        let issues = details["issues"].as_array().unwrap();
        assert_eq!((&issues[0]["check"], &issues[0]["id"]), (&json!("active_meeting_times"), &json!(meeting.id)));
        let counted = json!({
            "check": "vote_count", "table": "rounds", "id": round,
            "message": "The counters say 12 votes, and 1 are stored.",
        });
        assert_eq!(issues[1], counted);
        let failed = details["checks"].as_array().unwrap().iter().filter(|check| check["issuesFound"] == 1);
        assert_eq!(failed.count(), 2);
    }
    let theirs = other.admin.get("/test/data-integrity").await.gives(200);
    assert_eq!((&theirs["isValid"], &theirs["details"]["issuesFound"]), (&json!(true), &json!(0)));
    for secret in [&meeting.id, round.as_str().unwrap(), &ben.id] {
        assert!(!theirs.to_string().contains(secret), "{theirs}");
    }
}

#[tokio::test]
async fn ballots_during_the_check_do_not_count_as_damage() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let mut voters = Vec::new();
    for number in 0..12 {
        voters.push(club.voter(&format!("voter-{number}")).await);
    }
    let meeting = club.meeting().await;
    for _ in 0..5 {
        let question = meeting.ask_yes_no().await;
        meeting.open(&question).await;
        let path = meeting.vote_path(&question);
        let voting: Vec<_> = voters
            .iter()
            .map(|voter| {
                let (caller, path) = (voter.caller.clone(), path.clone());
                tokio::spawn(async move { caller.post(&path, json!({ "answers": ["Yes"] })).await.status })
            })
            .collect();
        let integrity = club.admin.get("/test/data-integrity").await.gives(200);
        assert_eq!(integrity["isValid"], true, "{integrity}");
        for vote in voting {
            assert_eq!(vote.await.unwrap(), 201);
        }
    }
}

#[tokio::test]
async fn a_deleted_vote_of_test_data_is_no_longer_counted() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let test_club = app.client("TEST_CLIENT_1").await;
    let (ben, ada) = (club.voter("ben").await, test_club.voter("ada").await);
    for (club, voter, title) in [(&club, &ben, "TEST_Assembly"), (&test_club, &ada, "Assembly")] {
        for caller in [&app.super_admin().await, &club.admin] {
            let (meeting, question, vote) = voted(club, voter, title).await;
            assert_eq!(caller.delete(&vote).await.gives(200), json!({ "success": true }));
            caller.delete(&vote).await.refuses(404, "vote_not_found");
            assert_eq!(club.admin.get(&meeting.path("/current-question")).await.gives(200)["voteCount"], 0);
            assert_eq!(voter.sees(&meeting).await["questions"][0]["hasVoted"], false);
            // Also after the end of the round.
            let vote = voter.vote(&meeting, &question, &["No"]).await.gives(201)["vote"]["id"].clone();
            meeting.clear().await;
            caller.delete(&format!("/votes/{}", vote.as_str().unwrap())).await.gives(200);
            assert_eq!(meeting.rounds().await[0]["voteCount"], 0);
        }
    }
    assert_eq!(app.super_admin().await.get("/test/data-integrity").await.gives(200)["isValid"], true);
}

#[tokio::test]
async fn real_declared_and_foreign_votes_are_not_deleted() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("TEST_Sailing Club").await);
    let ben = club.voter("ben").await;
    let root = app.super_admin().await;

    let (real, question, real_vote) = voted(&club, &ben, "Assembly").await;
    for caller in [&root, &club.admin] {
        caller.delete(&real_vote).await.refuses(409, "not_test_data");
    }
    ben.vote(&real, &question, &["Yes"]).await.gives(201);
    assert_eq!(club.admin.get(&real.path("/current-question")).await.gives(200)["voteCount"], 1);

    let (_, _, vote) = voted(&club, &ben, "TEST_Assembly").await;
    for id in [real_vote.as_str(), vote.as_str()] {
        other.admin.delete(id).await.refuses(404, "vote_not_found");
    }
    for caller in [&root, &club.admin] {
        caller.delete(&format!("/votes/{NO_ID}")).await.refuses(404, "vote_not_found");
        caller.delete("/votes/no-id").await.refuses(404, "vote_not_found");
    }
    let declared = "status = 'DECLARED', ended_at = now(), declared_at = now(), declared_by = 'Maria Keller'";
    damage(&app, &format!("UPDATE rounds SET {declared}"));
    for caller in [&root, &club.admin] {
        caller.delete(&vote).await.refuses(409, "result_declared");
    }
    ben.caller.delete(&vote).await.refuses(403, "wrong_role");
}

#[tokio::test]
async fn the_opening_of_voting_decides_what_is_test_data() {
    let app = TestApp::start().await;
    let (club, test_club) = (app.client("Rowing Club").await, app.client("TEST_CLIENT_1").await);
    let (ben, ada) = (club.voter("ben").await, test_club.voter("ada").await);
    let root = app.super_admin().await;
    let rename_client = async |club: &Organization, name: &str| {
        let refused = root.put(&format!("/clients/{}", club.id), json!({ "name": name })).await;
        refused.refuses(409, "test_mark_settled");
    };
    let rename_meeting = async |meeting: &TestMeeting, title: &str| {
        meeting.admin.put(&meeting.path(""), json!({ "title": title })).await.refuses(409, "test_mark_settled")
    };

    // Neither the organization nor the super administrator can turn a real vote into test data.
    let (real, question, real_vote) = voted(&club, &ben, "Assembly").await;
    rename_meeting(&real, "TEST_Assembly").await;
    rename_client(&club, "TEST_Rowing Club").await;
    for caller in [&root, &club.admin] {
        caller.delete(&real_vote).await.refuses(409, "not_test_data");
        real.clear().await;
        caller.delete(&real_vote).await.refuses(409, "not_test_data");
        real.open(&question).await;
        caller.delete(&real_vote).await.refuses(409, "not_test_data");
    }
    assert_eq!(real.rounds().await[0]["voteCount"], 1);

    // A test can clean up afterwards.
    let (by_client, _, of_test_client) = voted(&test_club, &ada, "Assembly").await;
    rename_client(&test_club, "Sailing Club").await;
    let (by_title, _, of_test_meeting) = voted(&test_club, &ada, "TEST_Assembly").await;
    rename_meeting(&by_title, "Assembly").await;
    for (meeting, vote) in [(by_client, of_test_client), (by_title, of_test_meeting)] {
        test_club.admin.delete(&vote).await.gives(200);
        assert_eq!(meeting.rounds().await[0]["voteCount"], 0);
    }
}

#[tokio::test]
async fn errors_of_deleting_a_vote_are_always_json() {
    let app = TestApp::start().await;
    let nobody = app.anyone().request("DELETE", &format!("/votes/{NO_ID}")).send().await.unwrap();
    let nobody = Answer::read(nobody).await;
    nobody.refuses(401, "authentication_required");
    let invalid = app.anyone().with_token("garbled").request("GET", "/test/auth").send().await.unwrap();
    Answer::read(invalid).await.refuses(403, "invalid_token");
}
