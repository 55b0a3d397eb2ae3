//! Limits of this process, and the memory of the server's process.

use std::fs;

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Raises the limit of open files to the hard limit, because every connection is an open file. Returns the limit in
/// force.
pub fn raise_open_files() -> Option<u64> {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).ok()?;
    let is_raised = soft < hard && setrlimit(Resource::RLIMIT_NOFILE, hard, hard).is_ok();
    Some(if is_raised { hard } else { soft })
}

/// The resident memory of a process in bytes. `None` without such a process, or on systems other than Linux.
pub fn resident_bytes(pid: u32) -> Option<u64> {
    read_resident(&fs::read_to_string(format!("/proc/{pid}/status")).ok()?)
}

/// A short description of the machine: cores, memory, system. Complete on Linux only.
pub fn describe() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let (cpu, memory, system) = (read("/proc/cpuinfo"), read("/proc/meminfo"), read("/etc/os-release"));
    let model = value_of(&cpu, "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let memory = value_of(&memory, "MemTotal").and_then(|text| text.trim_end_matches(" kB").parse::<f64>().ok());
    let memory = memory.map_or_else(String::new, |kibibytes| format!(", {:.0} GiB of memory", kibibytes / 1_048_576.0));
    let system = value_of(&system, "PRETTY_NAME").unwrap_or_else(|| std::env::consts::OS.to_owned());
    format!("{cores} cores ({model}){memory}, {system}")
}

/// The value after a name and a colon or an equals sign, without quotes.
fn value_of(text: &str, name: &str) -> Option<String> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix([':', '=']))?;
    Some(rest.trim().trim_matches('"').to_owned())
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
    fn the_memory_in_use_is_read_in_bytes() {
        assert_eq!(read_resident("Name:\tplenum\nVmRSS:\t   12 kB\nThreads:\t3\n"), Some(12_288));
        assert_eq!(read_resident("Name:\tplenum\n"), None);
    }

    #[test]
    fn values_are_read_behind_their_names() {
        assert_eq!(value_of("model name\t: AMD EPYC\n", "model name").as_deref(), Some("AMD EPYC"));
        assert_eq!(value_of("NAME=x\nPRETTY_NAME=\"Debian 12\"\n", "PRETTY_NAME").as_deref(), Some("Debian 12"));
        assert_eq!(value_of("", "MemTotal"), None);
        assert!(describe().contains("cores"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_running_process_has_memory() {
        assert!(resident_bytes(std::process::id()).is_some_and(|bytes| bytes > 100_000));
    }
}
