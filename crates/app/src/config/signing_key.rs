use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use plenum_kernel::Secrets;
use plenum_result_format::sha256;

use super::secret_strength::is_guessable;
use super::{Config, key_file};

const FILE: &str = "signing-key";
/// What follows from another key.
const CONSEQUENCES: &str = "everybody signs in again, and all second factors have to be set up again";
/// The shortest key in bytes.
const LENGTH: usize = 32;

/// A key that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeyFileError {
    /// The file cannot be read or written.
    #[error("cannot store the signing key in {}: {reason}; PLENUM_DATA_DIR must be a folder that Plenum can write to", file.display())]
    Inaccessible { file: PathBuf, reason: io::Error },
    /// The content is not a usable key. The program does not replace it, because a copy may exist.
    #[error(
        "the signing key {} {reason}; it must have at least 32 bytes. Restore the copy that you \
         kept apart from the backups. If there is none, `plenum signing-key replace` makes a new key: {CONSEQUENCES}",
        file.display()
    )]
    Unfit { file: PathBuf, reason: &'static str },
    /// There is none, and the database was used with one.
    #[error(
        "the signing key {} is lost: this database has been used with one. Restore the copy that you kept apart from the \
         backups, or set PLENUM_JWT_SECRET as before. If there is none, `plenum signing-key replace` makes a new key: \
         {CONSEQUENCES}",
        file.display()
    )]
    Lost { file: PathBuf },
    /// It is not the one that the database was used with.
    #[error(
        "{key} is not the signing key of this database. All instances on a database use the same key. Restore the copy that \
         you kept apart from the backups. If the key is to change, `plenum signing-key replace` accepts the present one: \
         {CONSEQUENCES}"
    )]
    Foreign { key: String },
}

/// The key file of a data directory.
pub(crate) fn path(data_dir: &Path) -> PathBuf {
    data_dir.join(FILE)
}

/// Moves a damaged file aside, because it may still be repaired. Returns its new name, if there was a file.
///
/// # Errors
/// Fails when it cannot be moved.
pub(crate) fn set_aside(data_dir: &Path, now: DateTime<Utc>) -> io::Result<Option<PathBuf>> {
    key_file::set_aside(&path(data_dir), now)
}

/// The configured key, or the one in the data directory, if there is one.
///
/// # Errors
/// Fails when the file cannot be read, or contains no usable key.
pub(crate) fn present(config: &Config) -> Result<Option<Vec<u8>>, KeyFileError> {
    match &config.jwt_secret {
        Some(secret) => Ok(Some(secret.as_bytes().to_vec())),
        None => load(&config.data_dir),
    }
}

/// The fingerprint of the key in the database. The key has at least 32 random bytes, so its hash does not reveal it.
pub(crate) fn fingerprint_of(key: &[u8]) -> String {
    sha256(&[b"the fingerprint of Plenum's signing key: ", key].concat())
}

/// Checks that this is the key with the fingerprint that the database expects, if it expects one.
///
/// # Errors
/// Fails for another key, and for none.
pub(crate) fn check_expected(config: &Config, key: Option<&[u8]>, expected: Option<&str>) -> Result<(), KeyFileError> {
    let file = path(&config.data_dir);
    match (key, expected) {
        (_, None) => Ok(()),
        (None, Some(_)) => Err(KeyFileError::Lost { file }),
        (Some(key), Some(expected)) if fingerprint_of(key) == expected => Ok(()),
        (Some(_), Some(_)) if config.jwt_secret.is_some() => {
            Err(KeyFileError::Foreign { key: "PLENUM_JWT_SECRET".to_owned() })
        }
        (Some(_), Some(_)) => Err(KeyFileError::Foreign { key: format!("the signing key {}", file.display()) }),
    }
}

