//! The target of a backup: a file that replaces the previous one once it is complete, or directly a pipe or a device.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::fd::AsFd as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// The most symbolic links to follow. More are a cycle.
const MAX_LINKS: usize = 40;

/// The target of a backup.
pub(crate) struct BackupTarget {
    kind: Kind,
    file: File,
    is_standard_output: bool,
    bytes: u64,
}

enum Kind {
    /// A file that gets its name once it is complete.
    File(Unfinished),
    /// A pipe, a device or standard output, which is never replaced.
    Direct,
}

impl BackupTarget {
    /// Opens the target of this path, through links. Blocks at a named pipe until a process reads it.
    ///
    /// # Errors
    /// Fails when the target cannot be written.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let found = match fs::metadata(path) {
            Ok(found) => Some(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let standard_output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let is_same = |found: &Metadata| {
            standard_output.metadata().is_ok_and(|output| (output.dev(), output.ino()) == (found.dev(), found.ino()))
        };
        let is_standard_output = found.as_ref().is_some_and(is_same);
        let (kind, file) = match found {
            // Reopening a redirected file would write from its beginning, even if the shell appends to it.
            Some(_) if is_standard_output => (Kind::Direct, standard_output),
            Some(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Some(found) if !found.is_file() => (Kind::Direct, OpenOptions::new().write(true).open(path)?),
            _ => {
                let (unfinished, file) = Unfinished::create(end_of_links(path)?)?;
                (Kind::File(unfinished), file)
            }
        };
        Ok(Self { kind, file, is_standard_output, bytes: 0 })
    }

    /// Whether the target is standard output, which usually takes the program's messages.
    pub(crate) fn is_standard_output(&self) -> bool {
        self.is_standard_output
    }

    /// A writer to the target.
    pub(crate) fn writer(&self) -> io::Result<TargetWriter> {
        Ok(TargetWriter { out: BufWriter::new(self.file.try_clone()?), bytes: 0 })
    }

    /// Sets the number of written bytes.
    pub(crate) fn written(&mut self, bytes: u64) {
        self.bytes = bytes;
    }

    /// Gives a file its name. Returns the number of bytes.
    pub(crate) fn finish(self) -> io::Result<u64> {
        if let Kind::File(unfinished) = self.kind {
            self.file.sync_all()?;
            unfinished.rename()?;
        }
        Ok(self.bytes)
    }
}

/// Writes to the target, and counts the bytes.
pub(crate) struct TargetWriter {
    out: BufWriter<File>,
    bytes: u64,
}

impl TargetWriter {
    /// Flushes the buffer. Returns the number of bytes.
    pub(crate) fn close(mut self) -> io::Result<u64> {
        self.out.flush()?;
        Ok(self.bytes)
    }
}

impl Write for TargetWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The path behind symbolic links. A file need not exist there. The links stay.
fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut end = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&end) {
            Ok(target) => end = folder_of(&end).join(target),
            Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::NotFound) => {
                return Ok(end);
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("its links form a cycle"))
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

/// A backup that gets its name once it is complete. Dropping it deletes it.
struct Unfinished {
    path: PathBuf,
    name: PathBuf,
}

impl Unfinished {
    fn create(name: PathBuf) -> io::Result<(Self, File)> {
        let mut part = name.file_name().map_or_else(OsString::new, OsString::from);
        // With the process id, because another backup to the same file may be running.
        part.push(format!(".{}.part", std::process::id()));
        let path = name.with_file_name(part);
        // A leftover of an interrupted backup, perhaps readable by others.
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        Ok((Self { path, name }, file))
    }

    fn rename(self) -> io::Result<()> {
        fs::rename(&self.path, &self.name)?;
        File::open(folder_of(&self.name))?.sync_all()
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // Does nothing after the rename.
        let _ = fs::remove_file(&self.path);
    }
}
