//! Reset links for account owners with a forgotten password.

use plenum_adapter_http::{HttpSettings, TrustedProxies};
use plenum_adapter_mail::testkit::{FakeSmtpServer, ServerBehavior, StoredMail};
use serde_json::{Value, json};

use crate::http::support::{Answer, Caller, EventStream, PASSWORD, ROOT_EMAIL, TestApp, mail_by, until};

const NEW: &str = "battery staple";
const PAGE: &str = "https://vote.plenum.example/plenum/reset-password#token=";

async fn app_with_mail(server: &FakeSmtpServer) -> TestApp {
    let http = HttpSettings {
        public_url: Some("https://vote.plenum.example".to_owned()),
        base_path: "/plenum".to_owned(),
        ..HttpSettings::default()
    };
    TestApp::start_as(http, Some(mail_by(server))).await
}

async fn forget(app: &TestApp, email: &str) -> Answer {
    app.anyone().post("/auth/forgotten-password", json!({ "email": email })).await
}

async fn mails_to(server: &FakeSmtpServer, email: &str, number: usize) -> Vec<StoredMail> {
    until("the mail arrives", async || {
        let mails: Vec<StoredMail> = server.kept().into_iter().filter(|mail| mail.to == email).collect();
        (mails.len() >= number).then_some(mails)
    })
    .await
}

/// The token in the link of a mail.
fn token_in(mail: &StoredMail) -> String {
    // Quoted-printable breaks long lines, and writes `=` as `=3D`.
    let text = mail.content.replace("=\r\n", "").replace("=3D", "=");
    let (_, token) = text.split_once(PAGE).unwrap_or_else(|| panic!("no link in {text}"));
    token.lines().next().unwrap().trim().to_owned()
}

async fn reset(app: &TestApp, token: &str) -> Answer {
    app.anyone().post("/auth/reset-password", json!({ "token": token, "newPassword": NEW })).await
}

async fn signs_in(app: &TestApp, email: &str, password: &str) -> u16 {
    app.anyone().post("/auth/login", json!({ "email": email, "password": password })).await.status
}

#[tokio::test]
async fn the_owner_of_an_account_sets_a_new_password_by_a_link_once() {
    let server = FakeSmtpServer::start();
    let app = app_with_mail(&server).await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let mut stream = EventStream::watch(&club.admin, &meeting.id).await;
    stream.until("connected").await;
    for email in ["admin@rowing-club.example", ROOT_EMAIL] {
        assert_eq!(forget(&app, &email.to_uppercase()).await.gives(202), json!({ "success": true }));
        let token = token_in(&mails_to(&server, email, 1).await[0]);
        let done = reset(&app, &token).await.gives(200);
        assert_eq!((&done["success"], done["deviceToken"].is_string()), (&json!(true), true));
        assert_eq!([signs_in(&app, email, PASSWORD).await, signs_in(&app, email, NEW).await], [401, 200]);
        reset(&app, &token).await.refuses(409, "reset_void");
    }
    assert_eq!(stream.until("error").await["code"], "session_ended");
    club.admin.get("/auth/me").await.refuses(401, "session_ended");
    let refresh = json!({ "refreshToken": club.admin.refresh_token });
    app.anyone().post("/auth/refresh", refresh).await.refuses(401, "session_ended");
}

