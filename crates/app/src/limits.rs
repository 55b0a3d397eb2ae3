use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Raises the number of open files to what the system allows, because every watching screen is one. Returns the limit
/// that is in force.
pub(crate) fn raise_open_files() -> Option<u64> {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).ok()?;
    let raised = soft < hard && setrlimit(Resource::RLIMIT_NOFILE, hard, hard).is_ok();
    Some(if raised { hard } else { soft })
}
