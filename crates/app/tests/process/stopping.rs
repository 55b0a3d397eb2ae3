use nix::sys::signal::Signal;
use plenum_adapter_mail::testkit::FakeSmtpServer;
use serde_json::json;

use crate::support::{Hall, ROOT_EMAIL, Serving, folder, is_alive, postgres_of, until};

#[tokio::test]
async fn a_signal_stops_everything_in_order_also_with_a_stream_open() {
    let folder = folder();
    let mut hall = None;
    for signal in [Signal::SIGTERM, Signal::SIGINT] {
        let mut serving = Serving::start(folder.path()).await;
        if hall.is_none() {
            hall = Some(Hall::new(&serving, 1).await);
        }
        let hall = hall.as_ref().unwrap();
        let path = format!("/sse/meetings/{}/stream", hall.meeting);
        let mut stream = serving.send("GET", &path, &hall.token_of(0), serde_json::Value::Null).await;
        assert_eq!(stream.status(), 200);
        let postgres = postgres_of(folder.path()).unwrap();
        assert!(is_alive(postgres));

        serving.signal(signal);
        let mut frames = Vec::new();
        // A broken connection here would be one that was not ended in order.
        while let Some(frame) = stream.chunk().await.unwrap() {
            frames.extend_from_slice(&frame);
        }
        assert!(String::from_utf8(frames).unwrap().contains("\"connected\""));
        let status = serving.ended().await;
        assert!(status.success(), "{signal}: {status} {}", serving.complaints());
        assert!(!is_alive(postgres), "{signal}: PostgreSQL is still there");
        assert_eq!(postgres_of(folder.path()), None, "{signal}: PostgreSQL was not stopped in order");
        until("the farewell is printed", || serving.said().ends_with("Stopping …\nStopped.\n")).await;
        let log = serving.complaints();
        assert!(!log.contains("ERROR") && !log.contains("panicked"), "{signal}: {log}");
    }
}

#[tokio::test]
async fn no_token_link_password_or_address_reaches_the_log() {
    let folder = folder();
    let mut command = crate::support::plenum(folder.path(), &["serve"]);
    command.env("PLENUM_LOG", "debug,plenum=trace");
    let mut serving = Serving::start_as(command).await;
    let hall = Hall::new(&serving, 1).await;
    let path = format!("/sse/meetings/{}/state?token={}", hall.meeting, hall.token_of(0));
    serving.get(&path, "").await;
    let link = serving.call("POST", &hall.path("/generate-link"), &hall.admin, json!({})).await;
    let link = link["invitationLink"].as_str().unwrap();
    serving.get(&format!("/meetings/by-link/{link}"), "").await;
    let voters = serving.get("/client/end-users", &hall.admin).await;
    let renewal = format!("/client/end-users/{}/export-credentials", voters["data"][0]["id"].as_str().unwrap());
    let credentials = serving.call("POST", &renewal, &hall.admin, json!({})).await;
    let new_password = credentials["data"]["password"].as_str().unwrap();
    serving.signal(Signal::SIGTERM);
    serving.ended().await;
    let log = serving.complaints();
    assert!(log.contains("/meetings/by-link/"), "there is no log to look into: {log}");
    let refresh_token = hall.voters[0]["refreshToken"].as_str().unwrap();
    let address = "anna@example.org";
    let tokens = [&hall.token_of(0), &hall.admin, refresh_token, link];
    for secret in tokens.into_iter().chain([crate::support::PASSWORD, new_password, address]) {
        let line = log.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "{secret} stands in the log: {line:?}");
    }
}

#[tokio::test]
async fn no_link_for_a_new_password_reaches_the_log() {
    let (folder, mail) = (folder(), FakeSmtpServer::start());
    let mut command = crate::support::plenum(folder.path(), &["serve"]);
    command.env("PLENUM_LOG", "debug,plenum=trace").env("PLENUM_PUBLIC_URL", "https://vote.plenum.example");
    command.env("PLENUM_SMTP_URL", mail.url()).env("PLENUM_MAIL_FROM", "no-reply@plenum.example");
    let mut serving = Serving::start_as(command).await;
    let body = json!({ "email": ROOT_EMAIL });
    serving.call("POST", "/auth/forgotten-password", "", body).await;
    until("the mail is there", || !mail.kept().is_empty()).await;
    let content = mail.kept().remove(0).content.replace("=\r\n", "").replace("=3D", "=");
    let (_, token) = content.split_once("#token=").unwrap();
    let token = token.lines().next().unwrap().trim();
    assert!(token.len() > 40, "{content}");
    serving.call("POST", "/auth/reset-password", "", json!({ "token": token, "newPassword": "battery staple" })).await;
    serving.signal(Signal::SIGTERM);
    serving.ended().await;
    let log = serving.complaints();
    assert!(log.contains("/auth/reset-password"), "there is no log to look into: {log}");
    for secret in [token, "battery staple", ROOT_EMAIL] {
        let line = log.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "{secret} stands in the log: {line:?}");
    }
}
