use nix::sys::signal::Signal;
use plenum_adapter_mail::testkit::FakeSmtpServer;
use plenum_adapter_security::{FactorCipher, SystemClock};
use plenum_clients::{SecondFactorCipher as _, TotpSecret, TotpStep};
use plenum_kernel::Clock as _;
use serde_json::json;

use crate::support::{Hall, PASSWORD, ROOT_EMAIL, Serving, folder, is_alive, postgres_of, until};

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
async fn no_token_password_or_address_reaches_the_log() {
    let folder = folder();
    let mut command = crate::support::plenum(folder.path(), &["serve"]);
    command.env("PLENUM_LOG", "debug,plenum=trace");
    let mut serving = Serving::start_as(command).await;
    let hall = Hall::new(&serving, 1).await;
    let path = format!("/sse/meetings/{}/state?token={}", hall.meeting, hall.token_of(0));
    serving.get(&path, "").await;
    serving.signal(Signal::SIGTERM);
    serving.ended().await;
    let log = serving.complaints();
    assert!(log.contains("http.route"), "there is no log to look into: {log}");
    let refresh_token = hall.voters[0]["refreshToken"].as_str().unwrap();
    for secret in [&hall.token_of(0), &hall.admin, refresh_token, PASSWORD, "anna@example.org"] {
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

/// The code of a secret that is written in base32, now.
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
    let mut command = crate::support::plenum(folder.path(), &["serve"]);
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
    let log = serving.complaints();
    assert!(log.contains("/auth/second-factor/confirm"), "there is no log to look into: {log}");
    for secret in [secret, recovery_code, &recovery_code.replace('-', ""), PASSWORD] {
        let line = log.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "{secret} stands in the log: {line:?}");
    }
}
