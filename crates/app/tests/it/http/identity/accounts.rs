use serde_json::{Value, json};

use crate::http::support::{Caller, PASSWORD, ROOT_EMAIL, TestApp};

async fn emails(root: &Caller, query: &str) -> Vec<String> {
    let found = root.get(&format!("/accounts{query}")).await.gives(200);
    assert_eq!(found["success"], true);
    found["data"].as_array().unwrap().iter().map(|account| account["email"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_list_contains_every_portal_account_and_no_voter() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    club.voter("ben").await;
    let root = app.super_admin().await;
    let silent = json!({
        "name": "Sailing Club", "firstName": "Cy", "lastName": "Lee", "email": "cy@example.org", "password": PASSWORD,
    });
    let silent = root.post("/clients", silent).await.gives(201)["data"].clone();
    root.put(&format!("/clients/{}", silent["id"].as_str().unwrap()), json!({ "status": "SUSPENDED" }))
        .await
        .gives(200);

    let answer = root.get("/accounts").await.gives(200);
    assert!(answer.get("meta").is_none());
    let accounts = answer["data"].as_array().unwrap();
    assert_eq!(accounts.len(), 3);
    let expected = json!({
        "id": silent["users"][0]["id"], "role": "CLIENT", "email": "cy@example.org", "firstName": "Cy",
        "lastName": "Lee", "lastLoginAt": null, "createdAt": silent["createdAt"],
        "client": {
            "id": silent["id"], "name": "Sailing Club", "clientCode": "sailing-club", "status": "SUSPENDED",
        },
    });
    assert_eq!(accounts[0], expected);
    assert_eq!(accounts[1]["client"]["id"], club.id);
    assert!(accounts[1]["lastLoginAt"].is_string());
    assert_eq!((&accounts[2]["role"], &accounts[2]["client"]), (&json!("SUPER_ADMIN"), &Value::Null));
    assert_eq!(accounts[2]["email"], ROOT_EMAIL);
    assert!(!answer.to_string().contains("assword"), "{answer}");
}

#[tokio::test]
async fn accounts_are_searched_sorted_and_paged() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    for (name, first, last, email) in
        [("Rowing Club", "anna", "Berg", "a@example.org"), ("Sailing Club", "Cy", "Lee", "c@example.org")]
    {
        let body = json!({
            "name": name, "firstName": first, "lastName": last, "email": email, "password": PASSWORD,
        });
        root.post("/clients", body).await.gives(201);
    }
    assert_eq!(emails(&root, "").await, ["c@example.org", "a@example.org", ROOT_EMAIL]);
    for (query, expected) in [
        ("?search=ANNA%20b", ["a@example.org"].as_slice()),
        ("?search=sailing", &["c@example.org"]),
        ("?search=C%40EXAMPLE", &["c@example.org"]),
        ("?search=%25", &[]),
        ("?search=club&sort=name", &["a@example.org", "c@example.org"]),
        ("?search=club&sort=-name", &["c@example.org", "a@example.org"]),
        ("?page=2&pageSize=1", &["a@example.org"]),
    ] {
        assert_eq!(emails(&root, query).await, expected, "{query}");
    }
    let page = root.get("/accounts?search=club&page=1&pageSize=1").await.gives(200);
    assert_eq!(page["meta"], json!({ "page": 1, "pageSize": 1, "total": 2 }));
    let wrong = root.get("/accounts?sort=email&page=1&pageSize=201").await.wrong_fields();
    assert_eq!(wrong, ["pageSize", "sort"]);
}
