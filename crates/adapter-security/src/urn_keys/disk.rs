use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// The steps of writing and destroying a file. Tests let each of them fail.
pub(super) trait Disk: Send + Sync {
    /// Writes a new file, which only its owner may read, and waits until it is on the disk.
    fn write_new(&self, file: &Path, content: &[u8]) -> io::Result<()> {
        let mut opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
        opened.write_all(content)?;
        opened.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    /// Waits until the names in the folder are on the disk.
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }

    /// Writes over the content of a file, in its place, and waits until it is on the disk.
    fn overwrite(&self, file: &Path, content: &[u8]) -> io::Result<()> {
        let mut opened = OpenOptions::new().write(true).open(file)?;
        opened.write_all(content)?;
        opened.sync_all()
    }

    fn remove(&self, file: &Path) -> io::Result<()> {
        fs::remove_file(file)
    }
}

/// The disk of the system.
#[derive(Debug)]
pub(super) struct SystemDisk;

impl Disk for SystemDisk {}
