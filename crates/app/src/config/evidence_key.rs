//! The file with the key that signs records and exports.

use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use plenum_adapter_security::{EvidenceKeyRing, UnfitKeyRing};
use plenum_kernel::EvidenceKeys as _;

use super::{Config, key_file};

const FILE: &str = "evidence-key";

/// A key that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EvidenceKeyError {
    /// The file cannot be read or written.
    #[error(
        "cannot read or store the evidence key in {}: {reason}. Set PLENUM_DATA_DIR to a folder that Plenum can write to, or \
         PLENUM_EVIDENCE_KEY_FILE to a file that it can read",
        file.display()
    )]
    Inaccessible { file: PathBuf, reason: io::Error },
    /// The content is no key. The program does not replace it, because a copy may exist.
    #[error(
        "the evidence key {} {reason}. Restore the copy that you kept apart from the backups. If there is none, \
         `plenum evidence-key replace` makes a new key",
        file.display()
    )]
    Unfit { file: PathBuf, reason: UnfitKeyRing },
    /// There is none, and the database was used with one.
    #[error(
        "the evidence key {} is lost: there is no such file, and the records in this database were signed with the key {expected}. \
         First check PLENUM_EVIDENCE_KEY_FILE and PLENUM_DATA_DIR, which say where it is. Then restore the copy that you kept \
         apart from the backups. Only if there is none, `plenum evidence-key replace` makes a new key",
        file.display()
    )]
    Lost { file: PathBuf, expected: String },
    /// It is not the one that the database was used with.
    #[error(
        "the evidence key {} is not that of this database: it is {found}, and the database expects {expected}. All instances on \
         a database use a copy of the same file, also after `plenum evidence-key rotate`. If this one is right, for example \
         the original that was found after `plenum evidence-key replace`, `plenum evidence-key accept` makes the database \
         expect it",
        file.display()
    )]
    Foreign { file: PathBuf, found: String, expected: String },
}

/// The path of the key: `PLENUM_EVIDENCE_KEY_FILE`, or `evidence-key` in the data directory.
pub(crate) fn path(config: &Config) -> PathBuf {
    config.evidence_key_file.clone().unwrap_or_else(|| in_folder(&config.data_dir))
}

/// The key file of a data directory.
pub(crate) fn in_folder(data_dir: &Path) -> PathBuf {
    data_dir.join(FILE)
}

/// The key, if there is a file.
///
/// # Errors
/// Fails when the file cannot be read, or contains no usable key.
pub(crate) fn load(file: &Path) -> Result<Option<EvidenceKeyRing>, EvidenceKeyError> {
    let content =
        key_file::read(file).map_err(|reason| EvidenceKeyError::Inaccessible { file: file.to_owned(), reason })?;
    let ring = content.map(|content| EvidenceKeyRing::parse(&content)).transpose();
    ring.map_err(|reason| EvidenceKeyError::Unfit { file: file.to_owned(), reason })
}

/// Checks that the database expects one of these keys, if it expects one. The fingerprint is that of the key that was used
/// last.
///
/// # Errors
/// Fails for another key, and for none.
pub(crate) fn check_expected(
    file: &Path,
    ring: Option<&EvidenceKeyRing>,
    expected: Option<&str>,
) -> Result<(), EvidenceKeyError> {
    let Some(expected) = expected else { return Ok(()) };
    let (file, expected) = (file.to_owned(), expected.to_owned());
    let Some(ring) = ring else { return Err(EvidenceKeyError::Lost { file, expected }) };
    if ring.published().iter().any(|key| key.fingerprint == expected) {
        return Ok(());
    }
    Err(EvidenceKeyError::Foreign { file, found: ring.fingerprint().to_owned(), expected })
}

/// Writes the key, and replaces an earlier one.
///
/// # Errors
/// Fails when the file cannot be written.
pub(crate) fn store(file: &Path, ring: &EvidenceKeyRing) -> Result<(), EvidenceKeyError> {
    key_file::write(file, ring.to_file().as_bytes())
        .map_err(|reason| EvidenceKeyError::Inaccessible { file: file.to_owned(), reason })
}

