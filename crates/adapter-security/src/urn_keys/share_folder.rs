use std::fs::{self, DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use plenum_kernel::RoundId;
use plenum_voting::{HeldShare, KeyShare};

use super::disk::{Disk, SystemDisk};
use super::share_file::{self, LENGTH};
use crate::random::random;

/// The end of the name of a file that is not complete.
const UNFINISHED: &str = "new";

/// An unusable key folder.
#[derive(Debug, thiserror::Error)]
pub enum KeyFolderError {
    /// It cannot be made, read or written.
    #[error("the folder of vote keys {} cannot be used: {reason}; it must be a folder that Plenum can write to", folder.display())]
    Unusable {
        /// The folder.
        folder: PathBuf,
        /// The error of the system.
        reason: io::Error,
    },
    /// Others than its owner have access to it.
    #[error("other users have access to the folder of vote keys {} (mode {mode:04o}): chmod 700 {}", folder.display(), folder.display())]
    Shared {
        /// The folder.
        folder: PathBuf,
        /// The bits of its mode.
        mode: u32,
    },
    /// Another instance uses it, which may end soon.
    #[error(
        "the folder of vote keys {} is in use by another running instance, and an instance destroys the keys that its own \
         database does not need",
        folder.display()
    )]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
}

/// A folder with one file for each round, named by its id. All methods block.
pub(super) struct ShareFolder {
    path: PathBuf,
    disk: Box<dyn Disk>,
    /// Held while files change, so that two openings of a round do not replace each other's file.
    changes: Mutex<()>,
    /// Excludes other instances, until it is dropped.
    _lock: File,
}

impl ShareFolder {
    /// Makes the folder if it is missing, takes it for this instance, and removes what a crash left.
    pub(super) fn open(path: &Path) -> Result<Self, KeyFolderError> {
        Self::open_on(Box::new(SystemDisk), path)
    }

    pub(super) fn open_on(disk: Box<dyn Disk>, path: &Path) -> Result<Self, KeyFolderError> {
        let unusable = |reason| KeyFolderError::Unusable { folder: path.to_owned(), reason };
        DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(unusable)?;
        Self::check(path)?;
        let folder = Self { path: path.to_owned(), disk, changes: Mutex::new(()), _lock: lock(path)? };
        folder.sweep().map_err(unusable)?;
        Ok(folder)
    }

    /// Whether the folder is there. Changes nothing, and disturbs no instance that uses it.
    pub(super) fn check(path: &Path) -> Result<bool, KeyFolderError> {
        let unusable = |reason| KeyFolderError::Unusable { folder: path.to_owned(), reason };
        let mode = match fs::metadata(path) {
            Ok(metadata) => metadata.permissions().mode() & 0o777,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(unusable(error)),
        };
        fs::read_dir(path).map_err(unusable)?;
        if mode & 0o077 != 0 {
            return Err(KeyFolderError::Shared { folder: path.to_owned(), mode });
        }
        Ok(true)
    }

    /// The share of a round. `None` without a file, and for a damaged one.
    pub(super) fn read(&self, round: RoundId) -> io::Result<Option<KeyShare>> {
        let content = match fs::read(self.file(round)) {
            Ok(content) => content,
            // A folder that is gone, perhaps not mounted, is no reason to call the share lost.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return fs::metadata(&self.path).map(|_| None),
            Err(error) => return Err(error),
        };
        let share = share_file::decode(round, &content);
        if share.is_none() {
            let file = self.file(round);
            tracing::error!(round.id = %round, file = %file.display(), "a share of the key of a secret vote is damaged");
        }
        Ok(share)
    }

