use std::path::{Path, PathBuf};
use std::sync::Arc;

use nix::sys::statvfs::statvfs;

use crate::supervisor::Life;

/// Observes a server. Neither keeps it running nor stops it.
#[derive(Clone, Debug)]
pub struct ServerWatch {
    life: Arc<Life>,
    data_dir: PathBuf,
}

impl ServerWatch {
    pub(crate) fn new(life: Arc<Life>, data_dir: &Path) -> Self {
        Self { life, data_dir: data_dir.to_owned() }
    }

    /// Whether a server is running; `false` between a crash and the restart.
    pub fn is_running(&self) -> bool {
        self.life.pid().is_some()
    }

    /// The number of restarts after a death.
    pub fn restarts(&self) -> u64 {
        self.life.restarts()
    }

    /// The free bytes on the disk of the data, for users other than root; `None` if the system does not report them.
    /// Queries the file system, and may block.
    pub fn free_bytes(&self) -> Option<u64> {
        free_bytes(&self.data_dir)
    }
}

/// The free bytes on the disk of a folder, for users other than root; `None` if the system does not report them. Queries the
/// file system, and may block.
pub fn free_bytes(folder: &Path) -> Option<u64> {
    let room = statvfs(folder).ok()?;
    Some(wide(room.blocks_available()).saturating_mul(wide(room.fragment_size())))
}

/// The width of these numbers differs between systems.
fn wide(number: impl Into<u64>) -> u64 {
    number.into()
}