#[tokio::test]
async fn the_audit_log_records_reset_links_and_their_use() {
    let server = FakeSmtpServer::start();
    let app = app_with_mail(&server).await;
    app.client("Rowing Club").await;
    let email = "admin@rowing-club.example";
    forget(&app, "nobody@rowing-club.example").await.gives(202);
    forget(&app, email).await.gives(202);
    let token = token_in(&mails_to(&server, email, 1).await[0]);
    reset(&app, &token).await.gives(200);
    let session = app.anyone().post("/auth/login", json!({ "email": email, "password": NEW })).await.gives(200);
    let admin = app.anyone().with_session(&session);
    let entries = admin.get("/client/audit?limit=4").await.gives(200);
    let entries: Vec<_> = entries["data"].as_array().unwrap().iter().collect();
    let kinds: Vec<_> = entries.iter().map(|entry| entry["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["signed_in", "session_ended", "account_changed", "password_reset_asked"]);
    for entry in &entries[1..] {
        assert_eq!((&entry["by"]["role"], &entry["by"]["address"]), (&json!("NOBODY"), &json!("127.0.0.1")));
    }
    assert_eq!(entries[3]["subject"]["name"], "Anna Berg");
    assert!(!admin.get("/client/audit?limit=200").await.text.contains(&token));
}

#[tokio::test]
async fn a_new_password_invalidates_reset_links() {
    let server = FakeSmtpServer::start();
    let app = app_with_mail(&server).await;
    let club = app.client("Rowing Club").await;
    let email = "admin@rowing-club.example";
    forget(&app, email).await.gives(202);
    forget(&app, email).await.gives(202);
    let mails = mails_to(&server, email, 2).await;
    let tokens: Vec<String> = mails.iter().map(token_in).collect();
    assert_ne!(tokens[0], tokens[1]);
    let body = json!({ "currentPassword": PASSWORD, "newPassword": "remembered" });
    club.admin.put("/auth/password", body).await.gives(200);
    for token in &tokens {
        reset(&app, token).await.refuses(409, "reset_void");
    }
    assert_eq!(signs_in(&app, email, "remembered").await, 200);
}

#[tokio::test]
async fn the_response_does_not_show_whether_an_account_exists() {
    let server = FakeSmtpServer::start();
    let app = app_with_mail(&server).await;
    let root = app.super_admin().await;
    let club = app.client("Rowing Club").await;
    root.put(&format!("/clients/{}", club.id), json!({ "status": "SUSPENDED" })).await.gives(200);
    let answer_to = async |email: &str| {
        let answer = forget(&app, email).await;
        (answer.status, answer.text)
    };
    let of_nobody = answer_to("nobody@plenum.example").await;
    assert_eq!(of_nobody, (202, json!({ "success": true }).to_string()));
    assert_eq!(answer_to("admin@rowing-club.example").await, of_nobody, "the client is suspended");
    assert_eq!(answer_to(ROOT_EMAIL).await, of_nobody);
    mails_to(&server, ROOT_EMAIL, 1).await;
    assert_eq!(server.kept_for(), [ROOT_EMAIL]);
}

#[tokio::test]
async fn a_request_does_not_choose_where_the_link_leads() {
    let server = FakeSmtpServer::start();
    let app = app_with_mail(&server).await;
    let request = app
        .anyone()
        .request("POST", "/auth/forgotten-password")
        .header("host", "evil.example")
        .header("x-forwarded-host", "evil.example")
        .header("origin", "https://evil.example")
        .header("referer", "https://evil.example/")
        .json(&json!({ "email": ROOT_EMAIL, "publicUrl": "https://evil.example" }));
    Answer::read(request.send().await.unwrap()).await.gives(202);
    let mail = mails_to(&server, ROOT_EMAIL, 1).await.remove(0);
    assert!(!mail.content.contains("evil"), "{}", mail.content);
    assert!(mail.content.contains("127.0.0.1"), "address in the mail: {}", mail.content);
    token_in(&mail);
}

#[tokio::test]
async fn reset_mails_are_limited_for_each_account_and_address() {
    let server = FakeSmtpServer::start();
    let app = app_with_mail(&server).await;
    for _ in 0..10 {
        forget(&app, ROOT_EMAIL).await.gives(202);
    }
    for number in 10..20 {
        forget(&app, &format!("nobody-{number}@plenum.example")).await.gives(202);
    }
    let refused = forget(&app, "somebody@plenum.example").await;
    refused.refuses(429, "too_many_tries");
    assert!(refused.header("retry-after").is_some());
    assert_eq!(mails_to(&server, ROOT_EMAIL, 2).await.len(), 2);
}

#[tokio::test]
async fn requests_of_strangers_do_not_use_up_the_limit_of_the_owner() {
    let server = FakeSmtpServer::start();
    let trusted_proxies = TrustedProxies::parse("127.0.0.0/8").unwrap();
    let public_url = Some("https://vote.plenum.example".to_owned());
    let http = HttpSettings { public_url, base_path: "/plenum".to_owned(), trusted_proxies, ..HttpSettings::default() };
    let app = TestApp::start_as(http, Some(mail_by(&server))).await;
    let post = async |path: &str, address: &str, body: Value| {
        let request = app.anyone().request("POST", path).header("x-forwarded-for", address).json(&body);
        Answer::read(request.send().await.unwrap()).await
    };
    let body = json!({ "email": ROOT_EMAIL, "password": PASSWORD });
    let session = post("/auth/login", "192.0.2.1", body).await.gives(200);
    let forget = async |address: &str, tokens: Value| {
        let body = json!({ "email": ROOT_EMAIL, "deviceTokens": tokens });
        post("/auth/forgotten-password", address, body).await.gives(202);
    };
    // One stranger leaves one mail for others. Many strangers use up three.
    for _ in 0..5 {
        forget("198.51.100.1", json!([])).await;
    }
    assert_eq!(mails_to(&server, ROOT_EMAIL, 2).await.len(), 2);
    for number in 2..20 {
        forget(&format!("198.51.100.{number}"), json!(["made up"])).await;
    }
    assert_eq!(mails_to(&server, ROOT_EMAIL, 3).await.len(), 3);
    // The owner, from a known address and on a known device.
    forget("192.0.2.1", Value::Null).await;
    mails_to(&server, ROOT_EMAIL, 4).await;
    forget("203.0.113.1", json!([session["deviceToken"]])).await;
    let mails = mails_to(&server, ROOT_EMAIL, 5).await;

    // Failures elsewhere do not limit an account after a reset by mail.
    let done = reset(&app, &token_in(&mails[4])).await.gives(200);
    for number in 0..60 {
        let body = json!({ "email": ROOT_EMAIL, "password": "a wrong one" });
        post("/auth/login", &format!("198.51.100.{number}"), body).await;
    }
    let mut body = json!({ "email": ROOT_EMAIL, "password": NEW });
    post("/auth/login", "203.0.113.9", body.clone()).await.refuses(429, "too_many_tries");
    body["deviceTokens"] = json!([done["deviceToken"]]);
    post("/auth/login", "203.0.113.9", body).await.gives(200);
}

async fn options(caller: &Caller) -> Value {
    caller.get("/auth/options").await.gives(200)
}

#[tokio::test]
async fn resets_are_offered_only_with_mail_and_a_public_address() {
    let server = FakeSmtpServer::start();
    let http = HttpSettings { public_url: Some("https://vote.plenum.example".to_owned()), ..HttpSettings::default() };
    for (app, is_offered) in [
        (TestApp::start().await, false),
        (TestApp::start_with(http).await, false),
        (TestApp::start_with_mail(&server).await, false),
        (app_with_mail(&server).await, true),
    ] {
        assert_eq!(options(&app.anyone()).await, json!({ "canResetPassword": is_offered }));
        if !is_offered {
            forget(&app, ROOT_EMAIL).await.refuses(409, "mail_not_configured");
        }
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn a_mail_that_fails_at_first_is_sent_again() {
    let server = FakeSmtpServer::start();
    let app = app_with_mail(&server).await;
    server.set_behavior(ServerBehavior::Closed("421 Busy".to_owned()));
    forget(&app, ROOT_EMAIL).await.gives(202);
    until("the first try", async || (server.connections() > 0).then_some(())).await;
    server.set_behavior(ServerBehavior::Normal);
    let token = token_in(&mails_to(&server, ROOT_EMAIL, 1).await[0]);
    reset(&app, &token).await.gives(200);
}

#[tokio::test]
async fn an_invalid_request_names_its_fields() {
    let server = FakeSmtpServer::start();
    let app = app_with_mail(&server).await;
    assert_eq!(forget(&app, "no address").await.wrong_fields(), ["email"]);
    for token in ["made up", "", "\u{0}"] {
        let body = json!({ "token": token, "newPassword": "short" });
        let fields = app.anyone().post("/auth/reset-password", body).await.wrong_fields();
        assert!(fields.contains(&"newPassword".to_owned()), "{token:?}");
    }
    reset(&app, "made up").await.refuses(409, "reset_void");
}
