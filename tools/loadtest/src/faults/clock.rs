//! A clock for the server's process alone, by libfaketime. The machine's clock is never changed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tokio::process::Command;

/// A clock that can be set.
#[derive(Debug)]
pub(super) struct FakeClock {
    library: PathBuf,
    file: PathBuf,
}

impl FakeClock {
    /// Creates a clock whose file is in this folder.
    ///
    /// # Errors
    /// Returns the reason if libfaketime is not available.
    pub(super) fn find(folder: &Path) -> Result<Self, String> {
        let missing = || "libfaketime is not installed (Debian: faketime)".to_owned();
        let libraries = fs::read_dir("/usr/lib").map_err(|_| missing())?;
        // The variant for programs with several threads.
        let mut candidates = libraries.flatten().map(|entry| entry.path().join("faketime/libfaketimeMT.so.1"));
        let library = candidates.find(|path| path.is_file()).ok_or_else(missing)?;
        let clock = Self { library, file: folder.join("clock") };
        clock.set(0).map_err(|error| error.to_string())?;
        Ok(clock)
    }

    /// Sets the clock this many seconds ahead, or back if negative.
    pub(super) fn set(&self, seconds: i64) -> io::Result<()> {
        let unfinished = self.file.with_extension("new");
        fs::write(&unfinished, format!("{seconds:+}\n"))?;
        fs::rename(unfinished, &self.file)
    }

    /// Makes a program use this clock.
    pub(super) fn apply_to(&self, command: &mut Command) {
        command
            .env("LD_PRELOAD", &self.library)
            .env("FAKETIME_TIMESTAMP_FILE", &self.file)
            // The program reads the file once a second.
            .env("FAKETIME_CACHE_DURATION", "1")
            // As on a machine whose clock is set, the monotonic clock continues.
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    }
}
