use diesel::connection::SimpleConnection as _;
use serde_json::{Value, json};

use crate::http::support::{Answer, Caller, EventStream, PASSWORD, ROOT_EMAIL, TestApp};

/// Accounts and end users.
async fn signed_in(root: &Caller) -> (u64, u64) {
    let data = root.get("/sessions/stats").await.gives(200)["data"].clone();
    let number = |name: &str| data[name].as_u64().unwrap();
    assert_eq!(number("total"), number("accounts") + number("endUsers"));
    (number("accounts"), number("endUsers"))
}

#[tokio::test]
async fn signed_in_people_are_counted_until_they_sign_out_or_are_deactivated() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    assert_eq!(signed_in(&root).await, (1, 0));
    // The creation of the client includes a sign-in.
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    assert_eq!(signed_in(&root).await, (5, 0));
    let ben = club.voter("ben").await;
    let again = app.anyone().sign_in_voter(&club.code, "ben").await;
    club.voter("ada").await;
    other.voter("ben").await;
    assert_eq!(signed_in(&root).await, (5, 4));

    again.post("/auth/logout", Value::Null).await.gives(200);
    assert_eq!(signed_in(&root).await, (5, 3));
    club.admin.put(&format!("/client/end-users/{}", ben.id), json!({ "isActive": false })).await.gives(200);
    assert_eq!(signed_in(&root).await, (5, 2));
    root.put(&format!("/clients/{}", other.id), json!({ "status": "INACTIVE" })).await.gives(200);
    assert_eq!(signed_in(&root).await, (4, 1));
    root.put(&format!("/clients/{}", other.id), json!({ "status": "ACTIVE" })).await.gives(200);
    assert_eq!(signed_in(&root).await, (5, 2));
    root.delete(&format!("/clients/{}", other.id)).await.gives(200);
    assert_eq!(signed_in(&root).await, (4, 1));
}

/// The session of the caller, and the others.
async fn own_sessions(caller: &Caller) -> (Value, Vec<Value>) {
    let listed = caller.get("/auth/sessions").await.gives(200)["data"].clone();
    let (mut current, others): (Vec<Value>, Vec<Value>) =
        listed.as_array().unwrap().iter().cloned().partition(|session| session["isCurrent"] == true);
    assert_eq!(current.len(), 1, "{listed}");
    (current.remove(0), others)
}

fn path_of(session: &Value) -> String {
    format!("/auth/sessions/{}", session["id"].as_str().unwrap())
}

/// Signs in with this browser from this address.
async fn sign_in_by(app: &TestApp, browser: &str, body: &Value) -> Caller {
    let path = if body["email"].is_string() { "/auth/login" } else { "/auth/end-user/login" };
    let request = app.anyone().request("POST", path).header("user-agent", browser).json(body);
    let session = Answer::read(request.send().await.unwrap()).await.gives(200);
    app.anyone().with_session(&session)
}

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

#[tokio::test]
async fn people_see_their_sessions_with_address_and_device() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    club.voter("ben").await;
    let voter = json!({ "clientCode": club.code, "username": "ben", "password": PASSWORD, "rememberMe": true });
    let admin = json!({ "email": "admin@rowing-club.example", "password": PASSWORD, "rememberMe": true });
    let root = json!({ "email": ROOT_EMAIL, "password": PASSWORD, "rememberMe": true });
    for body in [voter, admin, root] {
        let caller = sign_in_by(&app, FIREFOX, &body).await;
        let (current, others) = own_sessions(&caller).await;
        assert_eq!(current["device"], "Firefox on Linux");
        assert_eq!(current["address"], "127.0.0.1");
        assert_eq!(current["rememberMe"], true);
        assert_eq!(current["startedAt"], current["lastUsedAt"]);
        assert!(!others.is_empty(), "those that were there before");
        assert!(others.iter().all(|session| session["device"] == Value::Null && session["rememberMe"] == false));
        let text = caller.get("/auth/sessions").await.text;
        assert!(!text.contains(caller.token()) && !text.contains(&caller.refresh_token), "{text}");
    }
}

