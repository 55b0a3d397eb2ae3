use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::http::support::{Caller, EventStream, NO_ID, Organization, PASSWORD, TestApp};

fn body(name: &str, email: &str) -> Value {
    json!({ "name": name, "firstName": "Anna", "lastName": "Berg", "email": email, "password": PASSWORD })
}

#[tokio::test]
async fn a_new_organization_has_its_administrator_and_a_code_from_its_name() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    let made = root.post("/clients", body("Müller & Söhne", "Anna@Mueller.example")).await.gives(201);
    assert_eq!(made["success"], true);
    let client = &made["data"];
    assert_eq!(client["name"], "Müller & Söhne");
    assert_eq!(client["clientCode"], "mueller");
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
    // The second one has a number of two digits.
    let number = codes[1].strip_prefix("club-").unwrap();
    assert!(number.len() == 2 && number.parse::<u8>().is_ok(), "{codes:?}");
    assert!(!codes[2].is_empty());
}

#[tokio::test]
async fn a_taken_address_or_code_is_409_with_the_field() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    app.client("Rowing Club").await;
    let same_email =
        root.post("/clients", body("Other", "ADMIN@rowing-club.example")).await.refuses(409, "email_taken");
    assert!(same_email["fields"]["email"][0].is_string());
    let of_root = root.post("/clients", body("Other", crate::http::support::ROOT_EMAIL)).await;
    of_root.refuses(409, "email_taken");
    let mut with_code = body("Other", "other@example.org");
    with_code["clientCode"] = json!("ROWING-club");
    let same_code = root.post("/clients", with_code).await.refuses(409, "client_code_taken");
    assert!(same_code["fields"]["clientCode"][0].is_string());
    // Nothing was created.
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

fn path(club: &Organization) -> String {
    format!("/clients/{}", club.id)
}

/// The outcome of a sign-in of the organizer with this password.
async fn sign_in(app: &TestApp, email: &str, password: &str) -> u16 {
    app.anyone().post("/auth/login", json!({ "email": email, "password": password })).await.status
}

async fn refresh(caller: &Caller) -> u16 {
    caller.post("/auth/refresh", json!({ "refreshToken": caller.refresh_token })).await.status
}

#[tokio::test]
async fn a_change_touches_only_what_it_names() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let root = app.super_admin().await;
    let before = root.get(&path(&club)).await.gives(200)["data"].clone();
    for (field, value) in [
        ("name", json!("Rudern & Söhne")),
        ("contactEmail", json!("office@rowing-club.example")),
        ("subscriptionPlan", json!("ENTERPRISE")),
        ("clientCode", json!("rowers")),
    ] {
        let answer = root.put(&path(&club), json!({ field: value })).await.gives(200);
        assert_eq!((&answer["success"], &answer["data"][field]), (&json!(true), &value), "{answer}");
    }
    let contact = json!({ "firstName": " Bea ", "lastName": "Cho" });
    let changed = root.put(&path(&club), contact).await.gives(200)["data"].clone();
    let mut expected = before;
    expected["name"] = json!("Rudern & Söhne");
    expected["contactEmail"] = json!("office@rowing-club.example");
    expected["subscriptionPlan"] = json!("ENTERPRISE");
    expected["clientCode"] = json!("rowers");
    expected["users"][0]["firstName"] = json!("Bea");
    expected["users"][0]["lastName"] = json!("Cho");
    assert_eq!(changed, expected);
    assert_eq!(root.get(&path(&club)).await.gives(200)["data"], expected);

    // Empty, null, unknown and missing fields change nothing.
    for body in [
        json!({}),
        json!({ "firstName": "", "lastName": " ", "password": "", "clientCode": "" }),
        json!({
            "name": null, "contactEmail": null, "status": null, "subscriptionPlan": null, "firstName": null,
            "lastName": null, "password": null, "clientCode": null,
        }),
        json!({ "somethingElse": 1, "users": [] }),
    ] {
        assert_eq!(root.put(&path(&club), body).await.gives(200)["data"], expected);
    }
    // The contact address is not a sign-in.
    assert_eq!(sign_in(&app, "admin@rowing-club.example", PASSWORD).await, 200);
    assert_eq!(sign_in(&app, "office@rowing-club.example", PASSWORD).await, 401);
    assert_eq!(club.admin.get("/auth/me").await.gives(200)["user"]["name"], "Bea Cho");
}

