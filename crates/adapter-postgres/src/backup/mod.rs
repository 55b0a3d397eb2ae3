//! Everything that is in the database, as lines of text, and back again (decision 40).
//!
//! The lines are: a header; for each table a line that names it and its columns, then each of its rows as an array of texts,
//! just as PostgreSQL writes each value and reads it again; at the end how many rows each table has. What there is to be
//! copied is asked of the catalog, so that a table that is added later is in it.

mod catalog;
mod restore;
mod take;

use std::io;

use diesel::Connection;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::result::ConnectionError;

use crate::pool::url;
use crate::{MigrationError, UrlError};

pub use restore::restore;
pub use take::back_up;

/// What the header says that the lines are. Another number is another form.
pub const BACKUP_FORMAT: &str = "plenum-backup/1";

/// Who is signed in, and links that set a password. They are not copied, so that nobody can sign in by a copy; everybody
/// signs in again.
const LEFT_OUT: [&str; 3] = ["password_resets", "refresh_tokens", "sessions"];

/// How much was copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackupSize {
    /// How many tables.
    pub tables: usize,
    /// How many rows in all of them.
    pub rows: u64,
}

/// Why a database could not be backed up or restored. In either case nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The address cannot be used.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// The database does not answer.
    #[error("cannot connect to the database")]
    Connection(#[from] ConnectionError),
    /// A statement failed.
    #[error("the database refused")]
    Query(#[from] diesel::result::Error),
    /// The tables could not be made.
    #[error(transparent)]
    Migration(#[from] MigrationError),
    /// The lines could not be written or read.
    #[error("the file cannot be written or read")]
    File(#[from] io::Error),
    /// There is nothing to copy.
    #[error("there are no tables of Plenum in this database; look at DATABASE_URL and PLENUM_DATA_DIR")]
    NoTables,
    /// The tables changed while they were about to be read.
    #[error("the database is being migrated at this moment; try again")]
    Changing,
    /// The lines are not what a backup is.
    #[error("the backup is damaged: {0}")]
    Damaged(String),
    /// Made by another version.
    #[error(
        "the backup was made by a version of Plenum that this one does not know ({0}); install that version, or a newer one"
    )]
    Newer(String),
    /// Somebody's data is there already.
    #[error(
        "the database is not empty (there are rows in {0}); restore into a new data directory (PLENUM_DATA_DIR), or into a \
         new database or schema (DATABASE_URL), before `plenum serve` is started on it"
    )]
    NotEmpty(String),
    /// The program is stopping.
    #[error("it was interrupted")]
    Interrupted(#[from] tokio::task::JoinError),
}

/// Every value is written in one way only, whatever the server is set to; nothing is broken off; and where the database shows
/// each tenant its own rows, all are shown.
const SETTINGS: &str = "SET client_encoding = 'UTF8'; SET timezone = 'UTC'; SET datestyle = 'ISO, YMD'; \
    SET intervalstyle = 'postgres'; SET bytea_output = 'hex'; SET extra_float_digits = 1; \
    SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '60s'; \
    SET client_min_messages = 'warning'; SELECT set_config('plenum.tenant', 'all', false)";

/// Not from the pool: it takes as long as it takes.
fn connect(url: &str) -> Result<PgConnection, BackupError> {
    let mut conn = PgConnection::establish(&url::complete(url)?)?;
    conn.batch_execute(SETTINGS)?;
    Ok(conn)
}
