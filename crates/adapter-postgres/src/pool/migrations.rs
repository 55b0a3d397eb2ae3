use std::error::Error;

use diesel::connection::SimpleConnection;
use diesel::migration::{Migration, MigrationSource, MigrationVersion};
use diesel::pg::{Pg, PgConnection};
use diesel::result::{ConnectionError, QueryResult};
use diesel::sql_types::{Bool, Text};
use diesel::{QueryableByName, RunQueryDsl};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use crate::UrlError;
use crate::pool::damage::damage_in;
use crate::pool::failure::damaged;
use crate::pool::servers::{Lineage, Servers};
use crate::pool::tenants::{BIND, MAKE_ROLE, SEE_ALL};

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations");

/// The advisory lock of migrations, one for each schema, because several instances may start at once. The first number is
/// "plen" in ASCII, so that other programs in the same database use other locks.
const LOCK: &str = "pg_advisory_lock(1886152046, hashtext(current_schema()))";
const UNLOCK: &str = "pg_advisory_unlock(1886152046, hashtext(current_schema()))";

/// The maximum time that a migration waits for a table. All later statements on the table wait behind it.
const LOCK_PATIENCE: &str = "5s";
const TRIES: u32 = 10;

/// The reason why the database could not be migrated.
#[derive(Debug, thiserror::Error)]
pub enum MigrationError {
    /// The address cannot be used.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// The database does not respond.
    #[error("cannot connect to the database")]
    Connection(#[from] ConnectionError),
    /// A statement failed.
    #[error("the database refused")]
    Query(#[from] diesel::result::Error),
    /// A migration failed. The database is in the state before it.
    #[error("a migration failed")]
    Migration(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A newer program migrated the database, and may have changed tables that this one uses.
    #[error(
        "the database is of a newer version of Plenum: its newest migration is {database}, and this program knows those up to \
         {program}; use the newer program, or restore a backup that was made by this one"
    )]
    Newer {
        /// The newest migration of the database.
        database: String,
        /// The newest migration of this program.
        program: String,
    },
    /// The program is stopping.
    #[error("the migration was interrupted")]
    Interrupted(#[from] tokio::task::JoinError),
}

/// Applies all missing migrations and returns their names. Sets up row level security each time, because tables may be
/// new.
///
/// # Errors
/// Fails when the database is newer than the program, cannot be reached, a migration fails, or row level security would not
/// bind the login.
pub async fn migrate(url: &str) -> Result<Vec<String>, MigrationError> {
    with_own_connection(url, |conn| locked(conn, migrate_on)).await
}

/// Checks that row level security binds connections to this address. The database must be up to date.
///
/// # Errors
/// Fails when the database cannot be reached, or row level security does not bind the login.
pub async fn check_row_security(url: &str) -> Result<(), MigrationError> {
    with_own_connection(url, |conn| Ok(conn.batch_execute(BIND)?)).await
}

/// The migrations of this program that the database lacks, in order. Changes nothing.
///
/// # Errors
/// Fails when the database is newer than the program, or cannot be reached.
pub async fn pending(url: &str) -> Result<Vec<String>, MigrationError> {
    with_own_connection(url, |conn| {
        refuse_newer(conn)?;
        Ok(pending_on(conn)?)
    })
    .await
}

/// Reads every table completely and returns PostgreSQL's messages about damage. Does not read indexes.
///
/// # Errors
/// Fails when the database cannot be reached.
pub async fn read_all(url: &str) -> Result<Vec<String>, MigrationError> {
    #[derive(QueryableByName)]
    struct Table {
        #[diesel(sql_type = Text)]
        name: String,
    }
    const TABLES: &str = "SELECT oid::regclass::text AS name FROM pg_class \
                          WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY 1";
    const WHOLE: &str = "SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off";
    with_own_connection(url, |conn| {
        conn.batch_execute(WHOLE)?;
        let tables: Vec<Table> = diesel::sql_query(TABLES).load(conn)?;
        let mut damages = Vec::new();
        for Table { name } in tables {
            if let Err(error) = diesel::sql_query(format!("SELECT count(*) FROM {name}")).execute(conn) {
                damages.push(damage_in(&error).ok_or(error)?);
            }
        }
        Ok(damages)
    })
    .await
}

/// Fails when the database has a migration that is unknown to this program.
fn refuse_newer(conn: &mut PgConnection) -> Result<(), MigrationError> {
    let mut applied = applied_on(conn)?;
    applied.sort();
    if unknown(&applied)?.is_none() {
        return Ok(());
    }
    let known = MigrationSource::<Pg>::migrations(&MIGRATIONS).map_err(MigrationError::Migration)?;
    let program = known.iter().map(|migration| migration.name().version().to_string()).max();
    let newest = |version: Option<String>| version.unwrap_or_else(|| "none".to_owned());
    Err(MigrationError::Newer { database: newest(applied.pop()), program: newest(program) })
}

/// Reverts all migrations by their `down.sql`, the newest first. For tests only: it drops everything.
#[cfg(feature = "testkit")]
pub(crate) async fn revert_all(url: &str) -> Result<(), MigrationError> {
    with_own_connection(url, |conn| {
        locked(conn, |conn| {
            conn.revert_all_migrations(MIGRATIONS).map_err(MigrationError::Migration)?;
            Ok(())
        })
    })
    .await
}

/// The first of these versions that is unknown to this program.
pub(crate) fn unknown(versions: &[String]) -> Result<Option<String>, MigrationError> {
    let known = MigrationSource::<Pg>::migrations(&MIGRATIONS).map_err(MigrationError::Migration)?;
    let is_known =
        |version: &&String| known.iter().any(|migration| migration.name().version().to_string() == **version);
    Ok(versions.iter().find(|version| !is_known(version)).cloned())
}

/// Creates the tables as they are after exactly these migrations. Existing tables must be empty.
pub(crate) fn make_empty(conn: &mut PgConnection, versions: &[String]) -> Result<(), MigrationError> {
    let mut applied = applied_on(conn)?;
    applied.sort();
    if applied == versions {
        return Ok(());
    }
    conn.revert_all_migrations(MIGRATIONS).map_err(MigrationError::Migration)?;
    let migrations = conn.pending_migrations(MIGRATIONS).map_err(MigrationError::Migration)?;
    for migration in migrations {
        if versions.contains(&migration.name().version().to_string()) {
            conn.run_migration(&*migration).map_err(MigrationError::Migration)?;
        }
    }
    Ok(())
}

/// [`pending`] on an existing connection. Only reads, so that the readiness check needs no rights.
pub(crate) fn pending_on(conn: &mut PgConnection) -> QueryResult<Vec<String>> {
    let applied = applied_on(conn)?;
    let is_applied = |version: &MigrationVersion<'_>| applied.contains(&version.to_string());
    let mut migrations = MigrationSource::<Pg>::migrations(&MIGRATIONS).map_err(damaged)?;
    migrations.sort_by(|one, other| one.name().version().cmp(&other.name().version()));
    Ok(migrations
        .iter()
        .filter(|migration| !is_applied(&migration.name().version()))
        .map(|migration| migration.name().to_string())
        .collect())
}

/// The versions of all migrations in the database, in no order, including those of a newer program. Only reads.
pub(crate) fn applied_on(conn: &mut PgConnection) -> QueryResult<Vec<String>> {
    let is_there: Answer =
        diesel::sql_query("SELECT to_regclass('__diesel_schema_migrations') IS NOT NULL AS answer").get_result(conn)?;
    if !is_there.answer {
        return Ok(Vec::new());
    }
    let applied: Vec<Version> =
        diesel::sql_query("SELECT version::text AS version FROM __diesel_schema_migrations").load(conn)?;
    Ok(applied.into_iter().map(|applied| applied.version).collect())
}

pub(crate) fn migrate_on(conn: &mut PgConnection) -> Result<Vec<String>, MigrationError> {
    refuse_newer(conn)?;
    let names = pending_on(conn)?;
    run_pending(conn)?;
    conn.batch_execute(MAKE_ROLE)?;
    conn.batch_execute(&format!("{BIND}; RESET ROLE"))?;
    Ok(names)
}

fn run_pending(conn: &mut PgConnection) -> Result<(), MigrationError> {
    // Set only now: the wait for the migrations of another instance has no limit.
    conn.batch_execute(&format!("SET lock_timeout = '{LOCK_PATIENCE}'"))?;
    for migration in conn.pending_migrations(MIGRATIONS).map_err(MigrationError::Migration)? {
        run_patiently(conn, &*migration)?;
    }
    Ok(())
}

/// Retries while another session uses a table that the migration changes. All later statements, votes included, wait behind
/// a waiting migration, so it gives up its place and lets them through.
fn run_patiently(conn: &mut PgConnection, migration: &dyn Migration<Pg>) -> Result<(), MigrationError> {
    for attempt in 1.. {
        match conn.run_migration(migration) {
            Ok(_) => break,
            Err(error) if attempt < TRIES && has_waited_for_a_lock(&*error) => {
                tracing::warn!(migration = %migration.name(), attempt, "a table that is to be changed is in use; trying again");
                conn.batch_execute("SELECT pg_sleep(1)")?;
            }
            Err(error) => return Err(MigrationError::Migration(error)),
        }
    }
    Ok(())
}

/// Diesel gives only the text of the error, not its code.
fn has_waited_for_a_lock(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let text = error.to_string();
        if text.contains("lock timeout") || text.contains("deadlock detected") {
            return true;
        }
        cause = error.source();
    }
    false
}

pub(crate) fn locked<T, E: From<diesel::result::Error>>(
    conn: &mut PgConnection,
    work: impl FnOnce(&mut PgConnection) -> Result<T, E>,
) -> Result<T, E> {
    conn.batch_execute(&format!("SELECT {LOCK}"))?;
    let outcome = work(conn);
    // If this fails, the connection is lost and its lock with it.
    let _ = conn.batch_execute(&format!("SELECT {UNLOCK}"));
    outcome
}

pub(crate) async fn with_own_connection<T: Send + 'static>(
    url: &str,
    work: impl FnOnce(&mut PgConnection) -> Result<T, MigrationError> + Send + 'static,
) -> Result<T, MigrationError> {
    let servers = Servers::of(url, &Lineage::default())?;
    tokio::task::spawn_blocking(move || {
        // Not from the pool: a migration may take longer than any statement of a request.
        let mut conn = servers.connect()?.conn;
        conn.batch_execute("SET timezone = 'UTC'; SET client_min_messages = 'warning'")?;
        // Row level security binds the owner of the tables, too, and a migration changes the rows of all clients.
        conn.batch_execute(SEE_ALL)?;
        work(&mut conn)
    })
    .await?
}

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    answer: bool,
}

#[derive(QueryableByName)]
struct Version {
    #[diesel(sql_type = Text)]
    version: String,
}