#[tokio::test]
async fn an_invalid_change_is_named_and_changes_nothing() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let root = app.super_admin().await;
    let before = root.get(&path(&club)).await.gives(200);
    for (field, value) in [
        ("name", json!("")),
        ("name", json!(" ")),
        ("name", json!("a\0b")),
        ("name", json!("n".repeat(201))),
        ("name", json!(["Club"])),
        ("contactEmail", json!("")),
        ("contactEmail", json!("nobody")),
        ("contactEmail", json!(7)),
        ("status", json!("ASLEEP")),
        ("status", json!("")),
        ("status", json!(true)),
        ("subscriptionPlan", json!("GOLD")),
        ("clientCode", json!("a b")),
        ("clientCode", json!("c".repeat(33))),
        ("firstName", json!("a\nb")),
        ("firstName", json!("f".repeat(201))),
        ("lastName", json!({})),
        ("password", json!("short")),
        ("password", json!("ü".repeat(37))),
        ("password", json!(12_345_678)),
    ] {
        // Together with a valid change.
        let mut body = json!({ "subscriptionPlan": "PRO", "lastName": "Other" });
        body[field] = value.clone();
        let answer = root.put(&path(&club), body).await;
        assert_eq!(answer.wrong_fields(), [field], "{field} = {value}: {}", answer.text);
    }
    let wrong = json!({ "name": "", "contactEmail": "x", "password": "short" });
    assert_eq!(root.put(&path(&club), wrong).await.wrong_fields(), ["contactEmail", "name", "password"]);
    assert_eq!(root.get(&path(&club)).await.gives(200), before);
}

#[tokio::test]
async fn a_code_of_another_organization_is_409_and_changes_nothing() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let root = app.super_admin().await;
    let before = root.get(&path(&club)).await.gives(200);
    let body = json!({ "clientCode": "SAILING-club", "name": "Sailing Club", "firstName": "Other" });
    let error = root.put(&path(&club), body).await.refuses(409, "client_code_taken");
    assert!(error["fields"]["clientCode"][0].is_string(), "{error}");
    assert_eq!(root.get(&path(&club)).await.gives(200), before);
    // The organization's own code is free, and so is another organization's name.
    let body = json!({ "clientCode": "Rowing-Club", "name": "Sailing Club" });
    assert_eq!(root.put(&path(&club), body).await.gives(200)["data"]["clientCode"], "rowing-club");
    assert_eq!(app.anyone().get(&format!("/public/client/{}", other.code)).await.status, 200);
}

#[tokio::test]
async fn a_former_code_still_leads_to_its_organization_and_to_no_other() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let root = app.super_admin().await;
    club.voter("ben").await;
    root.put(&path(&club), json!({ "clientCode": "rowers" })).await.gives(200);
    for code in ["rowers", "rowing-club", "ROWING-Club"] {
        let found = app.anyone().get(&format!("/public/client/{code}")).await.gives(200);
        let client = &found["client"];
        assert_eq!((&client["name"], &client["clientCode"]), (&json!("Rowing Club"), &json!("rowers")), "{code}");
        let login = json!({ "clientCode": code, "clientId": club.id, "username": "ben", "password": PASSWORD });
        let signed_in = app.anyone().post("/auth/end-user/login", login).await.gives(200);
        assert_eq!(signed_in["user"]["clientCode"], "rowers", "{code}");
    }
    app.anyone().sign_in_voter("rowing-club", "ben").await;

    let stolen = json!({ "clientCode": "Rowing-Club" });
    root.put(&path(&other), stolen).await.refuses(409, "client_code_taken");
    let mut late = body("Late", "late@example.org");
    late["clientCode"] = json!("rowing-club");
    root.post("/clients", late.clone()).await.refuses(409, "client_code_taken");
    // The same name gets another code.
    let again = root.post("/clients", body("Rowing Club", "again@example.org")).await.gives(201);
    assert!(again["data"]["clientCode"].as_str().unwrap().starts_with("rowing-club-"), "{again}");
    // Only its owner can take it again, or nobody has it any more.
    root.put(&path(&club), json!({ "clientCode": "rowing-club" })).await.gives(200);
    let found = app.anyone().get("/public/client/rowers").await.gives(200);
    assert_eq!(found["client"]["clientCode"], "rowing-club");
    root.delete(&path(&club)).await.gives(200);
    app.anyone().get("/public/client/rowers").await.gives(404);
    root.post("/clients", late).await.gives(201);
}

