use std::path::Path;
use std::process::{Command, Output};

use diesel::connection::SimpleConnection as _;
use nix::sys::signal::Signal;
use plenum_adapter_postgres::testkit::TestDatabase;
use serde_json::{Value, json};

use crate::process::support::{PASSWORD, ROOT_EMAIL, Serving, folder, plenum, run, stderr, stdout, text};

/// A command on this database, with a configured super administrator or without.
fn on(database: &TestDatabase, folder: &Path, arguments: &[&str], has_root: bool) -> Command {
    let mut command = plenum(folder, arguments);
    command.env("DATABASE_URL", database.url());
    if !has_root {
        command.env_remove("PLENUM_SUPER_ADMIN_EMAIL").env_remove("PLENUM_SUPER_ADMIN_PASSWORD");
    }
    command
}

async fn stop(mut serving: Serving) {
    serving.signal(Signal::SIGTERM);
    assert!(serving.ended().await.success());
}

async fn status_of_sign_in(serving: &Serving, email: &str, password: &str) -> u16 {
    let body = json!({ "email": email, "password": password });
    serving.send("POST", "/auth/login", "", body).await.status().as_u16()
}

async fn status_of_voter(serving: &Serving, username: &str) -> u16 {
    let body = json!({ "clientCode": "demo", "username": username, "password": "plenum-demo" });
    serving.send("POST", "/auth/end-user/login", "", body).await.status().as_u16()
}

async fn add_organization(serving: &Serving) {
    let root = serving.sign_in(ROOT_EMAIL, PASSWORD).await;
    let body = json!({
        "name": "Rowing Club", "firstName": "Anna", "lastName": "Berg", "email": "anna@example.org",
        "password": PASSWORD,
    });
    serving.call("POST", "/clients", &root, body).await;
}

/// The command ended with exit code 1, started nothing, and printed all these words.
fn assert_refused(output: &Output, words: &[&str]) {
    let printed = stderr(output);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(!stdout(output).contains("listening on"), "{}", stdout(output));
    for word in words {
        assert!(printed.contains(word), "{word} is missing: {printed}");
    }
}

fn assert_done(output: &Output) {
    assert!(output.status.success(), "{} {}", stdout(output), stderr(output));
}

#[tokio::test]
async fn a_demonstration_is_served_only_as_a_demonstration_until_it_is_ended() {
    let (folder, database) = (folder(), TestDatabase::without_tables().await);
    let command = |arguments: &[&str], has_root| on(&database, folder.path(), arguments, has_root);
    stop(Serving::start_as(command(&["serve", "--demo"], false)).await).await;
    // A configured super administrator is created in addition to that of the demonstration.
    let serving = Serving::start_as(command(&["serve", "--demo"], true)).await;
    add_organization(&serving).await;
    stop(serving).await;
    // Data added in a demonstration belongs to it.
    let serving = Serving::start_as(command(&["serve", "--demo"], true)).await;
    assert_eq!(status_of_sign_in(&serving, "super@demo.example", "plenum-demo").await, 200);
    stop(serving).await;

    let words = ["this database is a demonstration", "plenum end-demonstration", "--keep-data", "serve --demo"];
    assert_refused(&run(command(&["serve"], true)), &words);
    assert_refused(&run(command(&["doctor"], true)), &words);

    let ended = run(command(&["end-demonstration"], true));
    assert_done(&ended);
    assert!(stdout(&ended).contains("Kept the organization \"Rowing Club\""), "{}", stdout(&ended));
    assert_done(&run(command(&["doctor"], true)));
    let serving = Serving::start_as(command(&["serve"], true)).await;
    for email in ["super@demo.example", "admin@demo.example"] {
        assert_eq!(status_of_sign_in(&serving, email, "plenum-demo").await, 401, "{email}");
    }
    assert_eq!(status_of_voter(&serving, "ada").await, 401);
    serving.sign_in("anna@example.org", PASSWORD).await;
    let root = serving.sign_in(ROOT_EMAIL, PASSWORD).await;
    assert_eq!(serving.get("/clients/stats", &root).await["data"]["total"], 1);
    stop(serving).await;
    assert_refused(&run(command(&["serve", "--demo"], true)), &["\"Rowing Club\"", ROOT_EMAIL, "without --demo"]);
    let again = run(command(&["end-demonstration"], true));
    assert!(
        again.status.success() && stdout(&again).contains("This database contains no demonstration"),
        "{}",
        stdout(&again)
    );
}

