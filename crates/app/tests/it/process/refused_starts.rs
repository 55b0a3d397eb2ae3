//! Starts that cannot succeed suggest a remedy.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, SystemTime};

use plenum_adapter_postgres::testkit::TestDatabase;
use serde_json::json;
use tokio::task::block_in_place;

use crate::process::support::site::{heads_of, open_secret_question, vote_with_repeats};
use crate::process::support::{Hall, PASSWORD, Serving, empty_folder, folder, plenum, run, stderr, stdout};

#[tokio::test]
async fn a_second_start_on_the_same_folder_is_refused_without_side_effects() {
    let folder = folder();
    let serving = Serving::start(folder.path()).await;
    let second = run(plenum(folder.path(), &["serve"]));
    assert_eq!(second.status.code(), Some(1));
    let error = stderr(&second);
    assert!(error.contains("is in use by") && error.contains("PLENUM_DATA_DIR"), "{error}");
    assert!(!stdout(&second).contains("listening on"));
    assert_eq!(serving.get("/health/ready", "").await["status"], "ready");
}

/// Such as a backup that is restored for inspection with the same file of variables. Its database does not know the open rounds.
#[tokio::test(flavor = "multi_thread")]
async fn a_copy_on_the_key_folder_of_a_running_installation_is_refused_and_destroys_no_key() {
    const VOTERS: usize = 6;
    let (database, of_copy) = (TestDatabase::fresh().await, TestDatabase::fresh().await);
    let (home, copy) = (folder(), folder());
    let keys = home.path().join("keys");
    let command = |folder: &Path, database: &TestDatabase| {
        let mut command = plenum(folder, &["serve"]);
        command.env("DATABASE_URL", database.url()).env("PLENUM_SECRET_KEYS_DIR", &keys);
        command
    };
    let serving = Serving::start_as(command(home.path(), &database)).await;
    let hall = Hall::new(&serving, VOTERS).await;
    let (question, round) = open_secret_question(&serving, &hall).await;
    // A young key would stay: it may belong to a round that is being opened.
    let key = File::options().write(true).open(keys.join(&round)).unwrap();
    key.set_modified(SystemTime::now() - Duration::from_secs(3_600)).unwrap();

    let refused = block_in_place(|| run(command(copy.path(), &of_copy)));
    assert_eq!(refused.status.code(), Some(1), "{}", stdout(&refused));
    let error = stderr(&refused);
    assert!(error.contains("waiting for its end"), "{error}");
    assert!(
        error.contains("is in use by another running instance") && error.contains("PLENUM_SECRET_KEYS_DIR"),
        "{error}"
    );
    assert!(!stdout(&refused).contains("listening on"));
    for voter in 0..VOTERS {
        vote_with_repeats(&serving, &hall, &question, voter).await;
    }
    assert_eq!(heads_of(&serving, &hall, &round).await, json!(VOTERS));
}

#[test]
fn a_taken_address_is_refused_before_anything_else_starts() {
    let folder = folder();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut command = plenum(folder.path(), &["serve"]);
    command.env("PLENUM_LISTEN", taken.local_addr().unwrap().to_string());
    let refused = run(command);
    assert_eq!(refused.status.code(), Some(1));
    let error = stderr(&refused);
    assert!(error.contains("cannot listen on") && error.contains("PLENUM_LISTEN"), "{error}");
    assert!(!folder.path().join("data").exists(), "the database was started");
}

#[tokio::test]
async fn a_lost_or_damaged_signing_key_is_never_replaced_silently() {
    let folder = folder();
    let database = TestDatabase::fresh().await;
    let command = |arguments: &[&str]| {
        let mut command = plenum(folder.path(), arguments);
        command.env("DATABASE_URL", database.url());
        run(command)
    };
    let create = |email: &str| command(&["create-super-admin", "--email", email, "--password", PASSWORD]);
    let file = folder.path().join("data/signing-key");
    assert!(create("first@example.org").status.success());
    let first = fs::read(&file).unwrap();

    fs::remove_file(&file).unwrap();
    for refused in [command(&["serve"]), create("second@example.org")] {
        let error = stderr(&refused);
        assert!(error.contains("signing-key is lost") && error.contains("signing-key replace"), "{error}");
        assert!(!file.exists(), "nothing was put in its place");
    }
    for (content, words) in
        [(&b"half a key"[..], "is too short"), (&[first.as_slice(), b"x"].concat(), "is not the signing key")]
    {
        fs::write(&file, content).unwrap();
        let refused = command(&["serve"]);
        let error = stderr(&refused);
        assert!(error.contains(words) && error.contains("signing-key replace"), "{error}");
        assert_eq!(fs::read(&file).unwrap(), content);
    }

    fs::write(&file, b"half a key").unwrap();
    let replaced = command(&["signing-key", "replace"]);
    assert!(stdout(&replaced).contains("Everybody has to sign in again"), "{}", stderr(&replaced));
    let kept = fs::read_dir(folder.path().join("data")).unwrap().map(|entry| entry.unwrap().path());
    let kept: Vec<_> = kept.filter(|file| file.to_str().unwrap().contains("signing-key.replaced-")).collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(fs::read(&kept[0]).unwrap(), b"half a key");
    assert!(stdout(&replaced).contains(kept[0].to_str().unwrap()), "{}", stdout(&replaced));
    assert!(create("second@example.org").status.success());
    let again = command(&["signing-key", "replace"]);
    assert_eq!(again.status.code(), Some(1), "a key that can be used stays");
    // The kept copy can still be restored.
    fs::write(&file, &first).unwrap();
    assert!(command(&["signing-key", "replace"]).status.success());
    assert!(create("third@example.org").status.success());
}

