//! The server that the tests of other crates share.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use diesel::{Connection, PgConnection};
use plenum_embedded_postgres::testkit::TestServer;

const IS_OTHER_PROCESS: &str = "PLENUM_TEST_IS_OTHER_PROCESS";

#[test]
fn all_tests_of_a_process_share_one_server() {
    let server = TestServer::shared();
    assert!(std::ptr::eq(server, TestServer::shared()));
    PgConnection::establish(server.url()).expect("a connection");
}

/// Not a test by itself: the test below runs it as a separate process.
#[test]
fn the_process_that_another_test_starts() {
    if std::env::var_os(IS_OTHER_PROCESS).is_some() {
        PgConnection::establish(TestServer::shared().url()).expect("a connection");
    }
}

#[test]
fn a_server_ends_with_its_test_process_and_its_folder_goes_at_the_next_start() {
    let run_other_process = || -> PathBuf {
        let mut process = Command::new(std::env::current_exe().expect("this test"))
            .args(["testkit::the_process_that_another_test_starts", "--exact"])
            .env(IS_OTHER_PROCESS, "yes")
            .stdout(Stdio::null())
            .spawn()
            .expect("a process");
        assert!(process.wait().expect("its end").success());
        std::env::temp_dir().join(format!("plenum-test-pg-{}", process.id()))
    };

    let folder = run_other_process();
    eventually("the server ends", || !folder.join("pg18/postmaster.pid").exists());
    assert!(fs::metadata(&folder).is_ok());
    run_other_process();
    assert!(fs::metadata(&folder).is_err());
}

#[expect(clippy::disallowed_methods, reason = "this is the polling with a deadline that the ban asks for")]
fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < deadline, "not in time: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
