//! Backup of the whole database as lines of text, and its restoration (decision 40).
//!
//! The lines are a header; for each table a line with its name and columns, then each row as an array of texts in
//! PostgreSQL's own form; and at the end the number of rows of each table. The tables come from the catalog, so tables
//! that are added later are included.

mod catalog;
mod restore;
mod take;

use std::io;

use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::result::ConnectionError;

use crate::pool::servers::{Lineage, Servers};
use crate::{MigrationError, UrlError};

pub use restore::restore;
pub use take::back_up;

/// The version of the format in the header.
pub const BACKUP_FORMAT: &str = "plenum-backup/1";

/// Sessions, and links that set a password. They are not copied, so that a copy gives no access; everyone signs in again.
const LEFT_OUT: [&str; 3] = ["password_resets", "refresh_tokens", "sessions"];

/// The size of a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackupSize {
    /// The number of tables.
    pub tables: usize,
    /// The number of rows in all tables.
    pub rows: u64,
}

/// The reason why a database could not be backed up or restored. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The address cannot be used.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// The database does not respond.
    #[error("cannot connect to the database")]
    Connection(#[from] ConnectionError),
    /// A statement failed.
    #[error("the database refused")]
    Query(#[from] diesel::result::Error),
    /// The tables could not be created.
    #[error(transparent)]
    Migration(#[from] MigrationError),
    /// The lines could not be written or read.
    #[error("the file cannot be written or read")]
    File(#[from] io::Error),
    /// There is no data to copy.
    #[error("there are no tables of Plenum in this database; look at DATABASE_URL and PLENUM_DATA_DIR")]
    NoTables,
    /// The tables changed just before they were read.
    #[error("the database is being migrated at this moment; try again")]
    Changing,
    /// The lines are not a valid backup.
    #[error("the backup is damaged: {0}")]
    Damaged(String),
    /// Another version made the backup.
    #[error(
        "the backup was made by a version of Plenum that this one does not know ({0}); install that version, or a newer one"
    )]
    Newer(String),
    /// The database contains data.
    #[error(
        "the database is not empty (there are rows in {0}); restore into a new data directory (PLENUM_DATA_DIR), or into a \
         new database or schema (DATABASE_URL), before `plenum serve` is started on it"
    )]
    NotEmpty(String),
    /// The program is stopping.
    #[error("it was interrupted")]
    Interrupted(#[from] tokio::task::JoinError),
}

/// Writes every value in one format, with any settings of the server; without timeouts; and with the rows of all
/// clients, which row level security would hide.
const SETTINGS: &str = "SET client_encoding = 'UTF8'; SET timezone = 'UTC'; SET datestyle = 'ISO, YMD'; \
    SET intervalstyle = 'postgres'; SET bytea_output = 'hex'; SET extra_float_digits = 1; \
    SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '60s'; \
    SET client_min_messages = 'warning'; SELECT set_config('plenum.tenant', 'all', false)";

/// Not from the pool: it has no time limit.
fn connect(url: &str) -> Result<PgConnection, BackupError> {
    let mut conn = Servers::of(url, &Lineage::default())?.connect()?.conn;
    conn.batch_execute(SETTINGS)?;
    Ok(conn)
}
