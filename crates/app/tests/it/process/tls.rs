//! The server's own https: certificates of an authority and of files, and the way from plain http.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use nix::sys::signal::Signal;
use plenum_adapter_nats::testkit::can_install;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::support::https::Https;
use crate::process::support::pebble::{Certificate, Pebble, certificate, free_port};
use crate::process::support::{
    Hall, PASSWORD, ROOT_EMAIL, Serving, TIME_LIMIT, folder, plenum, run, stderr, text, until,
};

const METRICS_TOKEN: &str = "a-token-that-tests-show";

/// The start and the end of the server's certificate by its metrics, in Unix time. `None` for a metric that is missing.
async fn validity(client: &Https) -> [Option<i64>; 2] {
    let page = client.send(("GET", "/metrics"), METRICS_TOKEN, &Value::Null).await.unwrap();
    assert_eq!(page.status, 200, "{page:?}");
    ["start", "end"].map(|moment| {
        let name = format!("plenum_certificate_{moment}_time_seconds ");
        page.body.lines().find_map(|line| line.strip_prefix(&name)?.parse().ok())
    })
}

/// Waits until the metrics tell a later end than this one.
async fn later_end(client: &Https, former: Option<i64>) -> Option<i64> {
    let deadline = Instant::now() + TIME_LIMIT;
    loop {
        let [_, end] = validity(client).await;
        if end > former {
            return end;
        }
        assert!(Instant::now() < deadline, "the metrics still tell {former:?}");
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}

/// A server for the domain `localhost` with a certificate of this authority.
fn with_authority(folder: &Path, (port, redirect): (u16, u16), pebble: &Pebble) -> Command {
    let mut command = plenum(folder, &["serve"]);
    command
        .env("PLENUM_DOMAIN", "localhost")
        .env("PLENUM_LISTEN", format!("127.0.0.1:{port}"))
        .env("PLENUM_REDIRECT_LISTEN", format!("127.0.0.1:{redirect}"))
        .env("PLENUM_ACME_URL", pebble.directory())
        .env("PLENUM_ACME_CERTIFICATES", pebble.vouching())
        .env("PLENUM_METRICS_TOKEN", METRICS_TOKEN);
    command
}

/// Waits until the server has another certificate than this one, and returns it.
async fn other_certificate(client: &Https, former: &[u8]) -> Vec<u8> {
    let deadline = Instant::now() + TIME_LIMIT;
    loop {
        match client.certificate().await {
            Ok(found) if found != former => return found,
            other => assert!(Instant::now() < deadline, "no other certificate: {other:?}"),
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}

fn plainly(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response.to_lowercase()
}

#[tokio::test]
async fn a_domain_gets_a_certificate_renews_it_and_keeps_it_over_a_restart() {
    let Some(program) = Pebble::program() else {
        assert!(!can_install(), "pebble is missing: run `just install-pebble`");
        eprintln!("SKIPPED: pebble is missing and cannot be installed here. Set PEBBLE to its path.");
        return;
    };
    let (port, redirect) = (free_port(), free_port());
    // Two thirds of it are over after six seconds.
    let pebble = Pebble::start(&program, port, 9).await;
    let folder = folder();
    let serving = Serving::start_as(with_authority(folder.path(), (port, redirect), &pebble)).await;
    assert!(serving.printed().contains("Plenum is ready: https://localhost/"), "{}", serving.printed());
    let client = Https::trusting(&pebble.root().await, port);
    let first = other_certificate(&client, &[]).await;
    let health = client.get("/health/ready").await.unwrap();
    assert_eq!(health.status, 200, "{health:?}");
    assert!(health.head.contains("strict-transport-security"), "{}", health.head);
    let led = plainly(redirect, "GET /vote/abc?x=1 HTTP/1.1\r\nhost: foreign.example\r\nconnection: close\r\n\r\n");
    assert!(led.starts_with("http/1.1 308 ") && led.contains("location: https://localhost/vote/abc?x=1\r\n"), "{led}");
    let first_end = later_end(&client, None).await;
    other_certificate(&client, &first).await;
    later_end(&client, first_end).await;
    drop(serving);

    // Without the authority, the stored certificate serves.
    let mut kept = Pebble::start(&program, port, 3_600).await;
    let serving = Serving::start_as(with_authority(folder.path(), (port, redirect), &kept)).await;
    let client = Https::trusting(&kept.root().await, port);
    let lasting = other_certificate(&client, &[]).await;
    drop(serving);
    kept.stop();
    let serving = Serving::start_as(with_authority(folder.path(), (port, redirect), &kept)).await;
    assert_eq!(client.certificate().await.unwrap(), lasting);
    assert!(serving.log().contains("uses the stored certificate"), "{}", serving.log());
    let [start, end] = validity(&client).await.map(Option::unwrap);
    assert!((3_500..3_700).contains(&(end - start)), "{start} {end}");
}

/// The two files of a certificate, and the command of a server with them.
struct Files {
    folder: TempDir,
    port: u16,
}

impl Files {
    fn new(certificate: &Certificate) -> Self {
        let files = Self { folder: folder(), port: free_port() };
        files.write(certificate);
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, certificate: &Certificate) {
        fs::write(self.path("key.pem"), &certificate.key).unwrap();
        fs::write(self.path("certificate.pem"), &certificate.pem).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = plenum(self.folder.path(), arguments);
        command
            .env("PLENUM_LISTEN", format!("127.0.0.1:{}", self.port))
            .env("PLENUM_TLS_CERTIFICATE", self.path("certificate.pem"))
            .env("PLENUM_TLS_KEY", self.path("key.pem"))
            .env("PLENUM_METRICS_TOKEN", METRICS_TOKEN);
        command
    }
}

#[tokio::test]
async fn a_vote_is_cast_over_https_and_a_screen_hears_of_it() {
    let certificate = certificate();
    let files = Files::new(&certificate);
    let over_http = Serving::start(files.folder.path()).await;
    let hall = Hall::new(&over_http, 1).await;
    drop(over_http);
    let serving = Serving::start_as(files.command(&["serve"])).await;
    assert_eq!(serving.origin(), format!("https://127.0.0.1:{}", files.port));
    let client = Https::trusting(&certificate.authority, files.port);
    let mut screen = client.stream(&format!("/api/sse/meetings/{}/stream", hall.meeting), &hall.admin).await;
    screen.wait_for("\"type\":\"connected\"").await;
    let path = format!("/api/voting/meetings/{}/questions/{}/vote", hall.meeting, hall.question);
    let body = json!({ "answers": ["Yes"], "roundId": hall.round });
    let voter = text(&hall.voters[0]["token"]);
    let vote = client.send(("POST", &path), &voter, &body).await.unwrap();
    assert_eq!(vote.status, 201, "{vote:?}");
    screen.wait_for("\"voteCount\":1").await;

    // The server calls itself, although its certificate names another host than its address.
    let body = json!({ "email": ROOT_EMAIL, "password": PASSWORD });
    let session = client.send(("POST", "/api/auth/login"), "", &body).await.unwrap();
    let token = text(&serde_json::from_str::<Value>(&session.body).unwrap()["token"]);
    let checked = client.send(("GET", "/api/test/cors"), &token, &Value::Null).await.unwrap();
    let checked: Value = serde_json::from_str(&checked.body).unwrap();
    assert_eq!(checked["isValid"], true, "{checked}");
    assert_eq!(checked["details"]["probes"][0]["origin"], format!("https://localhost:{}", files.port));
}

#[tokio::test]
async fn replaced_files_are_read_again_and_broken_ones_are_not_used() {
    let (first, second) = (certificate(), certificate());
    let files = Files::new(&first);
    let serving = Serving::start_as(files.command(&["serve"])).await;
    let client = Https::trusting(&first.authority, files.port);
    assert_eq!(client.get("/health").await.unwrap().status, 200);
    fs::write(files.path("certificate.pem"), &second.pem).unwrap();
    serving.signal(Signal::SIGHUP);
    until("the broken pair is noticed", || serving.log().contains("is not the one of the first certificate")).await;
    assert_eq!(client.get("/health").await.unwrap().status, 200, "the former pair serves");
    files.write(&second);
    serving.signal(Signal::SIGHUP);
    until("the new pair is read", || serving.log().contains("read the new certificate")).await;
    let renewed = Https::trusting(&second.authority, files.port);
    assert_eq!(renewed.get("/health").await.unwrap().status, 200);
    assert!(validity(&renewed).await.iter().all(Option::is_some), "the metrics do not tell the end");
    // Anew: the other client may resume its session, for which no certificate is sent.
    let client = Https::trusting(&first.authority, files.port);
    assert!(client.get("/health").await.is_err(), "the former certificate is still served");
}

#[tokio::test]
async fn a_server_with_https_outlives_callers_without_it() {
    let certificate = certificate();
    let files = Files::new(&certificate);
    let _serving = Serving::start_as(files.command(&["serve"])).await;
    assert!(!plainly(files.port, "GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n").contains("200 ok"));
    let client = Https::trusting(&certificate.authority, files.port);
    assert_eq!(client.get("/health").await.unwrap().status, 200);
}

#[test]
fn unusable_files_stop_the_start_and_the_doctor_names_them() {
    let mut unfit = certificate();
    unfit.key = certificate().key;
    let files = Files::new(&unfit);
    let refused = run(files.command(&["serve"]));
    let error = stderr(&refused);
    assert_eq!(refused.status.code(), Some(1), "{error}");
    assert!(error.contains("PLENUM_TLS_KEY"), "{error}");
    assert_eq!(error.matches("key.pem is not the one").count(), 1, "said once: {error}");
    assert!(!files.path("data").exists(), "the database was started");
    let found = run(files.command(&["doctor"]));
    let printed = crate::process::support::stdout(&found);
    assert_eq!(found.status.code(), Some(1), "{printed}");
    assert!(printed.contains("FAIL  PLENUM_TLS_CERTIFICATE, PLENUM_TLS_KEY: the key in"), "{printed}");
}