#[tokio::test]
async fn the_data_of_a_demonstration_can_be_kept_without_its_accounts() {
    let (folder, database) = (folder(), TestDatabase::without_tables().await);
    let command = |arguments: &[&str], has_root| on(&database, folder.path(), arguments, has_root);
    stop(Serving::start_as(command(&["serve", "--demo"], false)).await).await;
    let ended = run(command(&["end-demonstration", "--keep-data"], true));
    assert_done(&ended);
    assert!(stdout(&ended).contains("Locked 13 accounts"), "{}", stdout(&ended));
    let serving = Serving::start_as(command(&["serve"], true)).await;
    for email in ["super@demo.example", "admin@demo.example"] {
        assert_eq!(status_of_sign_in(&serving, email, "plenum-demo").await, 401, "{email}");
    }
    for username in ["ada", "lena"] {
        assert_eq!(status_of_voter(&serving, username).await, 401, "{username}");
    }
    // The configured super administrator is created, because there is no other now.
    let root = serving.sign_in(ROOT_EMAIL, PASSWORD).await;
    assert_eq!(serving.get("/clients/stats", &root).await["data"]["total"], 1);
}

#[tokio::test]
async fn a_demonstration_without_a_mark_is_recognized_by_its_accounts() {
    let (folder, database) = (folder(), TestDatabase::without_tables().await);
    let command = |arguments: &[&str]| on(&database, folder.path(), arguments, true);
    let forget =
        || database.connection().batch_execute("SET plenum.tenant = 'all'; DELETE FROM demonstration").unwrap();
    stop(Serving::start_as(command(&["serve", "--demo"])).await).await;
    forget();
    let words = ["their password is public", "admin@demo.example", "and perhaps others", "plenum end-demonstration"];
    assert_refused(&run(command(&["serve"])), &words);
    assert_refused(&run(command(&["doctor"])), &words);
    let serving = Serving::start_as(command(&["serve", "--demo"])).await;
    add_organization(&serving).await;
    stop(serving).await;
    forget();
    // With a real organization in the database, neither kind of start succeeds.
    assert_refused(&run(command(&["serve", "--demo"])), &["\"Rowing Club\"", "PLENUM_DATA_DIR"]);
    assert_refused(&run(command(&["serve"])), &words);
    assert_done(&run(command(&["end-demonstration"])));
    let serving = Serving::start_as(command(&["serve"])).await;
    serving.sign_in("anna@example.org", PASSWORD).await;
    assert_eq!(status_of_voter(&serving, "ada").await, 401);
}

#[tokio::test]
async fn a_real_installation_or_a_public_address_refuses_a_demonstration() {
    let (folder, database) = (folder(), TestDatabase::without_tables().await);
    let command = |arguments: &[&str]| on(&database, folder.path(), arguments, true);
    for (variable, value) in [("PLENUM_LISTEN", "0.0.0.0:0"), ("PLENUM_PUBLIC_URL", "https://vote.example.org")] {
        let mut open = command(&["serve", "--demo"]);
        open.env(variable, value);
        assert_refused(&run(open), &["--demo is refused with", variable, "--demo-on-any-address"]);
    }
    let alone = run(command(&["serve", "--demo-on-any-address"]));
    assert_eq!(alone.status.code(), Some(2), "{}", stderr(&alone));
    stop(Serving::start_as(command(&["serve"])).await).await;
    assert_refused(&run(command(&["serve", "--demo"])), &["--demo is refused", ROOT_EMAIL, "DATABASE_URL"]);
    let serving = Serving::start_as(command(&["serve"])).await;
    let root = serving.sign_in(ROOT_EMAIL, PASSWORD).await;
    assert_eq!(serving.get("/clients/stats", &root).await["data"]["total"], 0);
    stop(serving).await;
    let mut other = command(&["serve"]);
    other.env("PLENUM_SUPER_ADMIN_EMAIL", "other@example.org");
    let serving = Serving::start_as(other).await;
    assert!(serving.printed().contains("plenum create-super-admin --email other@example.org"), "{}", serving.printed());
}

