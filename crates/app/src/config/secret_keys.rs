use std::path::PathBuf;
use std::time::Duration;

use plenum_adapter_security::{FolderUrnKeys, KeyFolderError};
use tokio::time::{Instant, sleep};

use super::Config;

/// The time for which a start waits for an instance that uses the folder: a predecessor that has left the database may take
/// seconds to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// The time between two attempts.
const RETRY: Duration = Duration::from_millis(100);

/// The reason why the key folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{reason}. Set PLENUM_SECRET_KEYS_DIR to a folder {}", remedy(.reason))]
pub(crate) struct SecretKeysError {
    reason: KeyFolderError,
}

/// What the folder must be like.
fn remedy(reason: &KeyFolderError) -> &'static str {
    match reason {
        KeyFolderError::Unusable { .. } | KeyFolderError::Shared { .. } => "that only Plenum can read and write",
        KeyFolderError::InUse { .. } => "that no other instance uses, also for a copy of an installation",
    }
}

/// Opens the folder of the keys of secret votes: `PLENUM_SECRET_KEYS_DIR`, or `secret-keys` in the data directory. Waits a while
/// for another instance that uses it.
///
/// # Errors
/// Fails when it cannot be used.
pub(crate) async fn open(config: &Config) -> Result<FolderUrnKeys, SecretKeysError> {
    open_within(PATIENCE, config).await
}

async fn open_within(patience: Duration, config: &Config) -> Result<FolderUrnKeys, SecretKeysError> {
    let (folder, deadline) = (path(config), Instant::now() + patience);
    let mut has_warned = false;
    loop {
        match FolderUrnKeys::open(&folder) {
            Err(KeyFolderError::InUse { .. }) if Instant::now() < deadline => {}
            opened => return opened.map_err(|reason| SecretKeysError { reason }),
        }
        if !has_warned {
            has_warned = true;
            let (folder, seconds) = (folder.display(), patience.as_secs());
            tracing::warn!(%folder, seconds, "another instance uses the folder of vote keys; waiting for its end");
        }
        sleep(RETRY).await;
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_start_waits_for_a_predecessor_that_ends() {
        let folder = tempfile::tempdir().unwrap();
        let config = Config::read([("PLENUM_SECRET_KEYS_DIR", folder.path().join("keys"))]).unwrap();
        let predecessor = open(&config).await.unwrap();
        let ending = async move {
            sleep(RETRY * 3).await;
            drop(predecessor);
        };
        let (opened, ()) = tokio::join!(open(&config), ending);
        opened.unwrap();
    }

    #[tokio::test]
    async fn a_folder_that_stays_in_use_is_refused_with_its_own_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let config = Config::read([("PLENUM_SECRET_KEYS_DIR", folder.path().join("keys"))]).unwrap();
        let running = open(&config).await.unwrap();
        // Clones belong to the same instance.
        let clone = running.clone();
        drop(running);
        let refused = open_within(RETRY, &config).await.unwrap_err().to_string();
        for words in ["is in use by another running instance", "Set PLENUM_SECRET_KEYS_DIR to a folder that no other"] {
            assert!(refused.contains(words), "{refused}");
        }
        assert!(check(&config).unwrap(), "the doctor runs beside an instance");
        drop(clone);
        open_within(Duration::ZERO, &config).await.unwrap();
    }
}
