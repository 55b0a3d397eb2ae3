//! What the system gives to this process, and what it tells of the server's.

use std::fs;

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Raises the number of open files to what the system allows, because every connection is one. Returns the limit that is
/// in force.
pub fn raise_open_files() -> Option<u64> {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).ok()?;
    let is_raised = soft < hard && setrlimit(Resource::RLIMIT_NOFILE, hard, hard).is_ok();
    Some(if is_raised { hard } else { soft })
}

/// How many bytes of memory a process has in use. None where the system does not tell (only Linux does), or there is no
/// such process.
pub fn resident_bytes(pid: u32) -> Option<u64> {
    read_resident(&fs::read_to_string(format!("/proc/{pid}/status")).ok()?)
}

fn read_resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_in_use_is_told_in_bytes() {
        assert_eq!(read_resident("Name:\tplenum\nVmRSS:\t   12 kB\nThreads:\t3\n"), Some(12_288));
        assert_eq!(read_resident("Name:\tplenum\n"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_runs_has_memory() {
        assert!(resident_bytes(std::process::id()).is_some_and(|bytes| bytes > 100_000));
    }
}
