use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use plenum_adapter_postgres::{BackupSize, back_up};

use super::{CommandError, runtime};
use crate::backup_file::BackupWriter;
use crate::say::say;
use crate::{Config, Database, whole_chain};

/// Writes everything that is in the database into a file, also while the product is being served.
pub(super) fn run(config: &Config, file: &Path) -> Result<(), CommandError> {
    let unfinished =
        Unfinished::create(file).map_err(|error| format!("cannot write to {}: {error}", file.display()))?;
    let database = Database::open_beside(config)?;
    let outcome = write(&database, &unfinished);
    database.close()?;
    let size = outcome.map_err(|error| format!("there is no backup: {}", whole_chain(&*error)))?;
    let bytes = unfinished.finish(file).map_err(|error| format!("cannot write to {}: {error}", file.display()))?;
    say(&format!("Backed up {} rows of {} tables to {} ({bytes} bytes).", size.rows, size.tables, file.display()));
    say(
        "It holds everything that people have entered, their votes and the hashes of their passwords: keep it where only you \
         can read it.",
    );
    say(&match &config.jwt_secret {
        Some(_) => "PLENUM_JWT_SECRET is not in it: keep that apart from it.".to_owned(),
        None => format!(
            "The key {} is not in it: keep a copy of that apart from it.",
            config.data_dir.join("signing-key").display()
        ),
    });
    Ok(())
}

fn write(database: &Database, unfinished: &Unfinished) -> Result<BackupSize, CommandError> {
    let out = BackupWriter::new(BufWriter::new(unfinished.file.try_clone()?));
    let (out, size) = runtime()?.block_on(back_up(database.url(), out))?;
    out.seal()?.into_inner()?.sync_all()?;
    Ok(size)
}

/// A backup that has its name only when it is whole. Removed on drop.
struct Unfinished {
    path: PathBuf,
    file: File,
}

impl Unfinished {
    fn create(file: &Path) -> io::Result<Self> {
        let mut name = file.file_name().map_or_else(OsString::new, OsString::from);
        // Of its own: another backup to the same file may be under way.
        name.push(format!(".{}.part", std::process::id()));
        let path = file.with_file_name(name);
        // What a backup that was broken off has left, perhaps readable for others.
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        Ok(Self { path, file })
    }

    /// Gives it its name, and its length.
    fn finish(self, file: &Path) -> io::Result<u64> {
        fs::rename(&self.path, file)?;
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
        File::open(folder)?.sync_all()?;
        Ok(self.file.metadata()?.len())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // Gone already when it has its name.
        let _ = fs::remove_file(&self.path);
    }
}