#[tokio::test]
async fn a_session_ended_from_another_device_ends_at_once_with_its_streams() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (here, meeting) = (club.voter("ben").await.caller, club.meeting().await);
    let elsewhere = app.anyone().sign_in_voter(&club.code, "ben").await;
    let mut stream = EventStream::watch(&elsewhere, &meeting.id).await;
    stream.until("connected").await;
    let (_, others) = own_sessions(&here).await;
    assert_eq!(others.len(), 1);

    let ada = club.voter("ada").await.caller;
    for other in [&ada, &club.admin] {
        other.delete(&path_of(&others[0])).await.refuses(404, "session_not_found");
    }
    elsewhere.get("/auth/me").await.gives(200);
    here.delete(&path_of(&others[0])).await.gives(200);
    assert_eq!(stream.until("error").await["code"], "session_ended");
    elsewhere.get("/auth/me").await.refuses(401, "session_ended");
    let refresh = json!({ "refreshToken": elsewhere.refresh_token });
    app.anyone().post("/auth/refresh", refresh).await.refuses(401, "session_ended");
    here.delete(&path_of(&others[0])).await.refuses(404, "session_not_found");
    assert!(own_sessions(&here).await.1.is_empty());
}

#[tokio::test]
async fn a_stolen_refresh_token_ends_its_session_at_once_with_its_streams() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ben, meeting) = (club.voter("ben").await.caller, club.meeting().await);
    let elsewhere = app.anyone().sign_in_voter(&club.code, "ben").await;
    let mut stream = EventStream::watch(&ben, &meeting.id).await;
    stream.until("connected").await;
    let refresh = json!({ "refreshToken": ben.refresh_token });
    app.anyone().post("/auth/refresh", refresh.clone()).await.gives(200);
    let a_minute_ago = "UPDATE refresh_tokens SET used_at = used_at - interval '1 minute'";
    app.database.connection().batch_execute(a_minute_ago).unwrap();
    for caller in [&ben, &elsewhere] {
        caller.get("/auth/me").await.gives(200);
    }

    app.anyone().post("/auth/refresh", refresh).await.refuses(401, "session_ended");
    ben.get("/auth/me").await.refuses(401, "session_ended");
    assert_eq!(stream.until("error").await["code"], "session_ended");
    elsewhere.get("/auth/me").await.gives(200);
}

#[tokio::test]
async fn signing_out_everywhere_ends_every_other_session_or_every_one_at_once() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let ada = club.voter("ada").await.caller;
    club.voter("ben").await;
    let sign_in = async |who: &str| match who {
        "ben" => app.anyone().sign_in_voter(&club.code, "ben").await,
        email => app.anyone().sign_in(email).await,
    };
    for who in ["ben", "admin@rowing-club.example"] {
        let (here, elsewhere) = (sign_in(who).await, sign_in(who).await);
        let mut kept = EventStream::watch(&here, &meeting.id).await;
        let mut ended = EventStream::watch(&elsewhere, &meeting.id).await;
        kept.until("connected").await;
        ended.until("connected").await;
        let body = json!({ "keepThis": true });
        let signed_out = here.post("/auth/sessions/sign-out-everywhere", body).await.gives(200);
        assert!(signed_out["ended"].as_u64().unwrap() >= 2, "{signed_out}");
        assert_eq!(ended.until("error").await["code"], "session_ended");
        elsewhere.get("/auth/me").await.refuses(401, "session_ended");
        assert!(own_sessions(&here).await.1.is_empty());

        let signed_out = here.post("/auth/sessions/sign-out-everywhere", json!({})).await.gives(200);
        assert_eq!(signed_out["ended"], 1);
        assert_eq!(kept.until("error").await["code"], "session_ended");
        here.get("/auth/me").await.refuses(401, "session_ended");
    }
    ada.get("/auth/me").await.gives(200);
    let root = app.super_admin().await;
    let elsewhere = app.super_admin().await;
    root.post("/auth/sessions/sign-out-everywhere", json!({ "keepThis": true })).await.gives(200);
    elsewhere.get("/auth/me").await.refuses(401, "session_ended");
    root.get("/auth/me").await.gives(200);
}