/// The numbers that an account of the demonstration sees.
async fn counts(serving: &Serving) -> Value {
    let root = serving.sign_in("super@demo.example", "plenum-demo").await;
    let admin = serving.sign_in("admin@demo.example", "plenum-demo").await;
    let meetings = serving.get("/client/meetings", &admin).await;
    let meeting = text(&meetings[0]["id"]);
    let agenda = serving.get(&format!("/client/questions/meeting/{meeting}"), &admin).await;
    let types: Vec<String> =
        agenda.as_array().unwrap().iter().map(|question| text(&question["questionType"])).collect();
    serde_json::json!({
        "clients": serving.get("/clients/stats", &root).await["data"],
        "endUsers": serving.get("/client/end-users/stats", &admin).await["data"],
        "meetings": serving.get("/client/meetings/stats", &admin).await,
        "types": types,
    })
}

#[tokio::test]
async fn the_demonstration_prints_sign_ins_that_work_and_a_second_start_changes_nothing() {
    let folder = folder();
    let demo = || {
        let mut command = plenum(folder.path(), &["serve", "--demo"]);
        command.env_remove("PLENUM_SUPER_ADMIN_EMAIL").env_remove("PLENUM_SUPER_ADMIN_PASSWORD");
        command
    };
    let mut before = Value::Null;
    for start in ["first", "second"] {
        let serving = Serving::start_as(demo()).await;
        let printed = serving.printed();
        for credentials in
            ["super@demo.example / plenum-demo", "admin@demo.example / plenum-demo", "lena / plenum-demo"]
        {
            assert!(printed.contains(credentials), "{start}: {printed}");
        }
        let counted = counts(&serving).await;
        if before.is_null() {
            before = counted;
        } else {
            assert_eq!(counted, before);
        }
        for username in ["ada", "lena"] {
            let voter = serving.sign_in_voter("demo", username, "plenum-demo").await;
            let list = serving.get("/voting/meetings", &text(&voter["token"])).await;
            assert_eq!(list["meetings"][0]["status"], "SCHEDULED");
            let meeting = text(&list["meetings"][0]["id"]);
            let seen = serving.get(&format!("/voting/meetings/{meeting}"), &text(&voter["token"])).await;
            assert_eq!(seen["meeting"]["canResetVote"], true);
        }
    }
    assert_eq!(before["clients"]["total"], 1);
    assert_eq!(before["endUsers"]["total"], 12);
    assert_eq!(before["meetings"]["scheduled"], 1);
    let types = ["YES_NO", "MULTIPLE_CHOICE", "RATING", "PERCENTAGE", "OPEN_TEXT"];
    assert_eq!(before["types"], serde_json::json!(types));
}

#[tokio::test]
async fn a_demonstration_that_was_interrupted_is_completed_at_the_next_start() {
    let folder = folder();
    let serving = Serving::start_as(plenum(folder.path(), &["serve", "--demo"])).await;
    let admin = serving.sign_in("admin@demo.example", "plenum-demo").await;
    let meeting = text(&serving.get("/client/meetings", &admin).await[0]["id"]);
    // The state between the first question and the scheduling.
    let begun = serde_json::json!({ "status": "DRAFT" });
    let changed = serving.send("PUT", &format!("/client/meetings/{meeting}"), &admin, begun).await;
    assert_eq!(changed.status(), 200);
    serving.crash().await;

    let serving = Serving::start_as(plenum(folder.path(), &["serve", "--demo"])).await;
    let meetings = serving.get("/client/meetings", &admin).await;
    assert_eq!(meetings.as_array().unwrap().len(), 1);
    assert_eq!((&meetings[0]["status"], &meetings[0]["questionCount"]), (&"SCHEDULED".into(), &5.into()));
}

#[tokio::test]
async fn without_a_configured_super_administrator_the_first_start_creates_and_prints_one() {
    let folder = folder();
    let plain = || {
        let mut command = plenum(folder.path(), &["serve"]);
        command.env_remove("PLENUM_SUPER_ADMIN_EMAIL").env_remove("PLENUM_SUPER_ADMIN_PASSWORD");
        command
    };
    let password = {
        let serving = Serving::start_as(plain()).await;
        let printed = serving.printed();
        let (_, rest) =
            printed.split_once("The first super administrator is admin@plenum.example with the password ").unwrap();
        rest.split_whitespace().next().unwrap().to_owned()
    };
    let serving = Serving::start_as(plain()).await;
    assert!(!serving.printed().contains("super administrator is"), "{}", serving.printed());
    serving.sign_in("admin@plenum.example", &password).await;
}
