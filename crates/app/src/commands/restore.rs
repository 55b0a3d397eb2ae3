use std::fs::File;
use std::path::Path;
use std::process::ExitCode;

use plenum_adapter_postgres::restore;

use super::CommandError;
use crate::backup::open_backup;
use crate::output::print_line;
use crate::runtime::runtime;
use crate::{Config, Database, whole_chain};

/// Exit code for a file that is not a complete backup.
const UNREADABLE: u8 = 2;

/// Restores a backup into an empty installation.
pub(super) fn run(config: &Config, file: &Path) -> Result<ExitCode, CommandError> {
    // Before a database is created.
    let lines = match File::open(file).map_err(|error| error.to_string()).and_then(open_backup) {
        Ok(lines) => lines,
        Err(reason) => {
            print_line(&format!("{} cannot be restored: {reason}.", file.display()));
            return Ok(ExitCode::from(UNREADABLE));
        }
    };
    let database = Database::open(config)?;
    let outcome = runtime()?.block_on(restore(database.url(), lines));
    database.close()?;
    let size = outcome.map_err(|error| format!("nothing was restored: {}", whole_chain(&error)))?;
    print_line(&format!("Restored {} rows of {} tables from {}.", size.rows, size.tables, file.display()));
    print_line("Everybody has to sign in again, with the same password as before.");
    Ok(ExitCode::SUCCESS)
}
