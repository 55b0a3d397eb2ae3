use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

use nix::sys::signal::Signal;
use plenum_adapter_mail::testkit::FakeSmtpServer;
use plenum_adapter_security::{FactorCipher, SystemClock};
use plenum_clients::{SecondFactorCipher as _, TotpSecret, TotpStep};
use plenum_kernel::Clock as _;
use serde_json::json;

use crate::process::support::{
    Hall, PASSWORD, ROOT_EMAIL, Serving, TIME_LIMIT, folder, is_alive, plenum, postgres_of, until,
};

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
        // An orderly stop breaks no connection.
        while let Some(frame) = stream.chunk().await.unwrap() {
            frames.extend_from_slice(&frame);
        }
        let frames = String::from_utf8(frames).unwrap();
        assert!(frames.contains("\"connected\""));
        let last = frames.trim_end().rsplit("\n\n").find(|frame| frame.starts_with("data: ")).unwrap();
        let last: serde_json::Value = serde_json::from_str(last.trim_start_matches("data: ")).unwrap();
        assert_eq!(last["type"], "server_stopping", "{frames}");
        assert!((500..3_000).contains(&last["data"]["retryAfterMs"].as_u64().unwrap()));
        let status = serving.ended().await;
        assert!(status.success(), "{signal}: {status} {}", serving.log());
        assert!(!is_alive(postgres), "{signal}: PostgreSQL is still there");
        assert_eq!(postgres_of(folder.path()), None, "{signal}: PostgreSQL was not stopped in order");
        until("the end is printed", || serving.printed().ends_with("Stopping …\nStopped.\n")).await;
        let log = serving.log();
        assert!(!log.contains("ERROR") && !log.contains("panicked"), "{signal}: {log}");
    }
}

#[tokio::test]
async fn a_running_request_gets_its_response_before_the_stop() {
    let folder = folder();
    let mut serving = Serving::start(folder.path()).await;
    let hall = Hall::new(&serving, 1).await;
    let body = json!({ "answers": ["Yes"] }).to_string();
    let mut slow = TcpStream::connect(serving.origin().trim_start_matches("http://")).unwrap();
    slow.set_read_timeout(Some(TIME_LIMIT)).unwrap();
    write!(
        slow,
        "POST /api{} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        hall.vote_path(),
        hall.token_of(0),
        body.len()
    )
    .unwrap();
    let mut answer = BufReader::new(slow.try_clone().unwrap());
    let mut line = String::new();
    answer.read_line(&mut line).unwrap();
    assert!(line.starts_with("HTTP/1.1 100"), "{line}");

    let postgres = postgres_of(folder.path()).unwrap();
    serving.signal(Signal::SIGTERM);
    until("it begins to stop", || serving.printed().contains("Stopping …")).await;
    until("the port is closed", || TcpStream::connect(serving.origin().trim_start_matches("http://")).is_err()).await;
    assert!(is_alive(postgres));
    slow.write_all(body.as_bytes()).unwrap();
    let mut rest = String::new();
    answer.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("HTTP/1.1 201"), "{rest}");
    assert!(serving.ended().await.success());

    let serving = Serving::start(folder.path()).await;
    let current = serving.get(&hall.path("/current-question"), &hall.admin).await;
    assert_eq!(current["voteCount"], 1);
}

#[tokio::test]
async fn a_stopping_server_is_not_ready_serves_for_a_while_and_stops_at_once_at_a_second_signal() {
    let folder = folder();
    let mut command = plenum(folder.path(), &["serve"]);
    command.env("PLENUM_DRAIN_SECONDS", "300");
    let mut serving = Serving::start_as(command).await;
    let hall = Hall::new(&serving, 1).await;
    assert_eq!(serving.get("/health/ready", "").await["status"], "ready");
    let postgres = postgres_of(folder.path()).unwrap();

    serving.signal(Signal::SIGTERM);
    until("it begins to stop", || serving.printed().contains("Stopping …")).await;
    let deadline = std::time::Instant::now() + TIME_LIMIT;
    loop {
        let answer = serving.send("GET", "/health/ready", "", serde_json::Value::Null).await;
        if answer.status() == 503 {
            assert!(answer.text().await.unwrap().contains("stopping"));
            break;
        }
        assert!(std::time::Instant::now() < deadline, "it stays ready");
    }
    // The server still serves requests that the load balancer has already sent.
    serving.try_vote(&hall.vote_path(), &hall.token_of(0)).await.unwrap();

    serving.signal(Signal::SIGTERM);
    let status = serving.ended().await;
    assert_eq!(status.code(), Some(143), "{status} {}", serving.log());
    assert!(!is_alive(postgres), "PostgreSQL is still there");
    assert_eq!(postgres_of(folder.path()), None, "PostgreSQL was not stopped in order");
}

