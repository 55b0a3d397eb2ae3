use std::path::PathBuf;

use plenum_adapter_security::{FolderUrnKeys, KeyFolderError};

use super::Config;

/// The reason why the key folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{reason}. Set PLENUM_SECRET_KEYS_DIR to a folder that only Plenum can read and write")]
pub(crate) struct SecretKeysError {
    reason: KeyFolderError,
}

/// Opens the folder of the keys of secret votes: `PLENUM_SECRET_KEYS_DIR`, or `secret-keys` in the data directory. Blocks the
/// thread.
///
/// # Errors
/// Fails when it cannot be used.
pub(crate) fn open(config: &Config) -> Result<FolderUrnKeys, SecretKeysError> {
    FolderUrnKeys::open(&path(config)).map_err(|reason| SecretKeysError { reason })
}

/// Whether the folder is there. Changes nothing, and blocks the thread.
///
/// # Errors
/// Fails when it cannot be used.
pub(crate) fn check(config: &Config) -> Result<bool, SecretKeysError> {
    FolderUrnKeys::check(&path(config)).map_err(|reason| SecretKeysError { reason })
}

/// The folder.
pub(crate) fn path(config: &Config) -> PathBuf {
    config.secret_keys_dir.clone().unwrap_or_else(|| config.data_dir.join("secret-keys"))
}
