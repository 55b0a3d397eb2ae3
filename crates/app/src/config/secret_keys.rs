use std::path::PathBuf;

use plenum_adapter_security::{FolderUrnKeys, KeyFolderError};

use super::Config;

/// The reason why the key folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot use the folder {} for the keys of secret votes: {reason}. Set PLENUM_SECRET_KEYS_DIR to a folder that only Plenum \
     can read and write",
    folder.display()
)]
pub(crate) struct SecretKeysError {
    folder: PathBuf,
    #[source]
    reason: KeyFolderError,
}

/// Opens the folder of the keys of secret votes: `PLENUM_SECRET_KEYS_DIR`, or `secret-keys` in the data directory. Blocks the
/// thread.
///
/// # Errors
/// Fails when it cannot be used.
pub(crate) fn open(config: &Config) -> Result<FolderUrnKeys, SecretKeysError> {
    let folder = path(config);
    FolderUrnKeys::open(&folder).map_err(|reason| SecretKeysError { folder, reason })
}

/// Whether the folder is there. Changes nothing, and blocks the thread.
///
/// # Errors
/// Fails when it cannot be used.
pub(crate) fn check(config: &Config) -> Result<bool, SecretKeysError> {
    let folder = path(config);
    FolderUrnKeys::check(&folder).map_err(|reason| SecretKeysError { folder, reason })
}

fn path(config: &Config) -> PathBuf {
    config.secret_keys_dir.clone().unwrap_or_else(|| config.data_dir.join("secret-keys"))
}