#[tokio::test]
async fn a_signal_during_the_start_stops_the_server_in_order() {
    let folder = folder();
    let mut child = plenum(folder.path(), &["serve"]).spawn().unwrap();
    until("the database starts", || postgres_of(folder.path()).is_some()).await;
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id().cast_signed()), Signal::SIGTERM).unwrap();
    let mut status = None;
    until("it ends", || {
        status = child.try_wait().unwrap();
        status.is_some()
    })
    .await;
    assert!(status.unwrap().success(), "{status:?}");
    assert_eq!(postgres_of(folder.path()), None);
    // The start was only interrupted: the next one serves.
    Serving::start(folder.path()).await;
}

#[tokio::test]
async fn no_token_link_password_or_address_reaches_the_log() {
    let folder = folder();
    let mut command = crate::process::support::plenum(folder.path(), &["serve"]);
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
    let credentials = serving.call("POST", &renewal, &hall.admin, json!({ "passwordReason": "Lost the letter" })).await;
    let new_password = credentials["data"]["password"].as_str().unwrap();
    serving.signal(Signal::SIGTERM);
    serving.ended().await;
    let log = serving.log();
    assert!(log.contains("/meetings/by-link/"), "the log lacks the request: {log}");
    let refresh_token = hall.voters[0]["refreshToken"].as_str().unwrap();
    let address = "anna@example.org";
    let tokens = [&hall.token_of(0), &hall.admin, refresh_token, link];
    for secret in tokens.into_iter().chain([PASSWORD, new_password, address]) {
        let line = log.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "{secret} stands in the log: {line:?}");
    }
}

#[tokio::test]
async fn no_reset_link_reaches_the_log() {
    let (folder, mail) = (folder(), FakeSmtpServer::start());
    let mut command = crate::process::support::plenum(folder.path(), &["serve"]);
    command.env("PLENUM_LOG", "debug,plenum=trace").env("PLENUM_PUBLIC_URL", "https://vote.plenum.example");
    command.env("PLENUM_SMTP_URL", mail.url()).env("PLENUM_MAIL_FROM", "no-reply@plenum.example");
    let mut serving = Serving::start_as(command).await;
    let body = json!({ "email": ROOT_EMAIL });
    serving.call("POST", "/auth/forgotten-password", "", body).await;
    until("the mail arrives", || !mail.kept().is_empty()).await;
    let content = mail.kept().remove(0).content.replace("=\r\n", "").replace("=3D", "=");
    let (_, token) = content.split_once("#token=").unwrap();
    let token = token.lines().next().unwrap().trim();
    assert!(token.len() > 40, "{content}");
    serving.call("POST", "/auth/reset-password", "", json!({ "token": token, "newPassword": "battery staple" })).await;
    serving.signal(Signal::SIGTERM);
    serving.ended().await;
    let log = serving.log();
    assert!(log.contains("/auth/reset-password"), "the log lacks the request: {log}");
    for secret in [token, "battery staple", ROOT_EMAIL] {
        let line = log.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "{secret} stands in the log: {line:?}");
    }
}

/// The current code of a secret in base32.
fn code_of(secret: &str) -> String {
    let value = |letter| "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".find(letter).unwrap();
    let bits: String = secret.chars().map(|letter| format!("{:05b}", value(letter))).collect();
    let byte = |place: usize| u8::from_str_radix(&bits[place * 8..place * 8 + 8], 2).unwrap();
    let secret = TotpSecret::new(std::array::from_fn(byte));
    FactorCipher::new(&[0; 32]).code(&secret, TotpStep::at(SystemClock.now())).to_string()
}

#[tokio::test]
async fn no_secret_or_code_of_a_second_factor_reaches_the_log() {
    let folder = folder();
    let mut command = crate::process::support::plenum(folder.path(), &["serve"]);
    command.env("PLENUM_LOG", "debug,plenum=trace");
    let mut serving = Serving::start_as(command).await;
    let token = serving.sign_in(ROOT_EMAIL, PASSWORD).await;
    let begun = serving.call("POST", "/auth/second-factor", &token, json!({ "currentPassword": PASSWORD })).await;
    let secret = begun["secret"].as_str().unwrap();
    let code = code_of(secret);
    let on = serving.call("POST", "/auth/second-factor/confirm", &token, json!({ "code": code })).await;
    let recovery_code = on["recoveryCodes"][0].as_str().unwrap();
    for code in [recovery_code, &code] {
        let body = json!({ "email": ROOT_EMAIL, "password": PASSWORD, "code": code });
        serving.send("POST", "/auth/login", "", body).await;
    }
    serving.signal(Signal::SIGTERM);
    serving.ended().await;
    let log = serving.log();
    assert!(log.contains("/auth/second-factor/confirm"), "the log lacks the request: {log}");
    for secret in [secret, recovery_code, &recovery_code.replace('-', ""), PASSWORD] {
        let line = log.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "{secret} stands in the log: {line:?}");
    }
}
