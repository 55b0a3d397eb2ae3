use serde_json::{Value, json};

use crate::http::support::{Caller, PASSWORD, TestApp};

async fn reports(root: &Caller, query: &str) -> Vec<Value> {
    let answer = root.get(&format!("/reports/clients{query}")).await.gives(200);
    assert_eq!(answer["success"], true);
    answer["data"].as_array().unwrap().clone()
}

#[tokio::test]
async fn each_organization_is_reported_with_its_own_data() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let voters = [club.voter_of_weight("ada", "0.1").await, club.voter_of_weight("ben", "0.2").await];
    let gone = club.voter_of_weight("cy", "33.3333").await;
    club.admin.put(&format!("/client/end-users/{}", gone.id), json!({ "isActive": false })).await.gives(200);
    let meeting = club.meeting().await;
    let [first, second, ..] = meeting.with_questions().await;
    for (question, answer) in [(&first, "Yes"), (&second, "A")] {
        meeting.open(question).await;
        for voter in &voters {
            voter.vote(&meeting, question, &[answer]).await.gives(201);
        }
    }
    club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    club.meeting().await;
    club.meeting_with(json!({ "status": "DRAFT" })).await;
    other.voter("ben").await;
    let root = app.super_admin().await;
    let answer = root.get("/reports/clients?sort=name").await;
    let found = answer.gives(200)["data"].clone();
    let newest = club.admin.get("/client/activity?limit=1").await.gives(200)["data"][0]["at"].clone();
    let expected = json!({
        "id": club.id, "name": "Rowing Club", "clientCode": "rowing-club", "status": "ACTIVE", "plan": "BASIC",
        "endUsers": { "total": 3, "active": 2 }, "totalWeight": 0.3,
        "meetings": { "total": 3, "active": 1, "completed": 1 }, "questions": 5, "rounds": 2, "votesCast": 4,
        "lastActivityAt": newest,
    });
    assert_eq!(found[0], expected);
    // 0.1 + 0.2 is exactly 0.3.
    assert!(answer.text.contains(r#""totalWeight":0.3,"#), "{}", answer.text);
    assert_eq!(found[1]["endUsers"], json!({ "total": 1, "active": 1 }));
    for name in ["questions", "rounds", "votesCast"] {
        assert_eq!(found[1][name], 0, "{name}");
    }
    assert_eq!(found.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn reports_are_searched_filtered_sorted_and_paged_like_the_list_of_clients() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    for (name, email) in [("Ant", "a@example.org"), ("Bee", "b@example.org"), ("Cat", "c@example.org")] {
        let body = json!({
            "name": name, "firstName": "A", "lastName": "B", "email": email, "password": PASSWORD,
            "subscriptionPlan": "PRO",
        });
        root.post("/clients", body).await.gives(201);
    }
    let bee = root.get("/clients?search=bee").await.gives(200)["data"][0]["id"].clone();
    root.put(&format!("/clients/{}", bee.as_str().unwrap()), json!({ "status": "SUSPENDED" })).await.gives(200);
    for query in
        ["", "?search=B%40example", "?search=%25", "?status=ACTIVE", "?sort=-name", "?sort=name&page=2&pageSize=2"]
    {
        let clients = root.get(&format!("/clients{query}")).await.gives(200);
        let reports = root.get(&format!("/reports/clients{query}")).await.gives(200);
        assert_eq!(reports.get("meta"), clients.get("meta"), "{query}");
        let ids = |answer: &Value| -> Vec<Value> {
            answer["data"].as_array().unwrap().iter().map(|row| row["id"].clone()).collect()
        };
        assert_eq!(ids(&reports), ids(&clients), "{query}");
    }
    let report = &reports(&root, "?search=bee").await[0];
    assert_eq!((&report["status"], &report["plan"]), (&json!("SUSPENDED"), &json!("PRO")));
    assert_eq!(report["lastActivityAt"], Value::Null, "nobody has signed in yet");
    let wrong = root.get("/reports/clients?status=GONE&sort=size&page=0").await.wrong_fields();
    assert_eq!(wrong, ["page", "sort", "status"]);
}

#[tokio::test]
async fn the_reports_are_exported_without_formulas_in_names() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    for (name, email) in [("=1+1, \"Ltd\"", "a@example.org"), ("Bee", "b@example.org")] {
        let body = json!({
            "name": name, "firstName": "A", "lastName": "B", "email": email, "password": PASSWORD,
            "clientCode": &email[..1].repeat(3), "subscriptionPlan": "PRO",
        });
        root.post("/clients", body).await.gives(201);
    }
    let admin = app.anyone().sign_in("b@example.org").await;
    for (username, weight) in [("ada", 0.25), ("ben", 1.5)] {
        let body = json!({ "username": username, "name": username, "weight": weight, "password": PASSWORD });
        admin.post("/client/end-users", body).await.gives(201);
    }
    let at = admin.get("/client/activity?limit=1").await.gives(200)["data"][0]["at"].as_str().unwrap()[..19].to_owned();
    let answer = root.get("/reports/clients/export?sort=name").await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
    let name = answer.header("content-disposition").unwrap();
    assert!(name.starts_with("attachment; filename=\"client-reports-20") && name.ends_with(".csv\""), "{name}");
    let lines: Vec<_> = answer.text.trim_start_matches('\u{feff}').split("\r\n").collect();
    assert_eq!(
        lines,
        [
            "Name,Client Code,Status,Plan,End Users,Active End Users,Total Weight,Meetings,Active Meetings,\
             Completed Meetings,Questions,Rounds,Votes Cast,Last Activity",
            r#""'=1+1, ""Ltd""",aaa,Active,Pro,0,0,0,0,0,0,0,0,0,"#,
            &format!("Bee,bbb,Active,Pro,2,2,1.75,0,0,0,0,0,0,{at}Z"),
            "",
        ]
    );
    let found = root.get("/reports/clients/export?search=aaa").await.text;
    assert_eq!(found.lines().count(), 2, "{found}");
    assert_eq!(root.get("/reports/clients/export?status=GONE&sort=size").await.wrong_fields(), ["sort", "status"]);
}