    /// Stores `share` unless the round has one, and returns that which it has. When it returns, the share is on the disk.
    /// After an error no new file is left.
    pub(super) fn store(&self, round: RoundId, share: KeyShare) -> io::Result<KeyShare> {
        let _changes = self.lock();
        if let Some(stored) = self.read(round)? {
            // It may come from a call that failed before this.
            self.disk.sync_folder(&self.path)?;
            return Ok(stored);
        }
        let (file, unfinished) = (self.file(round), self.file(round).with_extension(UNFINISHED));
        // A damaged file and one of an earlier crash open nothing.
        self.erase(&unfinished)?;
        self.erase(&file)?;
        let stored = self.disk.write_new(&unfinished, &share_file::encode(round, &share));
        let stored = stored.and_then(|()| self.disk.rename(&unfinished, &file));
        let stored = stored.and_then(|()| self.disk.sync_folder(&self.path));
        if let Err(error) = stored {
            for leftover in [&unfinished, &file] {
                if let Err(error) = self.erase(leftover) {
                    let file = leftover.display();
                    tracing::warn!(round.id = %round, %file, %error, "could not remove an unused share of a key");
                }
            }
            return Err(error);
        }
        Ok(share)
    }

    /// Overwrites and removes the share of a round, if there is one.
    pub(super) fn destroy(&self, round: RoundId) -> io::Result<()> {
        let _changes = self.lock();
        self.erase(&self.file(round).with_extension(UNFINISHED))?;
        self.erase(&self.file(round))
    }

    /// The rounds that have a file.
    pub(super) fn list(&self) -> io::Result<Vec<HeldShare>> {
        let mut held = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let Some(Ok(round)) = entry.file_name().to_str().map(str::parse) else { continue };
            match entry.metadata().and_then(|metadata| metadata.modified()) {
                Ok(stored_at) => held.push(HeldShare { round, stored_at: stored_at.into() }),
                // It was destroyed a moment ago.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(held)
    }

    /// Removes incomplete files.
    fn sweep(&self) -> io::Result<()> {
        let _changes = self.lock();
        for entry in fs::read_dir(&self.path)? {
            let file = entry?.path();
            let is_ours =
                file.file_stem().and_then(|name| name.to_str()).is_some_and(|name| name.parse::<RoundId>().is_ok());
            if is_ours && file.extension().is_some_and(|extension| extension == UNFINISHED) {
                self.erase(&file)?;
            }
        }
        Ok(())
    }

    /// Overwrites a file, removes it, and waits until its name is gone from the disk. Succeeds without a file. If it cannot be
    /// overwritten, it is removed all the same.
    fn erase(&self, file: &Path) -> io::Result<()> {
        match self.disk.overwrite(file, &random::<LENGTH>()) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => tracing::warn!(file = %file.display(), %error, "could not overwrite a share of a key"),
        }
        self.disk.remove(file)?;
        self.disk.sync_folder(&self.path)
    }

