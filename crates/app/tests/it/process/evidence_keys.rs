//! The commands for the evidence key never lose one, and each refusal names a way that leads on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use nix::sys::signal::Signal;
use plenum_adapter_postgres::testkit::TestDatabase;

use crate::process::support::{Serving, folder, plenum, run, stderr, stdout};

/// The output of a command on this database, and of `serve` if it is refused.
fn command(database: &TestDatabase, folder: &Path, arguments: &[&str]) -> Output {
    let mut command = plenum(folder, arguments);
    command.env("DATABASE_URL", database.url());
    run(command)
}

async fn serve_once(database: &TestDatabase, folder: &Path) {
    let mut command = plenum(folder, &["serve"]);
    command.env("DATABASE_URL", database.url());
    let mut serving = Serving::start_as(command).await;
    serving.signal(Signal::SIGTERM);
    assert!(serving.ended().await.success());
}

fn assert_refused(refused: &Output, words: &str) {
    assert_eq!(refused.status.code(), Some(1), "{words}: {}", stdout(refused));
    assert!(stderr(refused).contains(words), "{words}: {}", stderr(refused));
}

/// The files beside this one whose names begin with its name.
fn kept_beside(file: &Path) -> Vec<PathBuf> {
    let name = format!("{}.replaced-", file.file_name().unwrap().to_str().unwrap());
    let entries = fs::read_dir(file.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    let mut kept: Vec<_> =
        entries.filter(|entry| entry.file_name().unwrap().to_str().unwrap().starts_with(&name)).collect();
    kept.sort();
    kept
}

#[tokio::test]
async fn a_key_that_is_found_again_after_it_was_replaced_is_accepted_again() {
    let (folder, database) = (folder(), TestDatabase::fresh().await);
    let file = folder.path().join("data/evidence-key");
    let said = |arguments: &[&str]| command(&database, folder.path(), arguments);
    serve_once(&database, folder.path()).await;
    let original = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    // The database knows that there was one.
    assert_refused(&said(&["evidence-key"]), "evidence-key is lost");
    assert!(said(&["evidence-key", "replace"]).status.success());
    serve_once(&database, folder.path()).await;

    fs::write(&file, &original).unwrap();
    for refused in [&["serve"][..], &["doctor"], &["evidence-key", "rotate"], &["evidence-key", "replace"]] {
        assert_refused(&said(refused), "`plenum evidence-key accept` makes the database expect it");
        assert_eq!(fs::read(&file).unwrap(), original, "{refused:?}");
    }
    let accepted = said(&["evidence-key", "accept"]);
    assert!(accepted.status.success(), "{}", stderr(&accepted));
    assert!(stdout(&accepted).contains("are shown as damaged"), "{}", stdout(&accepted));
    serve_once(&database, folder.path()).await;
    assert_refused(&said(&["evidence-key", "accept"]), "nothing was changed");
    assert!(said(&["evidence-key", "rotate"]).status.success());
    serve_once(&database, folder.path()).await;
}

#[tokio::test]
async fn a_file_that_is_replaced_is_kept_under_a_name_of_its_own() {
    let (folder, database) = (folder(), TestDatabase::fresh().await);
    let file = folder.path().join("keyfile.txt");
    let replace = || {
        let mut command = plenum(folder.path(), &["evidence-key", "replace"]);
        command.env("DATABASE_URL", database.url()).env("PLENUM_EVIDENCE_KEY_FILE", "keyfile.txt");
        run(command)
    };
    let mut kept = Vec::new();
    for content in ["hello world", "hello again"] {
        fs::write(&file, content).unwrap();
        let replaced = replace();
        assert!(replaced.status.success(), "{}", stderr(&replaced));
        let now = kept_beside(&file);
        let new: Vec<_> = now.iter().filter(|one| !kept.contains(*one)).collect();
        assert_eq!((new.len(), now.len()), (1, kept.len() + 1));
        assert_eq!(fs::read_to_string(new[0]).unwrap(), content);
        let name = new[0].file_name().unwrap().to_str().unwrap();
        assert!(stdout(&replaced).contains(&format!("kept as {name}")), "{}", stdout(&replaced));
        kept = now;
    }
    assert_eq!(fs::read_to_string(&kept[0]).unwrap(), "hello world");
    // A key that cannot be read is not replaced.
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert_refused(&replace(), "cannot read or store the evidence key");
    assert!(file.is_dir());
}

#[tokio::test]
async fn the_first_start_makes_a_key_only_where_there_was_none() {
    let (folder, database) = (folder(), TestDatabase::fresh().await);
    let nothing_yet = "the first `plenum serve` makes it";
    assert_refused(&run(plenum(folder.path(), &["evidence-key"])), nothing_yet);
    assert!(!folder.path().join("data").exists(), "a database was made for nothing");
    assert_refused(&command(&database, folder.path(), &["evidence-key"]), nothing_yet);
    serve_once(&database, folder.path()).await;
    assert!(command(&database, folder.path(), &["evidence-key"]).status.success());
}
