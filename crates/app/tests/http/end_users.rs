use serde_json::{Value, json};

use crate::support::{Answer, NO_ID, Organization, PASSWORD, TestApp};

fn body(username: &str) -> Value {
    json!({ "username": username, "name": "Ben Otto", "password": PASSWORD })
}

/// Makes a voter with a weight that stands in the body exactly so.
async fn with_weight(club: &Organization, username: &str, weight: &str) -> Answer {
    let text = format!(r#"{{"username":"{username}","name":"V","password":"{PASSWORD}","weight":{weight}}}"#);
    club.admin.call_with_text("POST", "/client/end-users", text).await
}

#[tokio::test]
async fn a_voter_is_made_with_credentials_that_work() {
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
    assert!(credentials["loginInstructions"].as_str().unwrap().contains("rowing-club"));
    let body = json!({
        "clientCode": credentials["clientCode"], "username": credentials["username"],
        "password": credentials["password"],
    });
    app.anyone().post("/auth/end-user/login", body).await.gives(200);

    let found = club.admin.get(&format!("/client/end-users/{}", made["data"]["id"].as_str().unwrap())).await.gives(200);
    assert_eq!(found["data"]["address"], "Main Street 1\n12345 Town");
}

#[tokio::test]
async fn a_username_is_taken_in_whatever_case_but_only_in_its_organization() {
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
        "true",
        "[]",
        "{}",
    ] {
        let answer = with_weight(&club, "wrong", wrong).await;
        assert_eq!(answer.wrong_fields(), ["weight"], "{wrong}: {}", answer.text);
    }
    // Null is as good as nothing.
    assert_eq!(with_weight(&club, "null", "null").await.gives(201)["data"]["weight"], 1);
}

#[tokio::test]
async fn fields_of_a_wrong_type_and_wrong_values_are_named() {
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
