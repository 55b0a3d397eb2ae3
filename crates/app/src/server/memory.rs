use plenum_adapter_http::{MemoryFacts, ProcessMemory};
use plenum_kernel::PortFailure;

/// The memory of this process, as the system reports it.
pub(crate) struct OwnMemory;

impl ProcessMemory for OwnMemory {
    fn facts(&self) -> Result<MemoryFacts, PortFailure> {
        let unknown = || PortFailure::new("the system", "it does not report the memory of this process");
        let resident_bytes = memory_stats::memory_stats().ok_or_else(unknown)?.physical_mem as u64;
        // The two numbers are read one after the other, while the process runs.
        Ok(MemoryFacts { resident_bytes, peak_bytes: peak_bytes().map(|peak| peak.max(resident_bytes)) })
    }
}

/// The peak of the resident memory, on systems that record it.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix("kB")?;
    kilobytes.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// Takes memory from the system in small pages from now on. Each connection has buffers whose ends are rarely used, and with huge
/// pages, which the allocator asks for, they would be resident as well: 43 kB for a silent connection instead of 21. Older systems
/// ignore it.
pub(crate) fn use_small_pages() {
    #[cfg(target_os = "linux")]
    if let Err(error) = nix::sys::prctl::set_thp_disable(true) {
        tracing::debug!(%error, "cannot disable huge pages");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_facts_show_the_memory_of_the_process() {
        let before = OwnMemory.facts().unwrap();
        assert!(before.resident_bytes > 0);
        // Written, so that the memory is resident.
        let taken = vec![1_u8; 64 * 1024 * 1024];
        let after = OwnMemory.facts().unwrap();
        assert!(after.resident_bytes >= before.resident_bytes + 32 * 1024 * 1024, "{before:?} {after:?} {}", taken[9]);
        assert!(after.peak_bytes.is_none_or(|peak| peak >= after.resident_bytes), "{after:?}");
    }
}
