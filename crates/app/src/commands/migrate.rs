use plenum_adapter_postgres::migrate;

use super::CommandError;
use crate::output::print_line;
use crate::runtime::runtime;
use crate::{Config, Database};

pub(super) fn run(config: &Config) -> Result<(), CommandError> {
    let database = Database::open(config)?;
    let done = runtime()?.block_on(migrate(database.url()));
    database.close()?;
    match done?.as_slice() {
        [] => print_line("The database is up to date."),
        done => print_line(&format!("Applied: {}.", done.join(", "))),
    }
    Ok(())
}