/// The key that signs access tokens, from the data directory. The first call creates it, unless another process is faster.
///
/// # Errors
/// Fails when the file cannot be read or written, or contains no usable key.
pub(crate) fn load_or_create(data_dir: &Path, secrets: &dyn Secrets) -> Result<Vec<u8>, KeyFileError> {
    if let Some(key) = load(data_dir)? {
        return Ok(key);
    }
    let file = data_dir.join(FILE);
    create(&file, secrets).map_err(|reason| KeyFileError::Inaccessible { file, reason })
}

/// The key in the data directory, if there is one.
///
/// # Errors
/// Fails when the file cannot be read, or contains no usable key.
pub(crate) fn load(data_dir: &Path) -> Result<Option<Vec<u8>>, KeyFileError> {
    let file = data_dir.join(FILE);
    let key = match key_file::read(&file) {
        Ok(Some(key)) => key,
        Ok(None) => return Ok(None),
        Err(reason) => return Err(KeyFileError::Inaccessible { file, reason }),
    };
    let reason = match key.trim_ascii() {
        [] => "is empty",
        short if short.len() < LENGTH => "is too short",
        key if is_guessable(key) => "can be guessed: it repeats one byte or a few",
        _ => return Ok(Some(key)),
    };
    Err(KeyFileError::Unfit { file, reason })
}

/// As [`load`], and `None` for a file that contains no usable key.
///
/// # Errors
/// Fails when the file cannot be read: it may contain one.
pub(crate) fn load_unless_unfit(data_dir: &Path) -> Result<Option<Vec<u8>>, KeyFileError> {
    match load(data_dir) {
        Err(KeyFileError::Unfit { .. }) => Ok(None),
        loaded => loaded,
    }
}

/// A warning about a key that other users can read. Not an error, because some file systems have no owners.
pub(crate) fn warning(data_dir: &Path) -> Option<String> {
    key_file::warning(&data_dir.join(FILE), "signing key")
}

fn create(path: &Path, secrets: &dyn Secrets) -> io::Result<Vec<u8>> {
    key_file::create(path, secrets.token().as_bytes())?;
    fs::read(path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use plenum_adapter_security::OsSecrets;

    use super::*;

    #[test]
    fn the_first_start_creates_a_key_that_only_its_owner_can_read() {
        let folder = tempfile::tempdir().unwrap();
        let first = load_or_create(folder.path(), &OsSecrets).unwrap();
        assert!(first.len() >= 32);
        assert_eq!(load_or_create(folder.path(), &OsSecrets).unwrap(), first);
        let mode = fs::metadata(folder.path().join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_key_that_another_process_has_just_made_is_used_and_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let first = load_or_create(folder.path(), &OsSecrets).unwrap();
        // It looked for a file before there was one.
        assert_eq!(create(&folder.path().join(FILE), &OsSecrets).unwrap(), first);
        assert_eq!(fs::read(folder.path().join(FILE)).unwrap(), first);
    }

    #[test]
    fn an_unusable_key_file_is_refused_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let repeated = vec![b'x'; 64];
        for (content, reason) in [
            (&b""[..], "is empty"),
            (b" \n", "is empty"),
            (b"half-a-key", "is too short"),
            (&repeated, "can be guessed"),
            (&[0; 64], "can be guessed"),
        ] {
            fs::write(&path, content).unwrap();
            let refused = load_or_create(folder.path(), &OsSecrets).unwrap_err().to_string();
            assert!(refused.contains(reason) && refused.contains(path.to_str().unwrap()), "{refused}");
            assert_eq!(fs::read(&path).unwrap(), content);
        }
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(matches!(load_or_create(folder.path(), &OsSecrets), Err(KeyFileError::Inaccessible { .. })));
    }

    #[test]
    fn a_key_that_others_can_read_leads_to_a_warning() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(warning(folder.path()), None);
        load_or_create(folder.path(), &OsSecrets).unwrap();
        assert_eq!(warning(folder.path()), None);
        fs::set_permissions(folder.path().join(FILE), fs::Permissions::from_mode(0o644)).unwrap();
        assert!(warning(folder.path()).unwrap().contains("(mode 0644): chmod 600"));
    }
}