#[tokio::test]
async fn a_code_is_suggested_and_checked_before_it_is_chosen() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let root = app.super_admin().await;
    root.put(&path(&club), json!({ "clientCode": "rowers" })).await.gives(200);
    let check = async |query: &str| root.get(&format!("/clients/code-check{query}")).await.gives(200)["data"].clone();
    let nothing = json!({ "suggestion": null, "code": null, "isFree": null, "problem": null, "message": null });
    assert_eq!(check("").await, nothing);
    assert_eq!(check("?name=%20&code=%20").await, nothing);
    let suggested = check("?name=Wohnungsbaugenossenschaft%20M%C3%BCnchen%20eG").await;
    assert_eq!(suggested["suggestion"], "muenchen");
    let taken = check("?name=Rowers%20e.V.&code=ROWERS").await;
    assert!(taken["suggestion"].as_str().unwrap().starts_with("rowers-"), "{taken}");
    for (query, outcome) in [
        ("code=%20My-Club", json!(["my-club", true, null])),
        ("code=ROWERS", json!(["rowers", false, "taken"])),
        ("code=rowing-club", json!(["rowing-club", false, "former"])),
        ("code=a%20b", json!([null, false, "invalid"])),
        (&format!("code=rowers&clientId={}", club.id), json!(["rowers", true, null])),
        (&format!("code=rowing-club&clientId={}", club.id), json!(["rowing-club", true, null])),
        (&format!("code=rowers&clientId={NO_ID}"), json!(["rowers", false, "taken"])),
    ] {
        let found = check(&format!("?{query}")).await;
        assert_eq!(json!([found["code"], found["isFree"], found["problem"]]), outcome, "{query}");
        assert_eq!(found["message"].is_null(), found["problem"].is_null(), "{query}");
    }
    assert_eq!(root.get("/clients/code-check?clientId=x").await.wrong_fields(), ["clientId"]);
    // A suggestion is what a new organization gets.
    let made = root.post("/clients", body("Rowers e.V.", "rowers@example.org")).await.gives(201);
    assert_eq!(made["data"]["clientCode"], taken["suggestion"]);
}

#[tokio::test]
async fn a_new_password_is_that_of_the_contact_and_ends_their_sessions() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let mut organizer = EventStream::watch(&club.admin, &meeting.id).await;
    let mut voter = EventStream::watch(&ben.caller, &meeting.id).await;
    organizer.until("connected").await;
    let root = app.super_admin().await;
    root.put(&path(&club), json!({ "password": "another horse" })).await.gives(200);

    assert_eq!(organizer.until("error").await["code"], "session_ended");
    assert!(organizer.next().await.is_none());
    club.admin.get("/auth/me").await.refuses(401, "session_ended");
    assert_eq!(refresh(&club.admin).await, 401);
    assert_eq!(sign_in(&app, "admin@rowing-club.example", PASSWORD).await, 401);
    assert_eq!(sign_in(&app, "admin@rowing-club.example", "another horse").await, 200);
    // Others are not signed out.
    ben.caller.get("/auth/me").await.gives(200);
    other.admin.get("/auth/me").await.gives(200);
    root.get("/auth/me").await.gives(200);
    voter.until("connected").await;
    ben.vote(&meeting, NO_ID, &["Yes"]).await.refuses(404, "question_not_found");
}

#[tokio::test]
async fn people_of_an_inactive_organization_can_neither_act_nor_sign_in() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let ben = club.voter("ben").await;
    let root = app.super_admin().await;
    for status in ["INACTIVE", "SUSPENDED"] {
        let meeting = club.meeting_with(json!({ "status": "ACTIVE" })).await;
        let anyone = app.anyone();
        let people = [anyone.sign_in("admin@rowing-club.example").await, anyone.sign_in_voter(&club.code, "ben").await];
        let mut streams = Vec::new();
        for person in &people {
            let mut stream = EventStream::watch(person, &meeting.id).await;
            stream.until("connected").await;
            streams.push(stream);
        }
        let changed = root.put(&path(&club), json!({ "status": status })).await.gives(200);
        assert_eq!(changed["data"]["status"], status);
        for stream in &mut streams {
            assert_eq!(stream.until("error").await["code"], "session_ended", "{status}");
            assert!(stream.next().await.is_none());
        }
        for person in [&club.admin, &ben.caller].into_iter().chain(&people) {
            person.get("/auth/me").await.refuses(401, "session_ended");
            assert_eq!(refresh(person).await, 401, "{status}");
        }
        assert_eq!(sign_in(&app, "admin@rowing-club.example", PASSWORD).await, 401);
        let body = json!({ "clientCode": club.code, "username": "ben", "password": PASSWORD });
        app.anyone().post("/auth/end-user/login", body).await.refuses(401, "invalid_credentials");
        app.anyone().get(&format!("/public/client/{}", club.code)).await.gives(404);
        let stats = root.get("/clients/stats").await.gives(200);
        assert_eq!(stats["data"], json!({ "total": 2, "active": 1, "inactive": 1 }));
        other.admin.get("/auth/me").await.gives(200);

        root.put(&path(&club), json!({ "status": "ACTIVE" })).await.gives(200);
        assert_eq!(sign_in(&app, "admin@rowing-club.example", PASSWORD).await, 200);
        app.anyone().sign_in_voter(&club.code, "ben").await;
        app.anyone().get(&format!("/public/client/{}", club.code)).await.gives(200);
        // The sessions were only blocked, not ended.
        for person in [&club.admin, &people[1]] {
            person.get("/auth/me").await.gives(200);
        }
        assert_eq!(refresh(&people[0]).await, 200);
    }
}

