use serde_json::{Value, json};

use crate::http::support::{Answer, NO_ID, Organization, PASSWORD, TestApp, TestVoter};

fn body(username: &str) -> Value {
    json!({ "username": username, "name": "Ben Otto", "password": PASSWORD })
}

/// Creates a voter with this text as the weight in the JSON body.
async fn with_weight(club: &Organization, username: &str, weight: &str) -> Answer {
    let text = format!(r#"{{"username":"{username}","name":"V","password":"{PASSWORD}","weight":{weight}}}"#);
    club.admin.call_with_text("POST", "/client/end-users", text).await
}

#[tokio::test]
async fn a_new_voter_has_working_credentials() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let full = json!({
        "username": " Ben ", "name": "Ben Otto", "email": "Ben@Example.org", "address": "Main Street 1\n12345 Town",
        "weight": 2.5, "password": PASSWORD,
    });
    let made = club.admin.post("/client/end-users", full).await.gives(201);
    assert_eq!(made["success"], true);
    assert_eq!(made["data"]["username"], "Ben");
    assert_eq!(made["data"]["email"], "ben@example.org");
    assert_eq!((&made["data"]["isActive"], &made["data"]["lastLoginAt"]), (&json!(true), &Value::Null));
    assert!(made["data"].get("password").is_none() && made["data"].get("passwordHash").is_none());
    let credentials = &made["credentials"];
    assert_eq!(credentials["organization"], "Rowing Club");
    let instructions = credentials["loginInstructions"].as_str().unwrap();
    assert!(instructions.starts_with("Open http://127.0.0.1:"), "{instructions}");
    assert!(instructions.contains("/participant, enter the organization code rowing-club,"), "{instructions}");
    let body = json!({
        "clientCode": credentials["clientCode"], "username": credentials["username"],
        "password": credentials["password"],
    });
    app.anyone().post("/auth/end-user/login", body).await.gives(200);

    let found = club.admin.get(&format!("/client/end-users/{}", made["data"]["id"].as_str().unwrap())).await.gives(200);
    assert_eq!(found["data"]["address"], "Main Street 1\n12345 Town");
}

#[tokio::test]
async fn a_username_is_unique_in_its_organization_regardless_of_case() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    club.admin.post("/client/end-users", body("Zoé")).await.gives(201);
    for username in ["Zoé", "zoé", "ZOÉ", " zoÉ "] {
        let error = club.admin.post("/client/end-users", body(username)).await.refuses(409, "username_taken");
        assert!(error["fields"]["username"][0].is_string(), "{error}");
    }
    other.admin.post("/client/end-users", body("ZOÉ")).await.gives(201);
}

#[tokio::test]
async fn a_username_matches_regardless_of_its_unicode_form() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (one, other) = ("p\u{e9}ter", "pe\u{301}ter");
    let mut typed = body(other);
    typed["password"] = json!("Ze\u{301}phyr 77");
    let made = club.admin.post("/client/end-users", typed).await.gives(201);
    assert_eq!(made["data"]["username"], one);
    for username in [one, other, "PE\u{301}TER"] {
        club.admin.post("/client/end-users", body(username)).await.refuses(409, "username_taken");
        for password in ["Z\u{e9}phyr 77", "Ze\u{301}phyr 77"] {
            sign_in(&club, username, password).await.gives(200);
        }
        let found = club.admin.get(&format!("/client/end-users?search={username}")).await.gives(200);
        assert_eq!(found["data"][0]["username"], one, "{username:?}: {found}");
    }
    club.admin.post("/client/end-users", body("peter")).await.gives(201);

    for (hidden, expected) in [
        ("\u{200b}", "Must not be empty."),
        ("\u{feff}\u{200e}", "Must not be empty."),
        ("\u{200d}", "Must not be empty."),
        ("pet\u{200b}er", "Must not contain characters that are invisible or change the direction of writing."),
        ("\u{202e}retep", "Must not contain characters that are invisible or change the direction of writing."),
    ] {
        let error = club.admin.post("/client/end-users", body(hidden)).await.refuses(422, "invalid_input");
        assert_eq!(error["fields"]["username"], json!([expected]), "{hidden:?}");
    }
}

