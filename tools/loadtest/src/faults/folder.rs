//! The working folder of a run, with a small disk that can be filled.

use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

/// Enough for the database of a long run, its log and a restart.
const DISK: &str = "size=1g,mode=755";

/// A folder that is removed when this value is dropped.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    has_disk: bool,
    is_kept: bool,
}

impl Folder {
    pub(super) fn make() -> io::Result<Self> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let name = format!("plenum-faults-{}-{}", std::process::id(), since.subsec_nanos());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path)?;
        // PostgreSQL does not run as root, and needs access to this folder.
        fs::set_permissions(&path, Permissions::from_mode(0o755))?;
        Ok(Self { path, has_disk: false, is_kept: false })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Mounts a small disk for the data directory.
    ///
    /// # Errors
    /// Returns the reason if the disk cannot be mounted here.
    pub(super) fn mount_disk(&mut self) -> Result<(), String> {
        let disk = self.path.join("disk");
        fs::create_dir(&disk).map_err(|error| error.to_string())?;
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", DISK, "plenum-faults"]).arg(&disk).stdin(Stdio::null());
        let output = mount.output().map_err(|error| format!("mount cannot be run: {error}"))?;
        self.has_disk = output.status.success();
        if self.has_disk { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()) }
    }

    /// Folder of the database and of the signing key.
    pub(super) fn data(&self) -> PathBuf {
        if self.has_disk { self.path.join("disk/data") } else { self.path.join("data") }
    }

    /// Folder of the keys of secret votes, beside the data, so that it is on the same disk.
    pub(super) fn keys(&self) -> PathBuf {
        self.data().with_file_name("secret-keys")
    }

    /// Fills the small disk to the last byte.
    pub(super) fn fill_disk(&self) -> io::Result<()> {
        let mut ballast = File::create(self.ballast())?;
        for size in [1024 * 1024, 4096, 1] {
            let zeros = vec![0; size];
            while ballast.write_all(&zeros).is_ok() {}
        }
        Ok(())
    }

    pub(super) fn free_disk(&self) -> io::Result<()> {
        fs::remove_file(self.ballast())
    }

    fn ballast(&self) -> PathBuf {
        self.path.join("disk/ballast")
    }

    /// Keeps the folder, so that its logs can be read.
    pub(super) fn keep(&mut self) {
        self.is_kept = true;
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.has_disk {
            if self.is_kept {
                // The disk is unmounted together with the database. The database's log helps most, so it is copied.
                let _ = fs::copy(self.data().join("postgres.log"), self.path.join("postgres.log"));
            }
            // Lazily, because a process that is ending may still have a file open.
            let _ = Command::new("umount").arg("--lazy").arg(self.path.join("disk")).status();
        }
        if !self.is_kept {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_removed_unless_it_is_kept() {
        let folder = Folder::make().unwrap();
        let path = folder.path().to_owned();
        assert!(path.is_dir() && folder.data().starts_with(&path));
        assert_eq!(folder.keys().parent(), folder.data().parent());
        drop(folder);
        assert!(!path.exists());
        let mut folder = Folder::make().unwrap();
        folder.keep();
        let path = folder.path().to_owned();
        drop(folder);
        assert!(path.is_dir());
        fs::remove_dir(path).unwrap();
    }
}
