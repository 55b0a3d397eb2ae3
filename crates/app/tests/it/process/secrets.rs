//! Configured secrets appear in no error, no output and no log. Neither do the ballots of a secret vote and its key.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nix::sys::signal::Signal;
use plenum_adapter_postgres::testkit::StoppableServer;
use serde_json::json;
use tokio::task::spawn_blocking;

use crate::process::support::{Hall, PASSWORD, ROOT_EMAIL, Serving, folder, plenum, run, stderr, stdout, text, until};

const SECRET: &str = "hunter2";
const SIGNING_KEY: &str = "0123456789-signing-key-9876543210";

/// An address without a server: the port was free a moment ago.
fn unused_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

#[test]
fn an_error_about_a_value_does_not_repeat_the_value() {
    let folder = folder();
    for (variable, value) in [
        ("DATABASE_URL", format!("mysql://plenum:{SECRET}@localhost/plenum")),
        ("PLENUM_JWT_SECRET", SECRET.to_owned()),
        ("PLENUM_SUPER_ADMIN_PASSWORD", SECRET.to_owned()),
        ("PLENUM_SMTP_URL", format!("http://plenum:{SECRET}@mail.example.org")),
        ("PLENUM_NATS_URL", format!("plenum:{SECRET}@nats.example.org")),
        ("PLENUM_PUBLIC_URL", format!("https://plenum:{SECRET}@vote.example.org")),
    ] {
        for arguments in [&["serve"][..], &["doctor"]] {
            let mut command = plenum(folder.path(), arguments);
            command.env("PLENUM_LOG", "trace").env(variable, &value);
            let refused = run(command);
            assert_eq!(refused.status.code(), Some(2), "{variable} {arguments:?}: {}", stderr(&refused));
            let printed = stdout(&refused) + &stderr(&refused);
            assert!(printed.contains(variable) && !printed.contains(SECRET), "{variable}: {printed}");
        }
    }
}

/// Addresses with passwords that need encoding, and other unreadable addresses.
#[test]
fn no_command_prints_a_part_of_an_unreadable_database_address() {
    let folder = folder();
    std::fs::write(folder.path().join("any.backup"), "").unwrap();
    let addresses = [
        "postgres://plenum:hunter2%off@localhost/plenum",
        "postgres://plenum:hunter2 tiger@localhost/plenum",
        "postgres://plenum:x@hunter2@localhost/plenum",
        "postgres://plenum:x/hunter2@localhost/plenum",
        "postgres://plenum:hunter2?x@localhost/plenum",
        "postgres://localhost/plenum?password=x&hunter2=y",
        "host=localhost password='hunter2 tiger' dbname=plenum",
    ];
    let commands = [
        &["serve"][..],
        &["serve", "--demo"],
        &["doctor"],
        &["migrate"],
        &["backup", "some.backup"],
        &["restore", "any.backup"],
        &["verify", "--database"],
        &["end-demonstration"],
        &["create-super-admin", "--email", "a@example.org"],
        &["remove-second-factor", "--email", "a@example.org"],
    ];
    for arguments in commands {
        for address in addresses {
            let mut command = plenum(folder.path(), arguments);
            command.env("PLENUM_LOG", "trace").env("RUST_BACKTRACE", "1").env("DATABASE_URL", address);
            let refused = run(command);
            let printed = stdout(&refused) + &stderr(&refused);
            assert_eq!(refused.status.code(), Some(2), "{arguments:?} {address}: {printed}");
            assert!(
                printed.starts_with("plenum: DATABASE_URL must be the address of a PostgreSQL"),
                "{address}: {printed}"
            );
            assert!(printed.contains("percent-encoded (% is %25, @ is %40"), "{address}: {printed}");
            assert!(!printed.contains(SECRET) && !printed.contains("tiger"), "{arguments:?} {address}: {printed}");
        }
    }
    assert!(!folder.path().join("some.backup").exists() && !folder.path().join("data").exists());
}

