use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::StartError;
use crate::poll::poll_until;

/// The lock of a killed owner ends with its last file descriptor, which may take the system a moment.
const PATIENCE: Duration = Duration::from_secs(4);

/// Proof that this process owns the data folder. It is released on drop, and by the system when the process ends.
///
/// Rust opens files close-on-exec, so the server does not inherit the lock.
#[derive(Debug)]
pub(crate) struct FolderLock {
    _file: File,
}

impl FolderLock {
    pub(crate) fn path(folder: &Path) -> PathBuf {
        folder.join("lock")
    }

    pub(crate) fn acquire(folder: &Path) -> Result<Self, StartError> {
        Self::acquire_within(PATIENCE, folder)
    }

    fn acquire_within(patience: Duration, folder: &Path) -> Result<Self, StartError> {
        let path = Self::path(folder);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .map_err(StartError::folder(&path))?;
        let taken = poll_until(patience, || match file.try_lock() {
            Ok(()) => Some(Ok(())),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Error(source)) => Some(Err(source)),
        });
        match taken {
            Some(Ok(())) => {}
            Some(Err(source)) => return Err(StartError::Folder { path, source }),
            None => {
                return Err(StartError::InUse { folder: folder.to_owned(), owner: owner_of(&mut file) });
            }
        }
        note_owner(&mut file).map_err(StartError::folder(path))?;
        Ok(Self { _file: file })
    }
}

fn note_owner(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}

fn owner_of(file: &mut File) -> String {
    let mut text = String::new();
    match file.read_to_string(&mut text) {
        Ok(_) if !text.trim().is_empty() => format!("process {}", text.trim()),
        _ => "another process".to_owned(),
    }
}

/// Whether no living process owns `folder`.
pub(crate) fn is_released(folder: &Path) -> bool {
    match File::open(FolderLock::path(folder)) {
        Ok(file) => file.try_lock().is_ok(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}
