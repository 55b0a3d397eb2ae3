//! The commit of a folder with source, as git knows it. The build script and its test include this file.

use std::path::Path;
use std::process::{Command, Stdio};

/// A commit, and whether files differ from it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Commit {
    pub(crate) hash: String,
    /// Seconds since 1970.
    pub(crate) committed_at: String,
    pub(crate) has_changes: bool,
}

/// The commit of this folder, or `None` if it is not the top of a working tree: an unpacked archive must not get the commit of a
/// repository that happens to be around it.
pub(crate) fn commit_of(folder: &Path) -> Option<Commit> {
    let top = git(folder, &["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != folder.canonicalize().ok()? {
        return None;
    }
    let head = git(folder, &["log", "-1", "--format=%H %ct"])?;
    let (hash, committed_at) = head.split_once(' ')?;
    let changes = git(folder, &["status", "--porcelain", "--untracked-files=no"])?;
    Some(Commit { hash: hash.to_owned(), committed_at: committed_at.to_owned(), has_changes: !changes.is_empty() })
}

fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    // A build must not change the index, which another git may be using.
    let output = Command::new("git")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .args(arguments)
        .current_dir(folder)
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
