//! Personal links, with which voters sign in without typing.

use serde_json::{Value, json};

use crate::http::support::{Answer, Organization, PASSWORD, TestApp, TestVoter};

async fn make(club: &Organization, body: Value) -> Answer {
    club.admin.post("/client/join-links", body).await
}

/// The token of a new link of one voter.
async fn token_of(club: &Organization, voter: &TestVoter, fields: Value) -> String {
    let mut body = json!({ "people": "NAMED", "endUserIds": [voter.id] });
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let made = make(club, body).await.gives(200)["data"].clone();
    assert_eq!(made.as_array().unwrap().len(), 1, "{made}");
    made[0]["token"].as_str().unwrap().to_owned()
}

async fn look_up(app: &TestApp, token: &str) -> Answer {
    app.anyone().post("/auth/join/look-up", json!({ "token": token })).await
}

async fn join(app: &TestApp, token: &str) -> Answer {
    app.anyone().post("/auth/join", json!({ "token": token })).await
}

#[tokio::test]
async fn a_link_names_its_owner_signs_in_and_is_noted_without_its_token() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, _ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting().await;
    let token = token_of(&club, &ada, json!({ "meetingId": meeting.id })).await;
    assert!(token.len() >= 22, "at least 128 bits: {token}");

    let found = look_up(&app, &token).await.gives(200);
    assert_eq!((&found["name"], &found["organization"]), (&json!("ada"), &json!("Rowing Club")));
    assert_eq!((&found["clientCode"], &found["meetingId"]), (&json!(club.code), &json!(meeting.id)));
    assert_eq!(found["asks"], "NOTHING");
    let session = join(&app, &token).await.gives(200);
    assert_eq!(session["user"]["username"], "ada");
    let caller = app.anyone().with_session(&session);
    caller.get("/auth/me").await.gives(200);
    assert_eq!(caller.get("/auth/sessions").await.gives(200)["data"].as_array().unwrap().len(), 2);
    join(&app, &token).await.gives(200);

    let listed = club.admin.get(&format!("/client/join-links?endUserId={}", ada.id)).await.gives(200);
    let link = &listed["data"][0];
    assert_eq!((&link["works"], &link["singleUse"], &link["revokedAt"]), (&json!(true), &json!(false), &Value::Null));
    assert!(link["lastUsedAt"].is_string() && link["expiresAt"].is_null(), "{link}");
    let revoke = json!({ "joinLinkId": link["id"] });
    assert_eq!(club.admin.post("/client/join-links/revoke", revoke.clone()).await.gives(200)["revoked"], 1);
    assert_eq!(club.admin.post("/client/join-links/revoke", revoke).await.gives(200)["revoked"], 0);
    look_up(&app, &token).await.refuses(404, "join_link_void");
    let refused = join(&app, &token).await.refuses(404, "join_link_void");
    assert!(refused["error"].as_str().unwrap().contains("ask your organizer for a new link"), "{refused}");
    caller.get("/auth/me").await.gives(200);

    for (kind, number) in [("join_link_made", 1), ("join_link_used", 2), ("join_link_revoked", 1)] {
        let entries = club.admin.get(&format!("/client/audit?kind={kind}")).await.gives(200)["data"].clone();
        assert_eq!(entries.as_array().unwrap().len(), number, "{kind}: {entries}");
        assert_eq!(entries[0]["subject"]["name"], "ada (ada)");
    }
    let log = club.admin.get("/client/audit?limit=200").await.text;
    assert!(!log.contains(&token), "the token stands in the log");
}

#[tokio::test]
async fn a_link_is_void_after_one_use_a_new_link_a_new_password_or_its_meeting() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ada = club.voter("ada").await;
    let once = token_of(&club, &ada, json!({ "singleUse": true })).await;
    // Only a sign-in uses it up.
    look_up(&app, &once).await.gives(200);
    look_up(&app, &once).await.gives(200);
    join(&app, &once).await.gives(200);
    join(&app, &once).await.refuses(404, "join_link_void");
    look_up(&app, &once).await.refuses(404, "join_link_void");

    let first = token_of(&club, &ada, json!({})).await;
    let second = token_of(&club, &ada, json!({})).await;
    look_up(&app, &first).await.refuses(404, "join_link_void");
    let own = json!({ "currentPassword": PASSWORD, "newPassword": "correct horse battery" });
    look_up(&app, &second).await.gives(200);
    ada.caller.put("/auth/password", own).await.gives(200);
    look_up(&app, &second).await.refuses(404, "join_link_void");

    let meeting = club.meeting().await;
    let of_meeting = token_of(&club, &ada, json!({ "meetingId": meeting.id })).await;
    let of_club = token_of(&club, &ada, json!({})).await;
    club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    look_up(&app, &of_meeting).await.refuses(404, "join_link_void");
    let body = json!({ "people": "ALL", "meetingId": meeting.id });
    make(&club, body).await.refuses(409, "meeting_over");
    look_up(&app, &of_club).await.gives(200);
    club.admin.put(&format!("/client/end-users/{}", ada.id), json!({ "isActive": false })).await.gives(200);
    look_up(&app, &of_club).await.refuses(404, "join_link_void");
    join(&app, &of_club).await.refuses(404, "join_link_void");
}

