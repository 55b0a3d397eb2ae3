//! Changes of a person's own password.

use serde_json::{Value, json};

use crate::http::support::{Caller, EventStream, PASSWORD, ROOT_EMAIL, TestApp};

const NEW: &str = "battery staple";

fn change(current: &str, new: &str) -> Value {
    json!({ "currentPassword": current, "newPassword": new })
}

async fn account_signs_in(app: &TestApp, email: &str, password: &str) -> u16 {
    app.anyone().post("/auth/login", json!({ "email": email, "password": password })).await.status
}

async fn voter_signs_in(app: &TestApp, code: &str, password: &str) -> u16 {
    let body = json!({ "clientCode": code, "username": "ben", "password": password });
    app.anyone().post("/auth/end-user/login", body).await.status
}

#[tokio::test]
async fn people_of_every_role_change_their_passwords() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await.caller;
    for caller in [&ben, &club.admin, &app.super_admin().await] {
        caller.put("/auth/password", change(PASSWORD, NEW)).await.gives(200);
        caller.get("/auth/me").await.gives(200);
    }
    for (password, status) in [(PASSWORD, 401), (NEW, 200)] {
        assert_eq!(voter_signs_in(&app, &club.code, password).await, status);
        assert_eq!(account_signs_in(&app, "admin@rowing-club.example", password).await, status);
        assert_eq!(account_signs_in(&app, ROOT_EMAIL, password).await, status);
    }
}

#[tokio::test]
async fn a_new_password_ends_every_other_session_at_once() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (here, meeting) = (club.voter("ben").await.caller, club.meeting().await);
    let elsewhere = app.anyone().sign_in_voter(&club.code, "ben").await;
    let mut kept = EventStream::watch(&here, &meeting.id).await;
    let mut ended = EventStream::watch(&elsewhere, &meeting.id).await;
    kept.until("connected").await;
    ended.until("connected").await;
    here.put("/auth/password", change(PASSWORD, NEW)).await.gives(200);
    assert_eq!(ended.until("error").await["code"], "session_ended");
    elsewhere.get("/auth/me").await.refuses(401, "session_ended");
    let refreshed = app.anyone().post("/auth/refresh", json!({ "refreshToken": here.refresh_token })).await.gives(200);
    assert!(refreshed["token"].is_string());
    let question = meeting.ask_yes_no().await;
    meeting.open(&question).await;
    kept.until("question_activated").await;
}

#[tokio::test]
async fn a_wrong_current_password_or_an_invalid_new_one_changes_nothing() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await.caller;
    let error = ben.put("/auth/password", change("another horse", NEW)).await.refuses(403, "wrong_password");
    assert_eq!(error["error"], "The current password is wrong");
    assert_eq!(ben.put("/auth/password", change(PASSWORD, "short")).await.wrong_fields(), ["newPassword"]);
    assert_eq!(ben.put("/auth/password", change(PASSWORD, &"a".repeat(73))).await.wrong_fields(), ["newPassword"]);
    assert_eq!(ben.put("/auth/password", change("", NEW)).await.wrong_fields(), ["currentPassword"]);
    assert_eq!(voter_signs_in(&app, &club.code, PASSWORD).await, 200);
}

/// Sends wrong current passwords until the rate limit refuses them.
async fn guess_until_refused(caller: &Caller) -> u32 {
    for attempts in 0..100 {
        let answer = caller.put("/auth/password", change("another horse", NEW)).await;
        if answer.status == 429 {
            answer.refuses(429, "too_many_tries");
            assert!(answer.header("retry-after").is_some());
            return attempts;
        }
        answer.refuses(403, "wrong_password");
    }
    panic!("no attempt was limited");
}

#[tokio::test]
async fn guesses_of_the_current_password_are_limited_like_sign_ins() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ben, ada) = (club.voter("ben").await.caller, club.voter("ada").await.caller);
    for caller in [&ben, &club.admin] {
        assert_eq!(guess_until_refused(caller).await, 10);
        // Also with the right password. Otherwise the response would reveal it.
        caller.put("/auth/password", change(PASSWORD, NEW)).await.refuses(429, "too_many_tries");
    }
    // Failures here and at sign-in count together.
    assert_eq!(voter_signs_in(&app, &club.code, PASSWORD).await, 429);
    assert_eq!(account_signs_in(&app, "admin@rowing-club.example", PASSWORD).await, 429);
    ada.put("/auth/password", change(PASSWORD, NEW)).await.gives(200);
}
