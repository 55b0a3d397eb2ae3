//! Files with secret keys: only their owner may read them, and nothing replaces them silently.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use nix::unistd::{AccessFlags, access};
use plenum_adapter_security::OsSecrets;
use plenum_kernel::Secrets as _;

/// The letters that make the name of an unfinished file unique: 75 bits.
const RANDOM_LETTERS: usize = 16;

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
    by_another_name(file, content, |unfinished| fs::rename(unfinished, file))
}

/// As [`write`], unless there is a file already: another process may have been faster. The key is the one in the file.
///
/// # Errors
/// As [`write`].
pub(super) fn create(file: &Path, content: &[u8]) -> io::Result<()> {
    by_another_name(file, content, |unfinished| {
        // A link, unlike a renamed file, replaces nothing.
        match fs::hard_link(unfinished, file) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => fs::remove_file(unfinished),
        }
    })
}

/// Writes a file beside `file`, and lets `finish` give it the final name. After an error, nothing is left.
fn by_another_name(file: &Path, content: &[u8], finish: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    // No other process has this name. The id of the process would not do: in containers that share a folder, each is process 1.
    let unfinished = file.with_added_extension(format!("{}.new", OsSecrets.letters(RANDOM_LETTERS)));
    let written = write_new(&unfinished, content).and_then(|()| finish(&unfinished));
    if written.is_err() {
        // The first error says more than one about what is left.
        let _ = fs::remove_file(&unfinished);
    }
    written
}

fn write_new(file: &Path, content: &[u8]) -> io::Result<()> {
    let mut opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
    opened.write_all(content)?;
    opened.sync_all()
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

    fn count(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_key_is_created_once_and_written_again_without_a_trace() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys/key");
        create(&file, b"first").unwrap();
        create(&file, b"second").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"first");
        write(&file, b"third").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"third");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(count(file.parent().unwrap()), 1);
        // A folder cannot be replaced by a file.
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        write(&file, b"fourth").unwrap_err();
        assert_eq!(count(file.parent().unwrap()), 1, "nothing is left of a key that could not be written");
    }

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