#[tokio::test]
async fn the_presentation_of_an_organization_that_is_not_active_ends_at_once() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let root = app.super_admin().await;
    let presentation = format!("/public/meetings/{}/presentation", meeting.id);
    for status in ["SUSPENDED", "INACTIVE", "deleted"] {
        let mut screen = EventStream::watch_presentation(&app.anyone(), &meeting.id).await;
        screen.until("connected").await;
        if status == "deleted" {
            root.delete(&path(&club)).await.gives(200);
        } else {
            root.put(&path(&club), json!({ "status": status })).await.gives(200);
        }
        let changed = Instant::now();
        while screen.next().await.is_some() {}
        // Without a notice, the next load would be 15 seconds after the first one.
        assert!(changed.elapsed() < Duration::from_secs(8), "{status}: {:?}", changed.elapsed());
        app.anyone().get(&presentation).await.refuses(404, "meeting_not_found");
        app.anyone().get(&format!("{presentation}/stream")).await.refuses(404, "meeting_not_found");
        if status != "deleted" {
            root.put(&path(&club), json!({ "status": "ACTIVE" })).await.gives(200);
            app.anyone().get(&presentation).await.gives(200);
        }
    }
}

#[tokio::test]
async fn an_organization_is_deleted_with_all_its_data_also_during_voting() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let (ben, stranger) = (club.voter("ben").await, other.voter("ben").await);
    let (meeting, others_meeting) = (club.meeting().await, other.meeting().await);
    let (question, others_question) = (meeting.ask_yes_no().await, others_meeting.ask_yes_no().await);
    meeting.open(&question).await;
    others_meeting.open(&others_question).await;
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    stranger.vote(&others_meeting, &others_question, &["No"]).await.gives(201);
    let link = club.admin.post(&meeting.path("/generate-link"), Value::Null).await.gives(200);
    let mut phone = EventStream::watch(&ben.caller, &meeting.id).await;
    let mut elsewhere = EventStream::watch(&stranger.caller, &others_meeting.id).await;
    phone.until("connected").await;
    elsewhere.until("connected").await;
    let root = app.super_admin().await;
    let before = root.get(&path(&other)).await.gives(200);

    assert_eq!(root.delete(&path(&club)).await.gives(200), json!({ "success": true }));
    assert_eq!(phone.until("error").await["code"], "session_ended");
    for person in [&club.admin, &ben.caller] {
        person.get("/auth/me").await.refuses(401, "session_ended");
        assert_eq!(refresh(person).await, 401);
    }
    ben.vote(&meeting, &question, &["Yes"]).await.refuses(401, "session_ended");
    assert_eq!(sign_in(&app, "admin@rowing-club.example", PASSWORD).await, 401);
    let body = json!({ "clientCode": club.code, "username": "ben", "password": PASSWORD });
    app.anyone().post("/auth/end-user/login", body).await.refuses(401, "invalid_credentials");
    app.anyone().get(&format!("/public/client/{}", club.code)).await.gives(404);
    let by_link = format!("/meetings/by-link/{}", link["invitationLink"].as_str().unwrap());
    app.anyone().get(&by_link).await.refuses(404, "invitation_not_found");
    root.get(&path(&club)).await.refuses(404, "client_not_found");
    root.delete(&path(&club)).await.refuses(404, "client_not_found");
    root.put(&path(&club), json!({ "name": "Again" })).await.refuses(404, "client_not_found");
    assert_eq!(root.get("/clients/stats").await.gives(200)["data"]["total"], 1);

    // The other organization is unchanged.
    assert_eq!(root.get(&path(&other)).await.gives(200), before);
    assert_eq!(stranger.sees(&others_meeting).await["questions"][0]["userVote"], json!(["No"]));
    others_meeting.clear().await;
    elsewhere.until("question_deactivated").await;
    // Name, code and address are free again, without earlier data.
    let again = app.client("Rowing Club").await;
    assert_eq!(again.code, club.code);
    let found = root.get(&path(&again)).await.gives(200);
    assert_eq!(found["data"]["_count"], json!({ "users": 1, "endUsers": 0, "meetings": 0 }));
    assert_eq!(again.admin.get("/client/meetings").await.gives(200), json!([]));
}

#[tokio::test]
async fn an_organization_that_does_not_exist_can_be_neither_changed_nor_deleted() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    for id in [NO_ID, "no-id"] {
        let path = format!("/clients/{id}");
        root.put(&path, json!({ "name": "Club" })).await.refuses(404, "client_not_found");
        root.delete(&path).await.refuses(404, "client_not_found");
    }
}