#[tokio::test]
async fn a_link_during_a_vote_needs_a_reason_and_is_in_its_log() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    let body = json!({ "people": "NAMED", "endUserIds": [ada.id] });
    let refused = make(&club, body).await.refuses(409, "password_reason_needed");
    assert_eq!(refused["openVotes"][0]["people"], 1);
    make(&club, json!({ "people": "ALL", "passwordReason": " " })).await.refuses(409, "password_reason_needed");
    assert_eq!(club.admin.get("/client/join-links").await.gives(200)["data"], json!([]), "nothing was made");
    token_of(&club, &ada, json!({ "passwordReason": "Lost the letter" })).await;

    // While voting is ended, nothing is refused. The reopening tells it.
    meeting.clear().await;
    token_of(&club, &ada, json!({})).await;
    assert_eq!(meeting.open(&question).await["roundId"], round);
    meeting.clear().await;
    meeting.count(&round).await.gives(200);
    let log = meeting.result(&round).await.gives(200)["log"].as_array().unwrap().clone();
    let logged = log.iter().filter(|entry| entry["kind"] == "PASSWORD_SET");
    let reasons: Vec<&Value> = logged.map(|entry| &entry["reason"]).collect();
    assert_eq!(reasons, [&json!("Personal link: Lost the letter"), &Value::Null], "{log:?}");
    let audit = club.admin.get("/client/audit?kind=voter_password_set").await.gives(200)["data"].clone();
    assert_eq!(audit[0]["subject"]["name"], "ada (ada)");
}

#[tokio::test]
async fn a_link_can_ask_for_the_password() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ada = club.voter("ada").await;
    let token = token_of(&club, &ada, json!({ "singleUse": true })).await;
    assert_eq!(club.admin.get("/client/join-links/settings").await.gives(200), json!({ "asks": "NOTHING" }));
    club.admin.put("/client/join-links/settings", json!({ "asks": "PASSWORD" })).await.gives(200);
    club.admin.put("/client/join-links/settings", json!({ "asks": "SHOE_SIZE" })).await.wrong_fields();
    assert_eq!(look_up(&app, &token).await.gives(200)["asks"], "PASSWORD");
    join(&app, &token).await.refuses(401, "join_password_required");
    let with = |password: &str| json!({ "token": token, "password": password });
    app.anyone().post("/auth/join", with("wrong password")).await.refuses(401, "invalid_credentials");
    let failed = club.admin.get("/client/audit?kind=sign_in_failed").await.gives(200)["data"].clone();
    assert_eq!(failed.as_array().unwrap().len(), 1);
    app.anyone().post("/auth/join", with(PASSWORD)).await.gives(200);
    app.anyone().post("/auth/join", with(PASSWORD)).await.refuses(404, "join_link_void");
}

#[tokio::test]
async fn links_are_made_for_the_chosen_people_of_the_own_organization() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let other = app.client("Chess Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let stranger = other.voter("cy").await;
    let names = |answer: Answer| {
        let made = answer.gives(200)["data"].as_array().unwrap().clone();
        made.into_iter().map(|link| link["username"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(make(&club, json!({ "people": "ALL" })).await), ["ada", "ben"]);
    let named = json!({ "people": "NAMED", "endUserIds": [stranger.id, ben.id, ben.id] });
    assert_eq!(names(make(&club, named).await), ["ben"]);
    let fresh = json!({ "username": "dan", "name": "dan", "password": PASSWORD });
    club.admin.post("/client/end-users", fresh).await.gives(201);
    assert_eq!(names(make(&club, json!({ "people": "NEVER_SIGNED_IN" })).await), ["dan"]);
    assert_eq!(make(&club, json!({ "people": "NAMED" })).await.wrong_fields(), ["endUserIds"]);
    assert_eq!(make(&club, json!({ "people": "ALL", "endUserIds": [ada.id] })).await.wrong_fields(), ["endUserIds"]);
    let theirs = other.meeting().await;
    make(&club, json!({ "people": "ALL", "meetingId": theirs.id })).await.refuses(404, "meeting_not_found");

    // Only the invited people of a meeting with a list.
    let meeting = club.meeting().await;
    club.admin.post(&meeting.path("/participants"), json!({ "endUserIds": [ada.id] })).await;
    assert_eq!(names(make(&club, json!({ "people": "ALL", "meetingId": meeting.id })).await), ["ada"]);

    let ids = club.admin.get("/client/join-links").await.gives(200)["data"].clone();
    assert_eq!(ids.as_array().unwrap().len(), 4);
    for body in [json!({ "joinLinkId": ids[0]["id"] }), json!({ "meetingId": meeting.id }), json!({ "all": true })] {
        assert_eq!(other.admin.post("/client/join-links/revoke", body).await.gives(200)["revoked"], 0);
    }
    for body in [json!({}), json!({ "all": false }), json!({ "all": true, "meetingId": meeting.id })] {
        assert_eq!(club.admin.post("/client/join-links/revoke", body).await.wrong_fields(), ["all"]);
    }
    assert_eq!(other.admin.get("/client/join-links").await.gives(200)["data"], json!([]));
    let all = club.admin.post("/client/join-links/revoke", json!({ "all": true })).await;
    assert_eq!(all.gives(200)["revoked"], 4);
}

#[tokio::test]
async fn guessed_links_are_limited_by_address() {
    let app = TestApp::start().await;
    app.client("Rowing Club").await;
    for number in 0..120 {
        look_up(&app, &format!("made up {number}")).await.refuses(404, "join_link_void");
    }
    let mut last = join(&app, "made up").await;
    while last.status == 404 {
        last = join(&app, "made up").await;
    }
    last.refuses(429, "too_many_tries");
}
