//! The special cases of root, because PostgreSQL refuses to run as root. An ordinary user passes these tests without
//! them.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::Command;

use nix::unistd::geteuid;
use plenum_embedded_postgres::{EmbeddedPostgres, Settings};

use crate::embedded::support::{
    cluster_of, open_folder, package_root, private_folder, remember, remembered, settings, start,
};

#[test]
fn the_server_has_no_rights_of_root_if_others_can_reach_the_folder() {
    let folder = open_folder();
    let server = start(folder.path());
    let process = fs::metadata(format!("/proc/{}", server.process_id().expect("a process"))).expect("the process");
    assert_ne!(process.uid(), 0);
    assert_eq!(process.uid(), fs::metadata(cluster_of(&server)).expect("the cluster").uid());
}

#[test]
fn a_data_folder_below_a_private_folder_works_again_and_again() {
    // Root's server must have access too: no other user has.
    let folder = private_folder();
    let first = start(folder.path());
    assert_eq!(fs::metadata(cluster_of(&first)).expect("the cluster").uid(), geteuid().as_raw());
    remember(first.url(), "kept");
    first.stop().expect("an ordered stop");
    assert_eq!(remembered(start(folder.path()).url()), "kept");
}

#[test]
fn a_private_data_folder_made_by_someone_else_works() {
    let folder = open_folder();
    fs::create_dir(folder.path().join("data")).expect("a folder");
    fs::set_permissions(folder.path().join("data"), fs::Permissions::from_mode(0o700)).expect("permissions");
    remember(start(folder.path()).url(), "kept");
}

#[test]
fn a_data_folder_that_becomes_private_keeps_working() {
    let folder = open_folder();
    let first = start(folder.path());
    remember(first.url(), "kept");
    first.stop().expect("an ordered stop");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).expect("permissions");
    let second = start(folder.path());
    assert_eq!(remembered(second.url()), "kept");
    second.stop().expect("an ordered stop");
    // Its owner remains the user that it switched to.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("permissions");
    assert_eq!(remembered(start(folder.path()).url()), "kept");
}

#[test]
fn binaries_below_a_private_folder_work() {
    let private = private_folder();
    let status = Command::new("cp")
        .args(["-r", "--preserve=mode"])
        .arg(package_root().join("node_modules"))
        .arg(private.path())
        .status()
        .expect("a copy");
    assert!(status.success());
    let folder = open_folder();
    let settings = Settings { package_roots: vec![private.path().to_owned()], ..settings(folder.path()) };
    let first = EmbeddedPostgres::start(&settings).expect("a server");
    remember(first.url(), "kept");
    first.stop().expect("an ordered stop");
    let second = EmbeddedPostgres::start(&settings).expect("a server");
    assert_eq!(remembered(second.url()), "kept");
    assert_eq!(fs::read_to_string(cluster_of(&second).join("PG_VERSION")).expect("a version").trim(), "18");
}
