//! The commands other than `serve`, and a configured database.

use std::process::Stdio;

use diesel::connection::SimpleConnection as _;
use plenum_adapter_mail::testkit::{FakeSmtpServer, ServerBehavior};
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_timestamps::testkit::{Behavior, TestService};
use plenum_timestamp_format::testkit::TestAuthority;
use serde_json::{Value, json};

use crate::process::support::{PASSWORD, ROOT_EMAIL, Serving, folder, plenum, postgres_of, run, stderr, stdout};

#[tokio::test]
async fn a_configured_database_is_used_and_no_embedded_one_is_started() {
    let folder = folder();
    let database = TestDatabase::without_tables().await;
    let command = |arguments: &[&str]| {
        let mut command = plenum(folder.path(), arguments);
        command.env("DATABASE_URL", database.url());
        command
    };
    let doctor = run(command(&["doctor"]));
    assert!(doctor.status.success(), "{}", stderr(&doctor));
    assert!(stdout(&doctor).contains("ok    DATABASE_URL responds."), "{}", stdout(&doctor));
    assert!(stdout(&doctor).contains("plenum migrate"), "{}", stdout(&doctor));

    let migrated = run(command(&["migrate"]));
    assert!(migrated.status.success(), "{}", stderr(&migrated));
    assert!(stdout(&migrated).starts_with("Applied: "), "{}", stdout(&migrated));
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
    // There was a super administrator already, so the start did not create the configured one.
    let body = serde_json::json!({ "email": ROOT_EMAIL, "password": PASSWORD });
    assert_eq!(serving.send("POST", "/auth/login", "", body).await.status(), 401);
    serving.signal(nix::sys::signal::Signal::SIGTERM);
    assert!(serving.ended().await.success());
    let kept: Vec<_> =
        std::fs::read_dir(folder.path().join("data")).unwrap().flatten().map(|entry| entry.file_name()).collect();
    let kept: std::collections::BTreeSet<_> = kept.into_iter().collect();
    assert_eq!(kept, ["evidence-key".into(), "secret-keys".into(), "signing-key".into()].into());
}

#[tokio::test]
async fn a_lost_second_factor_is_removed_on_the_server() {
    let folder = folder();
    let database = TestDatabase::fresh().await;
    let remove = |email: &str| {
        let mut command = plenum(folder.path(), &["remove-second-factor", "--email", email]);
        command.env("DATABASE_URL", database.url());
        run(command)
    };
    let mut conn = database.connection();
    let made = "INSERT INTO accounts VALUES (gen_random_uuid(), NULL, 'SUPER_ADMIN', 'root@example.org', 'hash', 'A', 'B', NULL,
                                              now());
                INSERT INTO second_factors SELECT id, 'sealed', now(), now(), 1 FROM accounts;
                INSERT INTO recovery_codes SELECT id, 'hash' FROM accounts;";
    conn.batch_execute(made).unwrap();
    let removed = remove("Root@example.org");
    assert!(removed.status.success(), "{}", stderr(&removed));
    assert!(stdout(&removed).contains("root@example.org signs in with the password alone."), "{}", stdout(&removed));
    let again = remove("root@example.org");
    assert_eq!(again.status.code(), Some(1), "{}", stdout(&again));
    assert!(stderr(&again).contains("there is no second factor"), "{}", stderr(&again));
    assert!(stderr(&remove("nobody@example.org")).contains("the account does not exist"));
    assert!(stderr(&remove("nobody")).contains("--email"));
}

#[test]
fn the_commands_work_with_the_embedded_database_too() {
    let folder = folder();
    let doctor = run(plenum(folder.path(), &["doctor"]));
    assert!(doctor.status.success(), "{}", stderr(&doctor));
    assert!(stdout(&doctor).contains("ok    the embedded PostgreSQL responds."), "{}", stdout(&doctor));
    assert_eq!(postgres_of(folder.path()), None);
    let migrated = run(plenum(folder.path(), &["migrate"]));
    assert!(stdout(&migrated).starts_with("Applied: "), "{} {}", stdout(&migrated), stderr(&migrated));
    assert_eq!(postgres_of(folder.path()), None);
}

#[tokio::test]
async fn the_doctor_checks_the_mail_server_and_prints_no_password() {
    let folder = folder();
    let database = TestDatabase::fresh().await;
    let server = FakeSmtpServer::start();
    let doctor = |url: &str| {
        let mut command = plenum(folder.path(), &["doctor"]);
        command.env("DATABASE_URL", database.url());
        command.env("PLENUM_SMTP_URL", url).env("PLENUM_MAIL_FROM", "no-reply@example.org");
        run(command)
    };
    let well = doctor(&server.url());
    assert!(well.status.success(), "{}", stderr(&well));
    assert!(stdout(&well).contains("ok    The mail server responds."), "{}", stdout(&well));
    assert!(stdout(&well).contains("PLENUM_PUBLIC_URL"), "{}", stdout(&well));
    server.set_behavior(ServerBehavior::WantsSignIn("another".to_owned()));
    let refused = doctor(&server.url_with_account("me", "hunter2"));
    assert_eq!(refused.status.code(), Some(1), "{}", stdout(&refused));
    assert!(stderr(&refused).contains("PLENUM_SMTP_URL") && stderr(&refused).contains("535"), "{}", stderr(&refused));
    assert!(!stderr(&refused).contains("hunter2"), "{}", stderr(&refused));
    assert_eq!(server.kept(), []);
}

