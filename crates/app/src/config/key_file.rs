//! Files with secret keys: only their owner may read them, and nothing replaces them silently.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

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

/// A warning about a key that other users can read. Not an error, because some file systems have no owners.
pub(super) fn warning(file: &Path, key: &str) -> Option<String> {
    let mode = fs::metadata(file).ok()?.permissions().mode() & 0o777;
    let path = file.display();
    (mode & 0o077 != 0)
        .then(|| format!("Other users can read or change the {key} {path} (mode {mode:04o}): chmod 600 {path}"))
}
