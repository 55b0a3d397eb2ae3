//! The commands beside `serve`, and a database of one's own.

use plenum_adapter_postgres::testkit::TestDatabase;
use serde_json::Value;

use crate::support::{PASSWORD, ROOT_EMAIL, Serving, folder, plenum, postgres_of, run, stderr, stdout};

#[tokio::test]
async fn a_database_of_ones_own_is_used_and_no_other_is_started() {
    let folder = folder();
    let database = TestDatabase::without_tables().await;
    let command = |arguments: &[&str]| {
        let mut command = plenum(folder.path(), arguments);
        command.env("DATABASE_URL", database.url());
        command
    };
    let doctor = run(command(&["doctor"]));
    assert!(doctor.status.success(), "{}", stderr(&doctor));
    assert!(stdout(&doctor).contains("ok    DATABASE_URL answers."), "{}", stdout(&doctor));
    assert!(stdout(&doctor).contains("plenum migrate"), "{}", stdout(&doctor));

    let migrated = run(command(&["migrate"]));
    assert!(migrated.status.success(), "{}", stderr(&migrated));
    assert!(stdout(&migrated).starts_with("Done: "), "{}", stdout(&migrated));
    assert_eq!(stdout(&run(command(&["migrate"]))), "The database is up to date.\n");
    assert!(stdout(&run(command(&["doctor"]))).contains("ok    The database is up to date."));

    let made = run(command(&["create-super-admin", "--email", "second@example.org", "--password", PASSWORD]));
    assert!(made.status.success(), "{}", stderr(&made));
    let again = run(command(&["create-super-admin", "--email", "Second@example.org", "--password", PASSWORD]));
    assert_eq!(again.status.code(), Some(1), "{}", stdout(&again));
    let made_up = run(command(&["create-super-admin", "--email", "third@example.org"]));
    let password = stdout(&made_up).trim().rsplit(' ').next().unwrap().to_owned();
    let wrong = run(command(&["create-super-admin", "--email", "nobody"]));
    assert_eq!(wrong.status.code(), Some(1));
    assert!(stderr(&wrong).contains("--email"), "{}", stderr(&wrong));

    let mut serving = Serving::start_as(command(&["serve"])).await;
    assert_eq!(postgres_of(folder.path()), None);
    serving.sign_in("second@example.org", PASSWORD).await;
    serving.sign_in("third@example.org", &password).await;
    // There was a super administrator, so that the configured one was not made.
    let body = serde_json::json!({ "email": ROOT_EMAIL, "password": PASSWORD });
    assert_eq!(serving.send("POST", "/auth/login", "", body).await.status(), 401);
    serving.signal(nix::sys::signal::Signal::SIGTERM);
    assert!(serving.ended().await.success());
    let kept: Vec<_> =
        std::fs::read_dir(folder.path().join("data")).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(kept, ["signing-key"]);
}

#[test]
fn the_embedded_database_is_looked_after_by_the_commands_too() {
    let folder = folder();
    let doctor = run(plenum(folder.path(), &["doctor"]));
    assert!(doctor.status.success(), "{}", stderr(&doctor));
    assert!(stdout(&doctor).contains("ok    the embedded PostgreSQL answers."), "{}", stdout(&doctor));
    assert_eq!(postgres_of(folder.path()), None);
    let migrated = run(plenum(folder.path(), &["migrate"]));
    assert!(stdout(&migrated).starts_with("Done: "), "{} {}", stdout(&migrated), stderr(&migrated));
    assert_eq!(postgres_of(folder.path()), None);
}

#[test]
fn the_document_is_printed_without_a_database() {
    let folder = folder();
    let mut command = plenum(folder.path(), &["openapi"]);
    command.env("PLENUM_BASE_PATH", "/plenum");
    let printed = run(command);
    assert!(printed.status.success(), "{}", stderr(&printed));
    let document: Value = serde_json::from_str(&stdout(&printed)).unwrap();
    assert_eq!(document["servers"][0]["url"], "/plenum/api");
    assert!(!folder.path().join("data").exists());
}

#[test]
fn it_says_its_version_and_what_it_can_do() {
    let folder = folder();
    let version = run(plenum(folder.path(), &["--version"]));
    assert_eq!(stdout(&version), format!("plenum {}\n", env!("CARGO_PKG_VERSION")));
    let help = stdout(&run(plenum(folder.path(), &["--help"])));
    for command in ["serve", "migrate", "create-super-admin", "openapi", "doctor"] {
        assert!(help.contains(command), "{help}");
    }
}
