//! The processes of the PostgreSQL of a data directory.

use std::fs;
use std::path::Path;

/// Process id of the postmaster.
pub(super) fn postmaster_of(data: &Path) -> Option<i32> {
    fs::read_dir(data).ok()?.flatten().find_map(|entry| {
        let pid_file = fs::read_to_string(entry.path().join("postmaster.pid")).ok()?;
        pid_file.lines().next()?.trim().parse().ok()
    })
}

/// Process ids of its child processes.
pub(super) fn children_of(postmaster: i32) -> Vec<i32> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let mut children: Vec<i32> = pids.filter(|pid| parent_of(*pid) == Some(postmaster)).collect();
    children.sort_unstable();
    children
}

/// Process ids of the child processes that serve a session of the product.
pub(super) fn backends_of(postmaster: i32) -> Vec<i32> {
    let is_backend = |pid: &i32| {
        let title = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&title).contains("plenum plenum")
    };
    children_of(postmaster).into_iter().filter(is_backend).collect()
}

/// "1 (name) S 2 …": the state and the parent follow the name, which may contain any character.
fn parent_of(pid: i32) -> Option<i32> {
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    status.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_postmaster_is_found_by_its_pid_file() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(postmaster_of(folder.path()), None);
        fs::create_dir(folder.path().join("pg18")).unwrap();
        fs::write(folder.path().join("pg18/postmaster.pid"), "4711\n/data\n").unwrap();
        assert_eq!(postmaster_of(folder.path()), Some(4711));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn children_are_found_by_their_parent() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let (us, it) = (std::process::id().cast_signed(), child.id().cast_signed());
        let found = children_of(us);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(found.contains(&it), "{found:?}");
        assert!(!backends_of(us).contains(&it));
    }
}