/// Writes a new key, unless another process was faster. Returns the key in the file: what a key signs that is on no disk cannot be
/// checked later.
///
/// # Errors
/// Fails when the file cannot be written or read.
pub(crate) fn create(file: &Path, ring: &EvidenceKeyRing) -> Result<EvidenceKeyRing, EvidenceKeyError> {
    let inaccessible = |reason| EvidenceKeyError::Inaccessible { file: file.to_owned(), reason };
    key_file::create(file, ring.to_file().as_bytes()).map_err(inaccessible)?;
    load(file)?.ok_or_else(|| inaccessible(io::ErrorKind::NotFound.into()))
}

/// Moves a file aside that is to be replaced. Returns its new name, if there was a file.
///
/// # Errors
/// Fails when it cannot be moved.
pub(crate) fn set_aside(file: &Path, now: DateTime<Utc>) -> Result<Option<PathBuf>, EvidenceKeyError> {
    key_file::set_aside(file, now).map_err(|reason| EvidenceKeyError::Inaccessible { file: file.to_owned(), reason })
}

/// A warning about a key that other users can read.
pub(crate) fn warning(file: &Path) -> Option<String> {
    key_file::warning(file, "evidence key")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::sync::Barrier;
    use std::thread;

    use plenum_adapter_security::SystemClock;
    use plenum_kernel::Clock as _;

    use super::*;

    #[test]
    fn a_stored_key_is_read_again_and_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys/evidence-key");
        assert!(load(&file).unwrap().is_none());
        let ring = EvidenceKeyRing::generate(SystemClock.now());
        store(&file, &ring).unwrap();
        assert_eq!(load(&file).unwrap().unwrap().fingerprint(), ring.fingerprint());
        let slower = create(&file, &EvidenceKeyRing::generate(SystemClock.now())).unwrap();
        assert_eq!(slower.fingerprint(), ring.fingerprint(), "the first key stays");
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "nothing else is left");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(warning(&file), None);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(warning(&file).unwrap().contains("the evidence key"));
    }

    /// Otherwise one of them may keep a key in memory, and find that of the other one in the file.
    #[test]
    fn processes_that_create_a_key_at_once_share_no_unfinished_file() {
        let folder = tempfile::tempdir().unwrap();
        let (file, of_another) = (folder.path().join(FILE), folder.path().join("evidence-key.new"));
        fs::write(&of_another, "the key of another process").unwrap();
        let ring = create(&file, &EvidenceKeyRing::generate(SystemClock.now())).unwrap();
        assert_eq!(load(&file).unwrap().unwrap().fingerprint(), ring.fingerprint());
        assert_eq!(fs::read(&of_another).unwrap(), b"the key of another process");
    }

    /// As processes with the same id in two containers do on a shared folder.
    #[test]
    fn threads_that_create_a_key_at_once_use_the_one_in_the_file() {
        const THREADS: usize = 4;
        for _ in 0..50 {
            let folder = tempfile::tempdir().unwrap();
            let (file, barrier) = (folder.path().join(FILE), Barrier::new(THREADS));
            let create_one = || {
                let ring = EvidenceKeyRing::generate(SystemClock.now());
                barrier.wait();
                create(&file, &ring).unwrap().fingerprint().to_owned()
            };
            let used: Vec<String> = thread::scope(|scope| {
                let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(create_one)).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            let stored = load(&file).unwrap().unwrap();
            assert!(used.iter().all(|used| used == stored.fingerprint()), "{used:?}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
        }
    }

    /// A mistyped variable must not look like a lost key.
    #[test]
    fn a_missing_key_names_the_variables_that_say_where_it_is_before_any_other_remedy() {
        let lost = check_expected(Path::new("/nope/dir/key"), None, Some("abc")).unwrap_err().to_string();
        assert!(lost.contains("the evidence key /nope/dir/key is lost"), "{lost}");
        let place = |words| lost.find(words).unwrap_or_else(|| panic!("{words}: {lost}"));
        let (variable, copy) = (place("check PLENUM_EVIDENCE_KEY_FILE and PLENUM_DATA_DIR"), place("restore the copy"));
        assert!(variable < copy && copy < place("evidence-key replace"), "{lost}");
    }

    #[test]
    fn an_unusable_file_is_refused_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE);
        for content in [&b""[..], b"half a key", b"{}"] {
            fs::write(&file, content).unwrap();
            let refused = load(&file).unwrap_err().to_string();
            assert!(refused.contains(file.to_str().unwrap()) && refused.contains("evidence-key replace"), "{refused}");
            assert_eq!(fs::read(&file).unwrap(), content);
        }
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert!(matches!(load(&file), Err(EvidenceKeyError::Inaccessible { .. })));
    }
}
