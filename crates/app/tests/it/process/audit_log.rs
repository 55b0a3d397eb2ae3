//! Manipulations of the audit log by the owner of the database.

use std::fs;
use std::path::Path;
use std::process::Output;

use diesel::connection::SimpleConnection;
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{AuditChains, PostgresAuditTrail};
use plenum_adapter_security::{EvidenceKeyRing, SystemClock};
use plenum_clients::{AuditTrail as _, NotedAct};
use plenum_kernel::Clock as _;

use crate::process::support::{folder, plenum, run, stderr, stdout};

/// A database with a log of this many entries.
async fn logged(number: usize) -> TestDatabase {
    let database = TestDatabase::fresh().await;
    let trail = PostgresAuditTrail::new(database.db());
    for _ in 0..number {
        trail.note(NotedAct::ReportsExported).await.unwrap();
    }
    while AuditChains::new(database.db()).link().await.unwrap() {}
    database
}

fn verify(database: &TestDatabase) -> Output {
    let folder = folder();
    let mut command = plenum(folder.path(), &["verify", "--database"]);
    command.env("DATABASE_URL", database.url());
    run(command)
}

/// Runs statements without the triggers that protect the log, as the owner of the server can.
fn tamper(database: &TestDatabase, statements: &str) {
    let statements = format!("BEGIN; SET LOCAL session_replication_role = replica; {statements}; COMMIT");
    database.connection().batch_execute(&statements).unwrap();
}

#[tokio::test]
async fn an_intact_log_is_reported_with_its_head_and_its_entries_without_a_link() {
    let database = logged(5).await;
    PostgresAuditTrail::new(database.db()).note(NotedAct::ReportsExported).await.unwrap();
    let output = verify(&database);
    // There is no key here, so records were not checked.
    assert_eq!(output.status.code(), Some(3), "{} {}", stdout(&output), stderr(&output));
    assert!(
        stdout(&output).contains("intact   platform: 5 entries, 1 not linked yet, last hash "),
        "{}",
        stdout(&output)
    );
}

#[tokio::test]
async fn a_change_of_a_row_behind_the_triggers_is_found() {
    for (statements, words) in [
        ("UPDATE audit_entries SET by_name = 'Eve' WHERE number = 3", "entry 3 was changed"),
        ("UPDATE audit_entries SET noted_at = noted_at - interval '1 day' WHERE number = 1", "entry 1 was changed"),
        ("DELETE FROM audit_entries WHERE number = 3", "entry 2 is followed by entry 4"),
        ("DELETE FROM audit_entries WHERE number > 4", "the entries end with 4, and the chain was 6 long"),
        ("DELETE FROM audit_heads", "the chain was 0 long"),
        (
            "UPDATE audit_entries SET number = -4 WHERE number = 4; UPDATE audit_entries SET number = 4 WHERE number = 5; \
             UPDATE audit_entries SET number = 5 WHERE number = -4",
            "entry 4 does not follow",
        ),
        (
            "INSERT INTO audit_entries (chain, kind, by_role, subject_kind, changes, number, previous_hash, hash)
             SELECT chain, kind, by_role, subject_kind, changes, 7, hash, hash FROM audit_entries WHERE number = 6",
            "the entries end with 7, and the chain was 6 long",
        ),
        ("DELETE FROM audit_entries", "the entries end with 0, and the chain was 6 long"),
    ] {
        let database = logged(6).await;
        tamper(&database, statements);
        let output = verify(&database);
        assert_eq!(output.status.code(), Some(1), "{statements}: {} {}", stdout(&output), stderr(&output));
        assert!(stdout(&output).contains(words), "{statements}: {}", stdout(&output));
        assert!(stdout(&output).contains("The audit log was tampered with, or it was purged"), "{}", stdout(&output));
    }
}

#[tokio::test]
async fn what_cannot_be_checked_is_not_called_a_change() {
    let (database, empty, folder) = (logged(3).await, TestDatabase::without_tables().await, folder());
    let (damaged, key) = (folder.path().join("damaged-key"), folder.path().join("evidence-key"));
    fs::write(&damaged, "half a key").unwrap();
    fs::write(&key, EvidenceKeyRing::generate(SystemClock.now()).to_file()).unwrap();
    let check = |database: &TestDatabase, key: &Path, more: &[&str]| {
        let mut command = plenum(folder.path(), &[&["verify", "--database"][..], more].concat());
        command.env("DATABASE_URL", database.url()).env("PLENUM_EVIDENCE_KEY_FILE", key);
        run(command)
    };
    for (output, words) in [
        (check(&database, &damaged, &[]), "damaged-key"),
        (check(&database, &key, &["--client", "nobody"]), "there is no organization with the code nobody"),
        (check(&empty, &key, &[]), ""),
    ] {
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words}: {} {error}", stdout(&output));
        assert!(error.contains("plenum: the database cannot be verified: ") && error.contains(words), "{error}");
        assert!(!stdout(&output).contains("tampered"), "{}", stdout(&output));
    }
    // What was found before is still true.
    tamper(&database, "UPDATE audit_entries SET by_name = 'Eve' WHERE number = 2; DROP TABLE result_records CASCADE");
    let output = check(&database, &key, &[]);
    assert_eq!(output.status.code(), Some(1), "{} {}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains("entry 2 was changed"), "{}", stdout(&output));
    assert!(stderr(&output).contains("cannot be verified"), "{}", stderr(&output));
}

#[tokio::test]
async fn an_entry_that_was_put_in_with_an_earlier_time_is_named_and_is_no_fault() {
    let database = logged(3).await;
    let statements = "INSERT INTO audit_entries (chain, noted_at, kind, by_role, by_name, subject_kind, changes)
                      SELECT chain, '2020-01-01', 'signed_in', 'CLIENT', 'Innocent', 'session', '[]' FROM audit_heads";
    tamper(&database, statements);
    while AuditChains::new(database.db()).link().await.unwrap() {}
    let output = verify(&database);
    assert_eq!(output.status.code(), Some(3), "{} {}", stdout(&output), stderr(&output));
    let words = "entry 4 is of a time before that of the entry before it: a clock was set back, or it was put in later";
    assert!(stdout(&output).contains(words), "{}", stdout(&output));
}

#[test]
fn files_are_verified_without_a_database() {
    let folder = folder();
    let empty = r#"{"format":"plenum-audit/1","chain":"00000000-0000-0000-0000-000000000000",
                    "exportedAt":"2026-11-22T11:00:00Z","waiting":0,"head":null,"entries":[]}"#;
    fs::write(folder.path().join("log.json"), empty).unwrap();
    let cut = empty.replace("\"head\":null", &format!("\"head\":{{\"number\":2,\"hash\":\"{}\"}}", "00".repeat(32)));
    fs::write(folder.path().join("cut.json"), cut).unwrap();
    fs::write(folder.path().join("half.json"), &empty[..100]).unwrap();
    for (arguments, code, words) in [
        (&["verify", "log.json"][..], 3, "The chain is intact."),
        (&["verify", "log.json"][..], 3, "Verdict: consistent, origin unknown."),
        (&["verify", "log.json", "--since", "log.json"], 3, "The chain is intact."),
        (&["verify", "cut.json"], 1, "The chain is broken."),
        (&["verify", "half.json"], 2, "cannot be verified"),
        (&["verify", "log.json", "--since", "nowhere.json"], 2, "cannot be verified"),
        (&["verify"], 2, ""),
    ] {
        let output = run(plenum(folder.path(), arguments));
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {} {}", stdout(&output), stderr(&output));
        assert!(stdout(&output).contains(words), "{arguments:?}: {}", stdout(&output));
    }
}