#[tokio::test]
async fn weights_are_exact_numbers_from_0_to_100() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for (place, (given, stored)) in [
        ("0", "0"),
        ("100", "100"),
        ("1.2345", "1.2345"),
        ("1.50000", "1.5"),
        ("0.1", "0.1"),
        ("1e1", "10"),
        ("1E-4", "0.0001"),
    ]
    .into_iter()
    .enumerate()
    {
        let made = with_weight(&club, &format!("v{place}"), given).await;
        made.gives(201);
        assert!(made.text.contains(&format!(r#""weight":{stored},"#)), "{given}: {}", made.text);
    }
    let listed = club.admin.get("/client/end-users?search=v2").await;
    assert!(listed.text.contains(r#""weight":1.2345,"#), "{}", listed.text);
    let stats = club.admin.get("/client/end-users/stats").await;
    assert!(stats.text.contains(r#""totalWeight":112.8346"#), "{}", stats.text);

    for wrong in [
        "1.23456",
        "-1",
        "101",
        "-0.0001",
        "100.0001",
        "1e400",
        "1e-400",
        "123456789012345678901234567890",
        "0.00000000000000000000000000000000000001",
        "\"heavy\"",
        "\"1.5\"",
        "true",
        "[]",
        "{}",
    ] {
        let answer = with_weight(&club, "wrong", wrong).await;
        assert_eq!(answer.wrong_fields(), ["weight"], "{wrong}: {}", answer.text);
    }
    // Null counts as missing.
    assert_eq!(with_weight(&club, "null", "null").await.gives(201)["data"]["weight"], 1);
}

#[tokio::test]
async fn fields_with_a_wrong_type_or_value_are_named() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let changed = async |field: &str, value: Value| {
        let mut body = body("ben");
        body[field] = value;
        club.admin.post("/client/end-users", body).await
    };
    for (field, value) in [
        ("username", json!(7)),
        ("username", Value::Null),
        ("username", json!("")),
        ("username", json!("a\0b")),
        ("username", json!("u".repeat(65))),
        ("name", json!(["Ben"])),
        ("name", json!("\n")),
        ("email", json!("nobody")),
        ("email", json!("a\0b@example.org")),
        ("address", json!("a\0b")),
        ("password", json!("short")),
        ("password", Value::Null),
        ("password", json!("nul \0 nul nul")),
        ("isActive", json!("yes")),
    ] {
        let answer = changed(field, value.clone()).await;
        assert_eq!(answer.wrong_fields(), [field], "{field} = {value}: {}", answer.text);
    }
    for (field, value) in [("email", Value::Null), ("address", json!("")), ("somethingElse", json!(1))] {
        let mut body = body(&format!("ok-{field}"));
        body[field] = value;
        club.admin.post("/client/end-users", body).await.gives(201);
    }
}

#[tokio::test]
async fn voters_are_searched_filtered_and_counted() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    club.voter_of_weight("ben", "2").await;
    club.voter("ada").await;
    let asleep = json!({ "username": "cleo", "name": "Cleo", "password": PASSWORD, "isActive": false, "weight": 5 });
    club.admin.post("/client/end-users", asleep).await.gives(201);
    let usernames = async |query: &str| -> Vec<String> {
        let rows = club.admin.get(&format!("/client/end-users{query}")).await.gives(200)["data"].clone();
        rows.as_array().unwrap().iter().map(|row| row["username"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(usernames("").await, ["ada", "ben", "cleo"]);
    assert_eq!(usernames("?sort=-name").await, ["cleo", "ben", "ada"]);
    assert_eq!(usernames("?status=active").await, ["ada", "ben"]);
    assert_eq!(usernames("?status=inactive").await, ["cleo"]);
    assert_eq!(usernames("?search=BE").await, ["ben"]);
    assert_eq!(usernames("?search=_").await, Vec::<String>::new());
    assert_eq!(usernames("?page=2&pageSize=2").await, ["cleo"]);
    let stats = club.admin.get("/client/end-users/stats").await.gives(200);
    assert_eq!(stats["data"], json!({ "total": 3, "active": 2, "inactive": 1, "totalWeight": 3 }));
}

#[tokio::test]
async fn a_voter_who_does_not_exist_is_404() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for id in [NO_ID, "no-id"] {
        club.admin.get(&format!("/client/end-users/{id}")).await.refuses(404, "end_user_not_found");
    }
}

fn path(voter: &TestVoter) -> String {
    format!("/client/end-users/{}", voter.id)
}

async fn sign_in(club: &Organization, username: &str, password: &str) -> Answer {
    let body = json!({ "clientCode": club.code, "username": username, "password": password });
    club.admin.post("/auth/end-user/login", body).await
}

async fn refresh(voter: &TestVoter) -> u16 {
    voter.caller.post("/auth/refresh", json!({ "refreshToken": voter.caller.refresh_token })).await.status
}

#[tokio::test]
async fn a_change_affects_only_its_fields_and_null_or_empty_clears_an_address() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let admin = &club.admin;
    let mut expected = admin.get(&path(&ben)).await.gives(200)["data"].clone();
    assert!(expected["lastLoginAt"].is_string(), "{expected}");
    for (field, value) in [
        ("username", json!("Benno")),
        ("name", json!("Ben Otto")),
        ("email", json!("ben@example.org")),
        ("address", json!("Main Street 1\n12345 Town")),
        ("weight", json!(2.5)),
    ] {
        expected[field] = value.clone();
        let answer = admin.put(&path(&ben), json!({ field: value })).await.gives(200);
        assert_eq!(answer, json!({ "success": true, "data": expected }), "{field}");
    }
    // Missing fields stay, and so do null fields that cannot be cleared.
    for body in [
        json!({}),
        json!({ "password": "" }),
        json!({ "username": null, "name": null, "weight": null, "isActive": null, "password": null }),
        json!({ "somethingElse": 1, "lastLoginAt": null, "clientId": "x" }),
    ] {
        assert_eq!(admin.put(&path(&ben), body).await.gives(200)["data"], expected);
    }
    for nothing in [Value::Null, json!(""), json!(" ")] {
        let full = json!({ "email": "ben@example.org", "address": "Main Street 1" });
        admin.put(&path(&ben), full).await.gives(200);
        let no_email = admin.put(&path(&ben), json!({ "email": nothing })).await.gives(200)["data"].clone();
        assert_eq!((&no_email["email"], &no_email["address"]), (&Value::Null, &json!("Main Street 1")));
        let none = admin.put(&path(&ben), json!({ "address": nothing })).await.gives(200)["data"].clone();
        assert_eq!((&none["email"], &none["address"]), (&Value::Null, &Value::Null));
    }
    // The change ended no session. The new name signs in.
    assert_eq!(ben.caller.get("/auth/me").await.gives(200)["user"]["username"], "Benno");
    sign_in(&club, "benno", PASSWORD).await.gives(200);
    sign_in(&club, "ben", PASSWORD).await.refuses(401, "invalid_credentials");
}

#[tokio::test]
async fn a_changed_weight_is_exact() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    for (given, stored) in [("0", "0"), ("100", "100"), ("33.3333", "33.3333"), ("1.50000", "1.5")] {
        let answer = club.admin.call_with_text("PUT", &path(&ben), format!(r#"{{"weight":{given}}}"#)).await;
        answer.gives(200);
        assert!(answer.text.contains(&format!(r#""weight":{stored},"#)), "{given}: {}", answer.text);
    }
    let stats = club.admin.get("/client/end-users/stats").await;
    assert!(stats.text.contains(r#""totalWeight":1.5"#), "{}", stats.text);
}

#[tokio::test]
async fn an_invalid_change_is_named_and_changes_nothing() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let before = club.admin.get(&path(&ben)).await.gives(200);
    for (field, value) in [
        ("username", json!("")),
        ("username", json!(" ")),
        ("username", json!(7)),
        ("username", json!("a\0b")),
        ("username", json!("u".repeat(65))),
        ("name", json!("")),
        ("name", json!("n".repeat(201))),
        ("name", json!(["Ben"])),
        ("email", json!("nobody")),
        ("email", json!(1)),
        ("address", json!("a\0b")),
        ("address", json!("a".repeat(501))),
        ("address", json!(["Main Street 1"])),
        ("weight", json!(-1)),
        ("weight", json!(100.5)),
        ("weight", json!(1.23456)),
        ("weight", json!("heavy")),
        ("weight", json!([1])),
        ("isActive", json!("no")),
        ("isActive", json!(0)),
        ("password", json!("short")),
        ("password", json!("p".repeat(73))),
        ("password", json!("nul \0 nul nul")),
        ("password", json!(12_345_678)),
    ] {
        // Together with a valid change.
        let mut body = json!({ "name": "Other", "weight": 7, "isActive": false });
        body[field] = value.clone();
        let answer = club.admin.put(&path(&ben), body).await;
        assert_eq!(answer.wrong_fields(), [field], "{field} = {value}: {}", answer.text);
    }
    let wrong = json!({ "username": "", "name": "", "email": "x", "weight": -1, "password": "short" });
    let fields = club.admin.put(&path(&ben), wrong).await.wrong_fields();
    assert_eq!(fields, ["email", "name", "password", "username", "weight"]);
    assert_eq!(club.admin.get(&path(&ben)).await.gives(200), before);
    ben.caller.get("/auth/me").await.gives(200);
}

#[tokio::test]
async fn a_taken_username_is_409_and_changes_nothing() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let (ada, ben) = (club.voter("Ada").await, club.voter("ben").await);
    let stranger = other.voter("cleo").await;
    let before = club.admin.get(&path(&ben)).await.gives(200);
    for username in ["Ada", "ADA", " ada "] {
        let body = json!({ "username": username, "weight": 7, "isActive": false, "password": "another horse" });
        let error = club.admin.put(&path(&ben), body).await.refuses(409, "username_taken");
        assert!(error["fields"]["username"][0].is_string(), "{error}");
    }
    assert_eq!(club.admin.get(&path(&ben)).await.gives(200), before);
    ben.caller.get("/auth/me").await.gives(200);
    // The person's own name in another case is free, and so is a name of another organization.
    assert_eq!(club.admin.put(&path(&ada), json!({ "username": "ADA" })).await.gives(200)["data"]["username"], "ADA");
    club.admin.put(&path(&ben), json!({ "username": "cleo" })).await.gives(200);
    assert_eq!(other.admin.get(&path(&stranger)).await.gives(200)["data"]["username"], "cleo");
}

#[tokio::test]
async fn an_inactive_voter_can_neither_act_nor_sign_in() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    // From now on the server remembers the session.
    ben.caller.get("/auth/me").await.gives(200);
    let asleep = club.admin.put(&path(&ben), json!({ "isActive": false })).await.gives(200);
    assert_eq!(asleep["data"]["isActive"], false);
    ben.caller.get("/auth/me").await.refuses(401, "session_ended");
    assert_eq!(refresh(&ben).await, 401);
    sign_in(&club, "ben", PASSWORD).await.refuses(401, "invalid_credentials");
    ada.caller.get("/auth/me").await.gives(200);
    let stats = club.admin.get("/client/end-users/stats").await.gives(200);
    assert_eq!(stats["data"], json!({ "total": 2, "active": 1, "inactive": 1, "totalWeight": 1 }));

    club.admin.put(&path(&ben), json!({ "isActive": true })).await.gives(200);
    // Earlier sessions stay ended.
    ben.caller.get("/auth/me").await.refuses(401, "session_ended");
    assert_eq!(refresh(&ben).await, 401);
    let session = sign_in(&club, "ben", PASSWORD).await.gives(200);
    let again = ben.caller.with_session(&session);
    again.get("/auth/me").await.gives(200);
    again.post("/auth/refresh", json!({ "refreshToken": again.refresh_token })).await.gives(200);
    assert!(club.admin.get(&path(&ben)).await.gives(200)["data"]["lastLoginAt"].is_string());
}

#[tokio::test]
async fn a_new_password_ends_every_session_of_a_voter() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let phone = app.anyone().sign_in_voter(&club.code, "ben").await;
    // From now on the server remembers the sessions.
    for caller in [&ben.caller, &phone] {
        caller.get("/auth/me").await.gives(200);
    }
    club.admin.put(&path(&ben), json!({ "password": "another horse" })).await.gives(200);
    for caller in [&ben.caller, &phone] {
        caller.get("/auth/me").await.refuses(401, "session_ended");
        caller.post("/auth/refresh", json!({ "refreshToken": caller.refresh_token })).await.gives(401);
    }
    sign_in(&club, "ben", PASSWORD).await.refuses(401, "invalid_credentials");
    sign_in(&club, "ben", "another horse").await.gives(200);
    ada.caller.get("/auth/me").await.gives(200);
    sign_in(&club, "ada", PASSWORD).await.gives(200);
}

#[tokio::test]
async fn exported_credentials_work_and_earlier_ones_do_not() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    club.admin.put(&path(&ben), json!({ "email": "ben@example.org" })).await.gives(200);
    let export = format!("{}/export-credentials", path(&ben));
    // From now on the server remembers the session.
    ben.caller.get("/auth/me").await.gives(200);
    let mut passwords = vec![PASSWORD.to_owned()];
    for body in [Value::Null, json!({})] {
        let answer = club.admin.post(&export, body).await.gives(200);
        assert_eq!(answer["success"], true);
        let credentials = &answer["data"];
        assert_eq!(credentials["organization"], "Rowing Club");
        assert_eq!((&credentials["clientCode"], &credentials["username"]), (&json!(club.code), &json!("ben")));
        assert_eq!((&credentials["name"], &credentials["email"]), (&json!("ben"), &json!("ben@example.org")));
        assert!(credentials["loginInstructions"].as_str().unwrap().contains("rowing-club"));
        let password = credentials["password"].as_str().unwrap().to_owned();
        assert_eq!(password.chars().count(), 12, "{password}");
        assert!(!passwords.contains(&password), "{password} again");
        for old in &passwords {
            sign_in(&club, "ben", old).await.refuses(401, "invalid_credentials");
        }
        sign_in(&club, "ben", &password).await.gives(200);
        passwords.push(password);
    }
    // Also without a body.
    club.admin.call("POST", &export, None).await.gives(200);
    ben.caller.get("/auth/me").await.refuses(401, "session_ended");
    assert_eq!(refresh(&ben).await, 401);
    ada.caller.get("/auth/me").await.gives(200);
    sign_in(&club, "ada", PASSWORD).await.gives(200);
}

#[tokio::test]
async fn a_deleted_voter_is_gone_and_their_vote_stays() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter_of_weight("ben", "2.5").await);
    let meeting = club.meeting().await;
    let invited = json!({ "endUserIds": [ada.id, ben.id] });
    club.admin.post(&meeting.path("/participants"), invited).await.gives(200);
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    ada.vote(&meeting, &question, &["No"]).await.gives(201);
    meeting.clear().await;

    assert_eq!(club.admin.delete(&path(&ben)).await.gives(200), json!({ "success": true }));
    ben.caller.get("/auth/me").await.refuses(401, "session_ended");
    ben.vote(&meeting, &question, &["Yes"]).await.refuses(401, "session_ended");
    assert_eq!(refresh(&ben).await, 401);
    sign_in(&club, "ben", PASSWORD).await.refuses(401, "invalid_credentials");
    for answer in [
        club.admin.get(&path(&ben)).await,
        club.admin.delete(&path(&ben)).await,
        club.admin.put(&path(&ben), json!({ "name": "Again" })).await,
        club.admin.post(&format!("{}/export-credentials", path(&ben)), Value::Null).await,
    ] {
        answer.refuses(404, "end_user_not_found");
    }
    let rows = club.admin.get("/client/end-users").await.gives(200)["data"].clone();
    assert_eq!(rows.as_array().unwrap().len(), 1);
    let left = club.admin.get(&meeting.path("/participants")).await.gives(200);
    assert_eq!((left.as_array().unwrap().len(), &left[0]["endUser"]["id"]), (1, &json!(ada.id)));

    let result = meeting.count(&round).await.gives(200);
    assert_eq!(result["votesCast"], json!({ "heads": 2, "weight": 3.5 }));
    assert_eq!(result["register"], json!({ "heads": 2, "weight": 3.5 }));
    // The name is free again.
    let new = club.voter("ben").await;
    assert_ne!(new.id, ben.id);
}

#[tokio::test]
async fn a_voter_who_does_not_exist_can_be_neither_changed_nor_deleted() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for id in [NO_ID, "no-id"] {
        let path = format!("/client/end-users/{id}");
        club.admin.put(&path, json!({ "name": "Ben" })).await.refuses(404, "end_user_not_found");
        club.admin.delete(&path).await.refuses(404, "end_user_not_found");
        let export = format!("{path}/export-credentials");
        club.admin.post(&export, Value::Null).await.refuses(404, "end_user_not_found");
    }
}