#[tokio::test]
async fn the_doctor_goes_on_after_a_failure_and_says_why_it_matters_and_what_to_do() {
    let folder = folder();
    let server = FakeSmtpServer::start();
    let mut command = plenum(folder.path(), &["doctor"]);
    command.env("DATABASE_URL", "postgres://plenum@127.0.0.1:1/plenum");
    command.env("PLENUM_PUBLIC_URL", "http://vote.example.org");
    command.env("PLENUM_SMTP_URL", server.url()).env("PLENUM_MAIL_FROM", "no-reply@example.org");
    let examined = run(command);
    assert_eq!(examined.status.code(), Some(1), "{}", stderr(&examined));
    let report = stdout(&examined);
    for line in [
        "FAIL  DATABASE_URL does not respond: ",
        "\n      Why: Nothing works without the database.",
        "\n      Do:  Check the address, and that the server runs and lets Plenum in.",
        "\nok    The mail server responds.",
        "\nwarn  Voters reach Plenum at http://vote.example.org, without https.",
    ] {
        assert!(report.contains(line), "{line}\n{report}");
    }
    assert!(stderr(&examined).starts_with("plenum: DATABASE_URL does not respond: "), "{}", stderr(&examined));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_doctor_gets_a_timestamp_and_prints_no_password() {
    let folder = folder();
    let database = TestDatabase::fresh().await;
    let at = "2026-11-21T18:10:04Z".parse().unwrap();
    let service = TestService::start(TestAuthority::new("Test Timestamps"), at).await;
    let root = folder.path().join("root.pem");
    std::fs::write(&root, service.root_pem()).unwrap();
    let url = service.url().replace("http://", "http://me:hunter2@");
    let doctor = |certificates: &str| {
        let mut command = plenum(folder.path(), &["doctor"]);
        command.env("DATABASE_URL", database.url()).env("PLENUM_TIMESTAMP_URL", &url);
        command.env("PLENUM_TIMESTAMP_CERTIFICATES", certificates);
        run(command)
    };
    let well = doctor("");
    assert!(well.status.success(), "{}", stderr(&well));
    assert!(stdout(&well).contains("ok    The timestamp service answers: Test Timestamps."), "{}", stdout(&well));
    assert!(stdout(&well).contains("warn  PLENUM_TIMESTAMP_CERTIFICATES is not set"), "{}", stdout(&well));
    let known = doctor(&root.to_string_lossy());
    assert!(known.status.success() && !stdout(&known).contains("PLENUM_TIMESTAMP_CERTIFICATES"), "{}", stdout(&known));
    service.set(Behavior::Status(503));
    let refused = doctor(&root.to_string_lossy());
    assert_eq!(refused.status.code(), Some(1), "{}", stdout(&refused));
    assert!(
        stderr(&refused).contains("PLENUM_TIMESTAMP_URL") && stderr(&refused).contains("503"),
        "{}",
        stderr(&refused)
    );
    assert!(!stderr(&refused).contains("hunter2"), "{}", stderr(&refused));
    let missing = doctor("missing.pem");
    assert!(
        stderr(&missing).contains("PLENUM_TIMESTAMP_CERTIFICATES: cannot read missing.pem"),
        "{}",
        stderr(&missing)
    );
}

#[test]
fn a_command_succeeds_when_nothing_reads_its_output() {
    let folder = folder();
    let mut command = plenum(folder.path(), &["openapi"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success(), "{}", stderr(&ended));
}

#[test]
fn the_openapi_document_is_printed_without_a_database() {
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
fn the_licenses_of_everything_in_the_program_are_printed_without_a_configuration() {
    let folder = folder();
    let mut command = plenum(folder.path(), &["licenses"]);
    command.env("PLENUM_LISTEN", "nowhere");
    let printed = run(command);
    assert!(printed.status.success(), "{}", stderr(&printed));
    let text = stdout(&printed);
    let parts =
        ["\nactix-web ", "\ndiesel ", "==== Packages of the front end ====", "SIL OPEN FONT LICENSE Version 1.1"];
    for part in parts {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn the_program_prints_its_version_and_its_commands() {
    let folder = folder();
    let version = stdout(&run(plenum(folder.path(), &["--version"])));
    let first = format!("plenum {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(stdout(&run(plenum(folder.path(), &["-V"]))), format!("{first}\n"));
    assert!(version.starts_with(&format!("{first}\ncommit: ")), "{version}");
    assert!(version.contains("\nbuild: "), "{version}");
    let help = stdout(&run(plenum(folder.path(), &["--help"])));
    for command in [
        "serve",
        "migrate",
        "create-super-admin",
        "remove-second-factor",
        "openapi",
        "licenses",
        "doctor",
        "end-demonstration",
        "verify",
        "count",
        "backup",
        "restore",
    ] {
        assert!(help.contains(command), "{help}");
    }
}

/// The results of a meeting with one round and one vote, a yes.
fn results() -> Value {
    let (none, one) = (json!({ "heads": 0, "weight": 0 }), json!({ "heads": 1, "weight": 1.5 }));
    let (round, option) = ("019a9d5e-0000-7000-8000-000000000007", "019a9d5e-0000-7000-8000-000000000008");
    let (opened, ended) = ("2026-11-21T18:04:05Z", "2026-11-21T18:09:41Z");
    let result = json!({
        "roundId": round, "questionId": round, "position": 1, "number": 1, "reason": null, "status": "COUNTED",
        "questionText": "Do you approve the budget?", "questionType": "YES_NO", "ratingMax": null, "maxChoices": null,
        "isNamed": false, "decisionRule": null, "quorum": null, "openedAt": opened, "endedAt": ended,
        "declared": null, "register": one, "connectedAtOpening": none, "votesCast": one, "notVoted": none,
        "invalid": none, "numbers": null, "differentTexts": null,
        "options": [{
            "id": option, "text": "Yes", "role": "yes", "heads": 1, "weight": 1.5, "headsPercent": 100,
            "weightPercent": 100,
        }],
        "decision": { "outcome": "undecided", "elected": [], "tie": null },
        "arithmetic": { "checks": [], "quorum": null, "sentence": "Not decided: the question has no decision rule" },
        "log": [],
    });
    let register = json!([{
        "place": 1, "name": "Ada Young", "username": "ada.young", "weight": 1.5, "addedAt": opened,
        "wasConnected": false, "hasVoted": true,
    }]);
    let ballots = json!([{ "voter": null, "answer": { "options": [option] }, "weight": 1.5, "count": 1 }]);
    json!({
        "format": "plenum-results/1", "exportedAt": ended, "attendance": [], "remarks": [],
        "meeting": {
            "id": round, "title": "Annual meeting", "organization": "Rowing Club", "status": "COMPLETED",
            "scheduledStart": null, "scheduledEnd": null, "quorum": null,
        },
        "rounds": [{ "result": result, "register": register, "ballots": ballots, "texts": [] }],
    })
}

/// The output of `plenum verify` for a file with this content, and its exit code.
fn verified(content: &str) -> (String, Option<i32>) {
    let folder = folder();
    std::fs::write(folder.path().join("results.json"), content).unwrap();
    let mut command = plenum(folder.path(), &["verify", "results.json"]);
    // The command needs no configuration, and ignores an invalid one.
    command.env("PLENUM_LISTEN", "nowhere");
    let output = run(command);
    assert_eq!(stderr(&output), "");
    (stdout(&output), output.status.code())
}

#[test]
fn the_verify_command_counts_the_results_of_a_file_again() {
    let (printed, code) = verified(&results().to_string());
    let line = "agrees   Item 1, round 1: Do you approve the budget? (register 1, ballots 1)";
    assert!(printed.contains(line) && printed.contains("agrees with the recount: 1 round."), "{printed}");
    assert!(printed.contains("Verdict: consistent, origin unknown."), "{printed}");
    assert_eq!(code, Some(3));
    let mut other = results();
    other["rounds"][0]["result"]["options"][0]["weight"] = json!(1.25);
    let (printed, code) = verified(&other.to_string());
    assert!(printed.contains("result.options.0.weight: the file says 1.25; the recount says 1.5"), "{printed}");
    assert!(printed.contains("DIFFERS  Item 1, round 1"), "{printed}");
    assert_eq!(code, Some(1));
}

#[test]
fn the_verify_command_explains_why_it_refuses_a_file() {
    for (content, reason) in [
        ("Name,Weight", "this table is not signed"),
        ("{}", "not a results file"),
        (r#"{ "format": "plenum-results/3" }"#, "plenum-results/3"),
        (r#"{ "format": "plenum-results/2" }"#, "damaged"),
    ] {
        let (printed, code) = verified(content);
        assert!(printed.contains("results.json cannot be verified") && printed.contains(reason), "{printed}");
        assert_eq!(code, Some(2));
    }
    let folder = folder();
    let missing = run(plenum(folder.path(), &["verify", "nothing.json"]));
    assert_eq!(missing.status.code(), Some(2), "{}", stdout(&missing));
}
