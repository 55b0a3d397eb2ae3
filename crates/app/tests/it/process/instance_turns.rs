//! Instances that exchange no messages never serve one database at once.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use plenum_adapter_postgres::testkit::TestDatabase;
use tokio::task::{block_in_place, spawn_blocking};

use crate::process::support::{ABSENT_NATS, Serving, folder, plenum, run, shared_evidence_key, stderr, stdout, until};

/// A command of an instance without NATS.
fn alone(database: &TestDatabase, folder: &Path, what: &str) -> Command {
    let mut command = plenum(folder, &[what]);
    command
        .env("DATABASE_URL", database.url())
        .env("PLENUM_JWT_SECRET", "one key for all of the instances")
        .env("PLENUM_EVIDENCE_KEY_FILE", shared_evidence_key());
    command
}

fn with_nats(mut command: Command) -> Command {
    command.env("PLENUM_NATS_URL", ABSENT_NATS);
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_instance_is_refused_unless_both_have_nats_and_is_told_so() {
    let (database, folders) = (TestDatabase::fresh().await, [folder(), folder(), folder()]);
    let [first, second, third] = &folders;
    let serving = Serving::start_as(alone(&database, first.path(), "serve")).await;
    let starts = [alone(&database, second.path(), "serve"), with_nats(alone(&database, third.path(), "serve"))];
    // Each waits for half a minute.
    let [without, with] = starts.map(|command| spawn_blocking(move || run(command)));

    let doctor = block_in_place(|| run(alone(&database, second.path(), "doctor")));
    assert!(doctor.status.success(), "{}", stderr(&doctor));
    let found = "info  An instance without PLENUM_NATS_URL serves the database (session ";
    assert!(stdout(&doctor).contains(found), "{}", stdout(&doctor));
    let doctor = block_in_place(|| run(with_nats(alone(&database, third.path(), "doctor"))));
    assert!(doctor.status.success(), "it may be the instance that is restarted: {}", stderr(&doctor));
    assert!(stdout(&doctor).contains("and PLENUM_NATS_URL is set here"), "{}", stdout(&doctor));

    for (refused, remedy) in [
        (without.await.unwrap(), "this one has no PLENUM_NATS_URL. Stop the other one"),
        (with.await.unwrap(), "that one has no PLENUM_NATS_URL. Stop it"),
    ] {
        assert_eq!(refused.status.code(), Some(1), "{}", stdout(&refused));
        let error = stderr(&refused);
        assert!(error.contains("waiting for its end"), "{error}");
        assert!(error.contains("another instance serves this database (session ") && error.contains(remedy), "{error}");
        assert!(!stdout(&refused).contains("listening on"));
    }
    assert_eq!(serving.get("/health/ready", "").await["status"], "ready");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_waits_for_the_end_of_its_predecessor() {
    let (database, first, second) = (TestDatabase::fresh().await, folder(), folder());
    let mut before = Serving::start_as(alone(&database, first.path(), "serve")).await;
    let starting = tokio::spawn(Serving::start_as(alone(&database, second.path(), "serve")));
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert!(!starting.is_finished(), "both serve");
    before.signal(Signal::SIGTERM);
    assert!(before.ended().await.success());
    let after = starting.await.unwrap();
    assert_eq!(after.get("/health/ready", "").await["status"], "ready");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_ends_the_wait() {
    let (database, first, second) = (TestDatabase::fresh().await, folder(), folder());
    let _serving = Serving::start_as(alone(&database, first.path(), "serve")).await;
    let mut waiting = alone(&database, second.path(), "serve").spawn().unwrap();
    let mut log = BufReader::new(waiting.stderr.take().unwrap()).lines().map_while(Result::ok);
    block_in_place(|| assert!(log.any(|line| line.contains("waiting for its end"))));
    kill(Pid::from_raw(waiting.id().cast_signed()), Signal::SIGTERM).unwrap();
    let mut status = None;
    until("it ends", || {
        status = waiting.try_wait().unwrap();
        status.is_some()
    })
    .await;
    assert!(status.unwrap().success(), "{status:?}");
}
