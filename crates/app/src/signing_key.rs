use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use plenum_kernel::Secrets;

const FILE: &str = "signing-key";

/// The key that signs access tokens: kept in the data directory, made there the first time.
///
/// # Errors
/// Fails when the file can be neither read nor written.
pub(crate) fn load_or_make(data_dir: &Path, secrets: &dyn Secrets) -> io::Result<Vec<u8>> {
    let path = data_dir.join(FILE);
    match fs::read(&path) {
        Ok(key) if !key.is_empty() => return Ok(key),
        Ok(_) => fs::remove_file(&path)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    fs::create_dir_all(data_dir)?;
    // Written under another name first, so that a crash leaves no half a key.
    let unfinished = data_dir.join(format!("{FILE}.new"));
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
    file.write_all(secrets.token().as_bytes())?;
    file.sync_all()?;
    fs::rename(&unfinished, &path)?;
    fs::read(&path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use plenum_adapter_security::OsSecrets;

    use super::*;

    #[test]
    fn a_key_is_made_once_and_kept_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let first = load_or_make(folder.path(), &OsSecrets).unwrap();
        assert!(first.len() >= 32);
        assert_eq!(load_or_make(folder.path(), &OsSecrets).unwrap(), first);
        let mode = fs::metadata(folder.path().join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
