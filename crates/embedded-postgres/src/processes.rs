//! Other processes of our cluster.

use std::path::Path;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// Sends `signal`. Succeeds for a process that has ended.
pub(crate) fn send(signal: Signal, pid: u32) -> nix::Result<()> {
    match kill(as_pid(pid), signal) {
        Err(nix::errno::Errno::ESRCH) => Ok(()),
        other => other,
    }
}

/// Whether a process has this id, including a zombie or a process that we may not signal.
pub(crate) fn exists(pid: u32) -> bool {
    kill(as_pid(pid), None) != Err(nix::errno::Errno::ESRCH)
}

#[expect(clippy::cast_possible_wrap, reason = "process ids fit into 31 bits on every system")]
fn as_pid(pid: u32) -> Pid {
    Pid::from_raw(pid as i32)
}

/// Whether `pid` is a living server or backend that works in `cluster`, and not a zombie or a recycled id.
#[cfg(target_os = "linux")]
pub(crate) fn works_in(pid: u32, cluster: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let is_postgres = std::fs::read_to_string(format!("/proc/{pid}/comm"))
        .is_ok_and(|name| name.starts_with("postgres") || name.starts_with("postmaster"));
    let Ok(here) = std::fs::metadata(cluster) else {
        return false;
    };
    // The working directory is more reliable than the arguments: backends overwrite those, but all stay in the cluster.
    // A zombie has none.
    is_postgres
        && match std::fs::metadata(format!("/proc/{pid}/cwd")) {
            Ok(there) => (here.dev(), here.ino()) == (there.dev(), there.ino()),
            Err(error) => error.kind() == std::io::ErrorKind::PermissionDenied && has_cluster_as_argument(pid, cluster),
        }
}

#[cfg(target_os = "linux")]
fn has_cluster_as_argument(pid: u32, cluster: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt;

    let arguments = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    arguments.split(|byte| *byte == 0).any(|argument| argument == cluster.as_os_str().as_bytes())
}

/// All living servers and backends that work in `cluster`.
#[cfg(target_os = "linux")]
pub(crate) fn all_in(cluster: &Path) -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|pid| works_in(*pid, cluster))
        .collect()
}

/// Whether `pid` is a living server of `cluster`, by its arguments.
#[cfg(not(target_os = "linux"))]
pub(crate) fn works_in(pid: u32, cluster: &Path) -> bool {
    let Ok(output) = std::process::Command::new("ps").args(["-o", "command=", "-p", &pid.to_string()]).output() else {
        return false;
    };
    let command = String::from_utf8_lossy(&output.stdout);
    command.contains("postgres") && command.contains(&format!("-D {}", cluster.display()))
}

/// Without /proc there is no cheap way to find the backends of a dead server. PostgreSQL's own check of shared memory
/// must suffice.
#[cfg(not(target_os = "linux"))]
pub(crate) fn all_in(_cluster: &Path) -> Vec<u32> {
    Vec::new()
}