#[test]
fn a_wrong_value_names_its_variable() {
    let folder = folder();
    for (variable, value) in [
        ("PLENUM_LISTEN", "localhost"),
        ("DATABASE_URL", "mysql://localhost"),
        ("PLENUM_JWT_SECRET", "too short"),
        ("PLENUM_BASE_PATH", "/a b"),
        ("PLENUM_PUBLIC_URL", "vote.example.org"),
        ("PLENUM_PUBLIC_URL", "https://x:abc"),
        ("PLENUM_PUBLIC_URL", "https://[::1"),
        ("PLENUM_CORS_ORIGINS", "*"),
        ("PLENUM_CORS_ORIGINS", "https://*.example.org"),
        ("PLENUM_TRUSTED_PROXIES", "proxy"),
        ("PLENUM_TRUSTED_PROXIES", "0.0.0.0/0"),
        ("PLENUM_TRUSTED_PROXY", "10.0.0.7"),
        ("PLENUM_JWT_SECRET", "00000000000000000000000000000000000000000000"),
        ("PLENUM_ALLOW_VOTE_RESET", "perhaps"),
        ("PLENUM_SUPER_ADMIN_PASSWORD", "short"),
        ("PLENUM_NATS_URL", "127.0.0.1:4222"),
        ("PLENUM_LOG", "a=b=c"),
        ("PLENUM_LOG_FORMAT", "xml"),
    ] {
        for arguments in [&["serve"][..], &["doctor"]] {
            let mut command = plenum(folder.path(), arguments);
            command.env(variable, value);
            let refused = run(command);
            assert_eq!(refused.status.code(), Some(2), "{variable} {arguments:?}: {}", stderr(&refused));
            let error = stderr(&refused);
            assert!(error.starts_with(&format!("plenum: {variable} must be")), "{variable}: {error}");
        }
    }
    assert!(!folder.path().join("data").exists());
}

#[test]
fn a_value_that_is_not_text_is_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let folder = folder();
    for variable in ["DATABASE_URL", "PLENUM_JWT_SECRET", "PLENUM_NEW_PASSWORD"] {
        let mut command = plenum(folder.path(), &["serve"]);
        command.env(variable, OsStr::from_bytes(b"postgres://plenum:hunter2\xff@localhost/plenum"));
        let refused = run(command);
        assert_eq!(refused.status.code(), Some(2), "{variable}: {}", stderr(&refused));
        assert_eq!(stderr(&refused), format!("plenum: {variable} must be text in UTF-8\n"));
    }
    assert!(!folder.path().join("data").exists());
}

#[test]
fn an_unknown_variable_name_leads_to_a_warning() {
    let folder = folder();
    let mut command = plenum(folder.path(), &["openapi"]);
    command.env("PLENUM_SERVICE_HOST", "10.0.0.1");
    let printed = run(command);
    assert!(printed.status.success(), "{}", stderr(&printed));
    assert!(stderr(&printed).contains("PLENUM_SERVICE_HOST is not a variable of Plenum"), "{}", stderr(&printed));
}

#[test]
fn a_file_without_a_usable_signing_key_is_refused_and_kept() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    let key = folder.path().join("data/signing-key");
    for (content, reason) in [("", "is empty"), ("too short", "is too short"), (&"x".repeat(64), "can be guessed")] {
        std::fs::write(&key, content).unwrap();
        for arguments in [&["serve"][..], &["doctor"]] {
            let refused = run(plenum(folder.path(), arguments));
            assert_eq!(refused.status.code(), Some(1), "{arguments:?}: {}", stderr(&refused));
            let error = stderr(&refused);
            assert!(error.contains(reason) && error.contains("data/signing-key"), "{error}");
            assert_eq!(std::fs::read_to_string(&key).unwrap(), content);
        }
    }
}

#[test]
fn without_the_programs_of_postgres_the_error_names_the_command_to_run() {
    let folder = folder();
    let nothing = empty_folder(folder.path());
    for arguments in [&["serve"][..], &["doctor"], &["migrate"]] {
        let mut command = plenum(folder.path(), arguments);
        command.env("PLENUM_POSTGRES_BIN", &nothing);
        let refused = run(command);
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}");
        let error = stderr(&refused);
        assert!(error.contains("contains no PostgreSQL 14 or newer that runs"), "{error}");
        assert!(error.contains(nothing.to_str().unwrap()), "{error}");
    }
}

#[test]
fn an_unreachable_database_is_named_with_advice() {
    let folder = folder();
    // A port that was free a moment ago.
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for (arguments, advice) in [(&["serve"][..], "plenum doctor"), (&["doctor"], "DATABASE_URL")] {
        let mut command = plenum(folder.path(), arguments);
        command.env("DATABASE_URL", format!("postgres://plenum:secret-word@{free}/plenum"));
        let refused = run(command);
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}");
        let error = stderr(&refused);
        assert!(error.contains(advice), "{error}");
        assert!(!error.contains("secret-word"), "{error}");
    }
}

#[test]
fn unknown_arguments_are_explained() {
    let folder = folder();
    for arguments in [&[][..], &["sreve"], &["serve", "--dmeo"]] {
        let refused = run(plenum(folder.path(), arguments));
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&refused).contains("Usage:"), "{arguments:?}: {}", stderr(&refused));
    }
}