#[test]
fn the_doctor_prints_no_password_of_a_server_that_does_not_respond() {
    let folder = folder();
    let database = format!("postgres://plenum:{SECRET}@{}/plenum", unused_address());
    let mail = format!("smtp://plenum:{SECRET}@{}?tls=none", unused_address());
    let sender = ("PLENUM_MAIL_FROM", "no-reply@plenum.example");
    for settings in [&[("DATABASE_URL", database.as_str())][..], &[("PLENUM_SMTP_URL", mail.as_str()), sender]] {
        let mut command = plenum(folder.path(), &["doctor"]);
        command.env("PLENUM_LOG", "trace").env("PLENUM_JWT_SECRET", SIGNING_KEY).envs(settings.iter().copied());
        let examined = run(command);
        assert_eq!(examined.status.code(), Some(1), "{settings:?}: {}", stderr(&examined));
        let printed = stdout(&examined) + &stderr(&examined);
        assert!(printed.contains(settings[0].0), "{printed}");
        assert!(!printed.contains(SECRET) && !printed.contains(SIGNING_KEY), "{settings:?}: {printed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreachable_mail_server_or_bus_brings_no_password_into_the_log() {
    let folder = folder();
    let database = spawn_blocking(StoppableServer::start).await.unwrap();
    let (mail, bus) = (unused_address(), unused_address());
    let mut command = plenum(folder.path(), &["serve"]);
    command
        .env("PLENUM_LOG", "trace")
        .env("DATABASE_URL", database.url())
        .env("PLENUM_JWT_SECRET", SIGNING_KEY)
        .env("PLENUM_NATS_URL", format!("nats://plenum:{SECRET}@{bus}"))
        .env("PLENUM_SMTP_URL", format!("smtp://plenum:{SECRET}@{mail}?tls=none"))
        .env("PLENUM_MAIL_FROM", "no-reply@plenum.example")
        .env("PLENUM_PUBLIC_URL", "https://vote.plenum.example");
    let mut serving = Serving::start_as(command).await;
    serving.call("POST", "/auth/forgotten-password", "", json!({ "email": ROOT_EMAIL })).await;
    until("the mail server was tried", || serving.log().contains("the mail server cannot be used")).await;
    serving.signal(Signal::SIGTERM);
    serving.ended().await;
    let log = serving.log();
    let printed = serving.printed() + &log;
    // The printed addresses include the first super administrator.
    for (secret, text) in [(SECRET, &printed), (SIGNING_KEY, &printed), (PASSWORD, &printed), (ROOT_EMAIL, &log)] {
        let line = text.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "{secret} was printed: {line:?}");
    }
}

/// The content of all files of a folder.
fn files_below(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if kind.is_dir() {
            found.extend(files_below(&path));
        } else if kind.is_file() {
            // PostgreSQL deletes files meanwhile.
            found.extend(fs::read(&path).ok().map(|content| (path, content)));
        }
    }
    found
}

fn contains(content: &[u8], wanted: &[u8]) -> bool {
    let (last, rest) = wanted.split_last().unwrap();
    let blocks = content.chunks(64).enumerate().filter(|(_, block)| block.contains(last));
    let ends = blocks
        .flat_map(|(number, block)| (0..block.len()).filter(|at| block[*at] == *last).map(move |at| number * 64 + at));
    ends.into_iter().any(|end| content[..end].ends_with(rest))
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_ballot_and_no_key_of_one_reaches_the_log_or_a_file_of_the_database() {
    const ANSWER: &str = "Nobody-but-me-knows";
    let folder = folder();
    let mut command = plenum(folder.path(), &["serve"]);
    command.env("PLENUM_LOG", "trace");
    let mut serving = Serving::start_as(command).await;
    let hall = Hall::new(&serving, 1).await;
    let body = json!({
        "meetingId": hall.meeting, "questionText": "And now?", "questionType": "OPEN_TEXT", "secrecy": "secret",
    });
    let question = text(&serving.call("POST", "/client/questions", &hall.admin, body).await["id"]);
    let open = hall.path("/current-question?acceptRisk=true");
    let opened = serving.call("PUT", &open, &hall.admin, json!({ "questionId": question })).await;
    let round = text(&opened["currentQuestion"]["roundId"]);
    let file = folder.path().join("data/secret-keys").join(&round);
    let share = fs::read(&file).unwrap()[1..33].to_vec();
    // Sealed by the server, which is the worst case.
    let vote = format!("/voting/meetings/{}/questions/{question}/vote", hall.meeting);
    serving.call("POST", &vote, &hall.token_of(0), json!({ "answers": [ANSWER] })).await;
    for (path, content) in files_below(&folder.path().join("data")) {
        assert!(!contains(&content, ANSWER.as_bytes()), "the answer is in {}", path.display());
        assert!(path == file || !contains(&content, &share), "the share is in {}", path.display());
    }
    serving.call("PUT", &open, &hall.admin, json!({ "questionId": null })).await;
    let declare = hall.path(&format!("/rounds/{round}/declare?acceptRisk=true"));
    serving.call("POST", &declare, &hall.admin, json!(null)).await;
    assert!(!file.exists());
    serving.signal(Signal::SIGTERM);
    serving.ended().await;
    let printed = serving.printed() + &serving.log();
    assert!(printed.contains("/vote"), "the log lacks the request");
    let hexadecimal: String = share.iter().map(|byte| format!("{byte:02x}")).collect();
    for secret in [ANSWER, &hexadecimal, &STANDARD.encode(&share), &format!("{share:?}")] {
        let line = printed.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "{secret} was printed: {line:?}");
    }
}
