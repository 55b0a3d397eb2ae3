use std::fs::File;
use std::path::Path;
use std::process::ExitCode;

use plenum_adapter_postgres::restore;

use super::CommandError;
use crate::backup::open_backup;
use crate::config::{evidence_key, signing_key};
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
    let signing = match &config.jwt_secret {
        Some(_) => "PLENUM_JWT_SECRET".to_owned(),
        None => format!("the signing key as {}", signing_key::path(&config.data_dir).display()),
    };
    print_line(&format!(
        "The backup contains no keys. Before the first start, put back the copies of those that belong to it: {signing}, and the \
         evidence key as {}. Without them the start is refused.",
        evidence_key::path(config).display()
    ));
    Ok(ExitCode::SUCCESS)
}
