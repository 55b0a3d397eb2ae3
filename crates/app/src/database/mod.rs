//! The database: the embedded or a configured one, its connection pools, and what adapters of other ports ask of it.

mod attribution;
mod diagnostics;
mod pools;

use std::path::PathBuf;

use plenum_embedded_postgres::{Durability, EmbeddedPostgres, ServerWatch, Settings, StartError, StopError};

use crate::config::Config;

pub(crate) use attribution::DatabaseAttribution;
pub(crate) use diagnostics::DatabaseDiagnostics;
pub use pools::Pools;

/// Where the npm package with PostgreSQL's programs is installed, seen from the project's root.
const TOOLS: &str = "tools/postgres";

/// Why there is no database.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The embedded server did not start.
    #[error("the embedded database did not start")]
    Start(#[from] StartError),
    /// The embedded server did not stop in order.
    #[error("the embedded database did not stop in order")]
    Stop(#[from] StopError),
}

/// The database that is used: one's own, or the embedded one.
pub enum Database {
    /// At this address; it is neither started nor stopped.
    External(String),
    /// A server that runs as a child of this process.
    Embedded(EmbeddedPostgres),
}

impl Database {
    /// Uses the configured database, or starts the embedded one. Blocks until it is ready.
    ///
    /// # Errors
    /// Fails when the embedded server does not start.
    pub fn open(config: &Config) -> Result<Self, DatabaseError> {
        if let Some(url) = &config.database_url {
            return Ok(Self::External(url.as_str().to_owned()));
        }
        let settings = Settings {
            data_dir: config.data_dir.clone(),
            binaries: config.postgres_bin.clone(),
            package_roots: package_roots(),
            durability: Durability::Durable,
        };
        Ok(Self::Embedded(EmbeddedPostgres::start(&settings)?))
    }

    /// The same; but where another process runs the embedded database, uses it beside that one.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_beside(config: &Config) -> Result<Self, DatabaseError> {
        match EmbeddedPostgres::running_in(&config.data_dir) {
            Some(url) if config.database_url.is_none() => Ok(Self::External(url)),
            _ => Self::open(config),
        }
    }

    /// The address for connections.
    pub fn url(&self) -> &str {
        match self {
            Self::External(url) => url,
            Self::Embedded(server) => server.url(),
        }
    }

    /// Looks at the embedded server from outside, where there is one.
    pub fn watch(&self) -> Option<ServerWatch> {
        match self {
            Self::External(_) => None,
            Self::Embedded(server) => server.watch(),
        }
    }

    /// Stops the embedded server in order. Blocks until it has stopped.
    ///
    /// # Errors
    /// Fails when it had to be ended by force; what was committed is safe also then.
    pub fn close(self) -> Result<(), DatabaseError> {
        match self {
            Self::External(_) => Ok(()),
            Self::Embedded(server) => Ok(server.stop()?),
        }
    }
}

/// The folders in which PostgreSQL's package may be: below the working directory and beside or above the
/// program, which `just up` leaves in `target/release`.
fn package_roots() -> Vec<PathBuf> {
    let mut roots = vec![PathBuf::from(TOOLS)];
    let program = std::env::current_exe().ok();
    roots.extend(program.iter().flat_map(|program| program.ancestors().skip(1)).map(|folder| folder.join(TOOLS)));
    roots
}
