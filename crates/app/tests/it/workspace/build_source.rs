//! The commit that a build names in `plenum --version`.

#[path = "../../../build/source.rs"]
mod source;

use std::fs;
use std::path::Path;
use std::process::Command;

use self::source::commit_of;

fn git(folder: &Path, arguments: &[&str]) {
    let made = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_COMMITTER_DATE", "1764288000 +0000")
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

#[test]
fn a_build_names_its_commit_and_whether_files_differ() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "as committed").unwrap();
    git(folder.path(), &["init", "--quiet"]);
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "--quiet", "--message", "First"]);

    let clean = commit_of(folder.path()).unwrap();
    assert_eq!((clean.hash.len(), clean.committed_at.as_str(), clean.has_changes), (40, "1764288000", false));
    fs::write(folder.path().join("untracked"), "not a part of the source").unwrap();
    assert_eq!(commit_of(folder.path()).unwrap(), clean);
    fs::write(&file, "changed").unwrap();
    assert!(commit_of(folder.path()).unwrap().has_changes);
}

#[test]
fn an_unpacked_archive_has_no_commit_even_inside_another_repository() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(commit_of(folder.path()), None);
    let unpacked = folder.path().join("plenum");
    fs::create_dir(&unpacked).unwrap();
    fs::write(unpacked.join("file"), "").unwrap();
    git(folder.path(), &["init", "--quiet"]);
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "--quiet", "--message", "Another repository"]);
    assert_eq!(commit_of(&unpacked), None);
}
