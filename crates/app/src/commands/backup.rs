use std::path::Path;

use plenum_adapter_postgres::{BackupSize, back_up};

use super::CommandError;
use crate::backup::{BackupTarget, BackupWriter};
use crate::config::evidence_key;
use crate::output::{print_line, print_to_stderr};
use crate::runtime::runtime;
use crate::{Config, Database, whole_chain};

/// Writes the whole database into a file, also while the product is served.
pub(super) fn run(config: &Config, file: &Path) -> Result<(), CommandError> {
    let mut target =
        BackupTarget::open(file).map_err(|error| format!("cannot write to {}: {error}", file.display()))?;
    // Messages must not be part of the backup.
    let print_line = if target.is_standard_output() { print_to_stderr } else { print_line };
    let database = Database::open_beside(config)?;
    let outcome = write(&database, &mut target);
    database.close()?;
    let size = outcome.map_err(|error| format!("the backup failed: {}", whole_chain(&*error)))?;
    let bytes = target.finish().map_err(|error| format!("cannot write to {}: {error}", file.display()))?;
    print_line(&format!(
        "Backed up {} rows of {} tables to {} ({bytes} bytes).",
        size.rows,
        size.tables,
        file.display()
    ));
    print_line("It contains all data, votes and password hashes. Store it where only you can read it.");
    print_line(&match &config.jwt_secret {
        Some(_) => "PLENUM_JWT_SECRET is not in it. Store it in another place.".to_owned(),
        None => format!(
            "The key {} is not in it. Store a copy of the key in another place.",
            config.data_dir.join("signing-key").display()
        ),
    });
    print_line(&format!(
        "The evidence key {} is not in it either. Without a copy of it, a restored installation does not start.",
        evidence_key::path(config).display()
    ));
    Ok(())
}

fn write(database: &Database, target: &mut BackupTarget) -> Result<BackupSize, CommandError> {
    let out = BackupWriter::new(target.writer()?);
    let (out, size) = runtime()?.block_on(back_up(database.url(), out))?;
    target.written(out.seal()?.close()?);
    Ok(size)
}
