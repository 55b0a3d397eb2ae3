//! Files with secret keys: only their owner may read them, and nothing replaces them silently.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use nix::unistd::{AccessFlags, access};

/// The content of the file. `None` without a file.
///
/// # Errors
/// Fails when the file cannot be read.
pub(super) fn read(file: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(file) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes the file, which only its owner can read. Under another name first, so that a crash leaves no part of a key.
///
/// # Errors
/// Fails when the folder or the file cannot be written.
pub(super) fn write(file: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let unfinished = file.with_added_extension("new");
    let mut opened = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
    opened.write_all(content)?;
    opened.sync_all()?;
    fs::rename(&unfinished, file)
}

/// As [`write`], unless there is a file already: another process may have been faster. Returns whether it was written.
///
/// # Errors
/// As [`write`].
pub(super) fn create(file: &Path, content: &[u8]) -> io::Result<bool> {
    let own = file.with_added_extension(std::process::id().to_string());
    write(&own, content)?;
    // A link, unlike a renamed file, replaces nothing.
    let linked = fs::hard_link(&own, file);
    fs::remove_file(&own)?;
    match linked {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Moves a file aside that is to be replaced, because it may still be repaired. Replaces nothing. Returns its new name, if there
/// was a file.
///
/// # Errors
/// Fails when it cannot be moved.
pub(super) fn set_aside(file: &Path, now: DateTime<Utc>) -> io::Result<Option<PathBuf>> {
    let date = now.format("%Y-%m-%d");
    let mut number = 1;
    loop {
        let kept = file.with_added_extension(match number {
            1 => format!("replaced-{date}"),
            _ => format!("replaced-{date}-{number}"),
        });
        // A link, unlike a renamed file, replaces nothing.
        match fs::hard_link(file, &kept) {
            Ok(()) => {
                fs::remove_file(file)?;
                return Ok(Some(kept));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// A folder in which no file can be made.
#[derive(Debug, thiserror::Error)]
#[error("Plenum cannot write to {}: {reason}", folder.display())]
pub(crate) struct Unwritable {
    folder: PathBuf,
    reason: io::Error,
}

/// Checks that a file can be made, with the folders that it needs. Makes nothing.
///
/// # Errors
/// Names the folder that prevents it.
pub(crate) fn check_creatable(file: &Path) -> Result<(), Unwritable> {
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let Some(folder) = file.parent().and_then(nearest_existing) else { return Ok(()) };
    let checked = match folder.is_dir() {
        true => access(&folder, AccessFlags::W_OK | AccessFlags::X_OK).map_err(io::Error::from),
        false => Err(io::ErrorKind::NotADirectory.into()),
    };
    checked.map_err(|reason| Unwritable { folder, reason })
}

/// The path itself, or the nearest folder above it that exists.
pub(crate) fn nearest_existing(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    path.ancestors().find(|folder| folder.exists()).map(Path::to_owned)
}

/// A warning about a key that other users can read. Not an error, because some file systems have no owners.
pub(super) fn warning(file: &Path, key: &str) -> Option<String> {
    let mode = fs::metadata(file).ok()?.permissions().mode() & 0o777;
    let path = file.display();
    (mode & 0o077 != 0)
        .then(|| format!("Other users can read or change the {key} {path} (mode {mode:04o}): chmod 600 {path}"))
}

#[cfg(test)]
mod tests {
    use nix::unistd::geteuid;

    use super::*;

    #[test]
    fn a_file_that_is_set_aside_replaces_no_earlier_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key.txt");
        let now = "2026-11-30T18:00:00Z".parse().unwrap();
        assert_eq!(set_aside(&file, now).unwrap(), None);
        for (content, name) in [
            ("first", "key.txt.replaced-2026-11-30"),
            ("second", "key.txt.replaced-2026-11-30-2"),
            ("third", "key.txt.replaced-2026-11-30-3"),
        ] {
            fs::write(&file, content).unwrap();
            assert_eq!(set_aside(&file, now).unwrap(), Some(folder.path().join(name)));
            assert!(!file.exists());
        }
        assert_eq!(fs::read(folder.path().join("key.txt.replaced-2026-11-30")).unwrap(), b"first");
        assert_eq!(fs::read(folder.path().join("key.txt.replaced-2026-11-30-2")).unwrap(), b"second");
    }

    #[test]
    fn a_folder_that_prevents_a_new_file_is_named_and_nothing_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let (file, closed) = (folder.path().join("file"), folder.path().join("closed"));
        fs::write(&file, "").unwrap();
        fs::create_dir(&closed).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o500)).unwrap();
        assert!(check_creatable(&folder.path().join("new/folders/key")).is_ok());
        let refused = check_creatable(&file.join("keys/key")).unwrap_err().to_string();
        assert!(refused.contains(&format!("cannot write to {}: ", file.display())), "{refused}");
        // Root may write everywhere.
        assert_eq!(check_creatable(&closed.join("keys/key")).is_ok(), geteuid().is_root());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        assert_eq!(nearest_existing(&closed.join("a/b")), Some(closed));
    }
}