    fn file(&self, round: RoundId) -> PathBuf {
        self.path.join(round.to_string())
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Locks the folder itself, so that no file is left in it. The system ends the lock with the process, and Rust opens files
/// close-on-exec, so no child process keeps it.
fn lock(folder: &Path) -> Result<File, KeyFolderError> {
    let unusable = |reason| KeyFolderError::Unusable { folder: folder.to_owned(), reason };
    let opened = File::open(folder).map_err(unusable)?;
    match opened.try_lock() {
        Ok(()) => Ok(opened),
        Err(TryLockError::WouldBlock) => Err(KeyFolderError::InUse { folder: folder.to_owned() }),
        Err(TryLockError::Error(reason)) => Err(unusable(reason)),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use plenum_kernel::testkit::CountingIds;
    use tempfile::TempDir;

    use super::*;

    /// A disk whose nth step from now fails, after it was half done.
    #[derive(Clone, Default)]
    struct FailingDisk(Arc<AtomicU32>);

    impl FailingDisk {
        /// 1 lets the next step fail, 0 none.
        fn fail_at(&self, step: u32) {
            self.0.store(step, Ordering::Relaxed);
        }

        fn step(&self) -> io::Result<()> {
            let left = self.0.load(Ordering::Relaxed);
            self.0.store(left.saturating_sub(1), Ordering::Relaxed);
            if left == 1 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }
    }

    impl Disk for FailingDisk {
        fn write_new(&self, file: &Path, content: &[u8]) -> io::Result<()> {
            match self.step() {
                Ok(()) => SystemDisk.write_new(file, content),
                Err(error) => SystemDisk.write_new(file, &content[..20]).and(Err(error)),
            }
        }

        fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
            self.step().and_then(|()| SystemDisk.rename(from, to))
        }

        fn sync_folder(&self, folder: &Path) -> io::Result<()> {
            self.step().and_then(|()| SystemDisk.sync_folder(folder))
        }

        fn overwrite(&self, file: &Path, content: &[u8]) -> io::Result<()> {
            if file.exists() {
                self.step()?;
            }
            SystemDisk.overwrite(file, content)
        }

        fn remove(&self, file: &Path) -> io::Result<()> {
            self.step().and_then(|()| SystemDisk.remove(file))
        }
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    fn round() -> RoundId {
        RoundId::new(&CountingIds::new())
    }

    #[test]
    fn folder_and_files_are_for_their_owner_only() {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("data").join("urn-keys");
        let (folder, round) = (ShareFolder::open(&path).unwrap(), round());
        folder.store(round, KeyShare([7; 32])).unwrap();
        assert_eq!(mode(&path), 0o700);
        assert_eq!(names(&path), [round.to_string()]);
        assert_eq!(mode(&path.join(round.to_string())), 0o600);
    }

    #[test]
    fn a_check_refuses_what_an_opening_refuses_and_makes_no_folder() {
        let dir = TempDir::new().unwrap();
        let (missing, file) = (dir.path().join("data").join("urn-keys"), dir.path().join("file"));
        assert!(matches!(ShareFolder::check(&missing), Ok(false)));
        assert_eq!(names(dir.path()), <[String; 0]>::default());
        fs::write(&file, "").unwrap();
        for path in [&file, &file.join("below")] {
            assert!(matches!(ShareFolder::check(path), Err(KeyFolderError::Unusable { .. })), "{}", path.display());
            assert!(ShareFolder::open(path).is_err());
        }
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        assert!(matches!(ShareFolder::check(dir.path()), Err(KeyFolderError::Shared { mode: 0o755, .. })));
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o700)).unwrap();
        assert!(matches!(ShareFolder::check(dir.path()), Ok(true)));
    }

    #[test]
    fn a_folder_that_others_can_read_is_refused() {
        let dir = TempDir::new().unwrap();
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o750)).unwrap();
        let refused = ShareFolder::open(dir.path()).err().unwrap();
        assert!(matches!(refused, KeyFolderError::Shared { mode: 0o750, .. }), "{refused}");
        assert!(refused.to_string().contains("(mode 0750): chmod 700 "), "{refused}");
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o700)).unwrap();
        assert!(ShareFolder::open(dir.path()).is_ok());
    }

    #[test]
    fn a_path_that_is_no_folder_is_refused() {
        let dir = TempDir::new().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        for path in [file.clone(), file.join("below")] {
            let refused = ShareFolder::open(&path).err().unwrap();
            assert!(matches!(refused, KeyFolderError::Unusable { .. }), "{refused}");
            assert!(refused.to_string().contains("must be a folder that Plenum can write to"), "{refused}");
        }
    }

    #[test]
    fn a_folder_in_use_is_refused_and_nothing_in_it_changes() {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("keys");
        let (folder, round) = (ShareFolder::open(&path).unwrap(), round());
        folder.store(round, KeyShare([7; 32])).unwrap();
        // The first instance is writing it.
        let unfinished = path.join(format!("{round}.new"));
        fs::write(&unfinished, [1; 20]).unwrap();
        let refused = ShareFolder::open(&path).err().unwrap();
        assert!(matches!(refused, KeyFolderError::InUse { .. }), "{refused}");
        assert!(refused.to_string().contains("is in use by another running instance"), "{refused}");
        assert!(matches!(ShareFolder::check(&path), Ok(true)), "a check needs no lock");
        assert_eq!(fs::read(&unfinished).unwrap(), [1; 20]);
        assert_eq!(folder.read(round).unwrap(), Some(KeyShare([7; 32])));
        drop(folder);
        assert_eq!(ShareFolder::open(&path).unwrap().read(round).unwrap(), Some(KeyShare([7; 32])));
        assert_eq!(names(&path), [round.to_string()], "the lock leaves no file");
    }

    #[test]
    fn shares_survive_a_restart() {
        let dir = TempDir::new().unwrap();
        let round = round();
        let open = || ShareFolder::open(&dir.path().join("keys")).unwrap();
        assert_eq!(open().store(round, KeyShare([7; 32])).unwrap(), KeyShare([7; 32]));
        assert_eq!(open().read(round).unwrap(), Some(KeyShare([7; 32])));
        assert_eq!(open().store(round, KeyShare([8; 32])).unwrap(), KeyShare([7; 32]), "it is not replaced");
        assert_eq!(open().list().unwrap().len(), 1);
    }

    #[test]
    fn a_store_that_fails_leaves_nothing_and_the_next_one_succeeds() {
        for step in 1..=3 {
            let dir = TempDir::new().unwrap();
            let path = dir.path().join("keys");
            let disk = FailingDisk::default();
            let (folder, round) = (ShareFolder::open_on(Box::new(disk.clone()), &path).unwrap(), round());
            disk.fail_at(step);
            let error = folder.store(round, KeyShare([7; 32])).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "step {step}");
            assert_eq!(names(&path), [""; 0], "step {step}");
            assert_eq!(folder.read(round).unwrap(), None);
            assert_eq!(folder.store(round, KeyShare([8; 32])).unwrap(), KeyShare([8; 32]));
        }
    }

    #[test]
    fn a_destruction_overwrites_and_can_be_repeated() {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("keys");
        let disk = FailingDisk::default();
        let (folder, round) = (ShareFolder::open_on(Box::new(disk.clone()), &path).unwrap(), round());
        folder.store(round, KeyShare([7; 32])).unwrap();
        // Another name for the same bytes on the disk.
        let bytes = dir.path().join("bytes");
        fs::hard_link(path.join(round.to_string()), &bytes).unwrap();
        disk.fail_at(2);
        folder.destroy(round).unwrap_err();
        assert_eq!(folder.read(round).unwrap(), None, "overwritten and not removed");
        folder.destroy(round).unwrap();
        assert_eq!(names(&path), [""; 0]);
        let overwritten = fs::read(&bytes).unwrap();
        assert_eq!(overwritten.len(), LENGTH);
        assert!(!overwritten.windows(4).any(|bytes| bytes == [7; 4]), "{overwritten:?}");
        folder.destroy(round).unwrap();

        folder.store(round, KeyShare([7; 32])).unwrap();
        disk.fail_at(1);
        folder.destroy(round).unwrap();
        assert_eq!(names(&path), [""; 0], "removed, though it could not be overwritten");
    }

    #[test]
    fn what_a_crash_left_is_removed_at_the_start_and_other_files_stay() {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("keys");
        let (kept, crashed) = (round(), round());
        ShareFolder::open(&path).unwrap().store(kept, KeyShare([7; 32])).unwrap();
        fs::write(path.join(format!("{crashed}.new")), [1; 20]).unwrap();
        fs::write(path.join("notes.new"), "").unwrap();
        let folder = ShareFolder::open(&path).unwrap();
        let mut left = names(&path);
        left.sort();
        let mut expected = [kept.to_string(), "notes.new".to_owned()];
        expected.sort();
        assert_eq!(left, expected);
        assert_eq!(folder.list().unwrap().iter().map(|held| held.round).collect::<Vec<_>>(), [kept]);
    }

    #[test]
    fn a_damaged_share_is_none_and_a_new_one_takes_its_place() {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("keys");
        let (folder, round) = (ShareFolder::open(&path).unwrap(), round());
        folder.store(round, KeyShare([7; 32])).unwrap();
        fs::write(path.join(round.to_string()), [7; 33]).unwrap();
        assert_eq!(folder.read(round).unwrap(), None);
        assert_eq!(folder.store(round, KeyShare([8; 32])).unwrap(), KeyShare([8; 32]));
        assert_eq!(folder.read(round).unwrap(), Some(KeyShare([8; 32])));
    }
}
