use serde_json::{Value, json};

use crate::support::{NO_ID, PASSWORD, TestApp};

fn body(name: &str, email: &str) -> Value {
    json!({ "name": name, "firstName": "Anna", "lastName": "Berg", "email": email, "password": PASSWORD })
}

#[tokio::test]
async fn an_organization_is_made_with_its_administrator_and_a_code_from_its_name() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    let made = root.post("/clients", body("Müller & Söhne", "Anna@Mueller.example")).await.gives(201);
    assert_eq!(made["success"], true);
    let client = &made["data"];
    assert_eq!(client["name"], "Müller & Söhne");
    assert_eq!(client["clientCode"], "muller-sohne");
    assert_eq!(client["contactEmail"], "anna@mueller.example");
    assert_eq!((&client["status"], &client["subscriptionPlan"]), (&json!("ACTIVE"), &json!("BASIC")));
    assert_eq!(client["_count"], json!({ "users": 1, "endUsers": 0, "meetings": 0 }));
    let user = &client["users"][0];
    assert_eq!((&user["firstName"], &user["role"]), (&json!("Anna"), &json!("CLIENT")));

    let admin = app.anyone().sign_in("anna@mueller.example").await;
    assert_eq!(admin.get("/auth/me").await.gives(200)["user"]["clientId"], client["id"]);
    let found = root.get(&format!("/clients/{}", client["id"].as_str().unwrap())).await.gives(200);
    assert_eq!(&found["data"], client);
}

#[tokio::test]
async fn the_same_name_again_gets_a_code_of_its_own() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    let mut codes = Vec::new();
    for (name, email) in [("Club", "a@example.org"), ("club!", "b@example.org"), ("!!!", "c@example.org")] {
        let made = root.post("/clients", body(name, email)).await.gives(201);
        codes.push(made["data"]["clientCode"].as_str().unwrap().to_owned());
    }
    assert_eq!(codes[0], "club");
    assert_eq!(codes[1], "club-2");
    assert!(!codes[2].is_empty());
}

#[tokio::test]
async fn an_address_or_a_code_that_is_taken_is_409_with_the_field() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    app.client("Rowing Club").await;
    let same_email =
        root.post("/clients", body("Other", "ADMIN@rowing-club.example")).await.refuses(409, "email_taken");
    assert!(same_email["fields"]["email"][0].is_string());
    let of_root = root.post("/clients", body("Other", crate::support::ROOT_EMAIL)).await;
    of_root.refuses(409, "email_taken");
    let mut with_code = body("Other", "other@example.org");
    with_code["clientCode"] = json!("ROWING-club");
    let same_code = root.post("/clients", with_code).await.refuses(409, "client_code_taken");
    assert!(same_code["fields"]["clientCode"][0].is_string());
    // Nothing was made by halves.
    assert_eq!(root.get("/clients/stats").await.gives(200)["data"]["total"], 1);
    root.post("/clients", body("Other", "other@example.org")).await.gives(201);
}

#[tokio::test]
async fn every_wrong_field_is_named_at_once() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    let wrong = json!({
        "name": " ", "firstName": "", "lastName": "a\nb", "email": "nobody", "password": "short", "clientCode": "a b",
    });
    let fields = root.post("/clients", wrong).await.wrong_fields();
    assert_eq!(fields, ["clientCode", "email", "firstName", "lastName", "name", "password"]);
    let mut long = body("Club", "a@example.org");
    long["password"] = json!("ü".repeat(37));
    let error = root.post("/clients", long).await.gives(422);
    assert!(error["error"].as_str().unwrap().contains("72"), "{error}");
    let mut plan = body("Club", "a@example.org");
    plan["subscriptionPlan"] = json!("GOLD");
    assert_eq!(root.post("/clients", plan).await.wrong_fields(), ["subscriptionPlan"]);
}

#[tokio::test]
async fn organizations_are_searched_sorted_and_paged() {
    let app = TestApp::start().await;
    for name in ["Alpha 50%", "Beta", "Gamma_x"] {
        app.client(name).await;
    }
    let root = app.super_admin().await;
    let names = async |query: &str| -> Vec<String> {
        let answer = root.get(&format!("/clients?{query}")).await.gives(200);
        assert_eq!(answer["success"], true);
        answer["data"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("sort=name").await, ["Alpha 50%", "Beta", "Gamma_x"]);
    assert_eq!(names("sort=-name&status=ACTIVE").await, ["Gamma_x", "Beta", "Alpha 50%"]);
    assert_eq!(names("search=BET").await, ["Beta"]);
    assert_eq!(names("search=%25").await, ["Alpha 50%"]);
    assert_eq!(names("search=_").await, ["Gamma_x"]);
    assert_eq!(names("status=SUSPENDED").await, Vec::<String>::new());
    let page = root.get("/clients?sort=name&page=2&pageSize=2").await.gives(200);
    assert_eq!(page["meta"], json!({ "page": 2, "pageSize": 2, "total": 3 }));
    assert_eq!(page["data"].as_array().unwrap().len(), 1);
    assert_eq!(page["data"][0]["name"], "Gamma_x");
    let stats = root.get("/clients/stats").await.gives(200);
    assert_eq!(stats, json!({ "success": true, "data": { "total": 3, "active": 3, "inactive": 0 } }));
}

#[tokio::test]
async fn an_organization_that_does_not_exist_is_404_as_is_a_malformed_id() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    for id in [NO_ID, "no-id", "1"] {
        root.get(&format!("/clients/{id}")).await.refuses(404, "client_not_found");
    }
}
