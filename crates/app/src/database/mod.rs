//! The database: embedded or external, its connection pools, and the ports that it implements for the HTTP adapter.

mod attribution;
mod diagnostics;
mod pools;

use std::path::PathBuf;

use plenum_embedded_postgres::{Durability, EmbeddedPostgres, ServerWatch, Settings, StartError, StopError};

use crate::config::Config;

pub(crate) use attribution::DatabaseAttribution;
pub(crate) use diagnostics::DatabaseDiagnostics;
pub use pools::Pools;

/// The folder of the npm package with PostgreSQL's programs, below the root of the project.
const TOOLS: &str = "tools/postgres";

/// A failed start or stop of the database.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The embedded server did not start.
    #[error("the embedded database did not start")]
    Start(#[from] StartError),
    /// The embedded server did not shut down cleanly.
    #[error("the embedded database did not shut down cleanly")]
    Stop(#[from] StopError),
}

/// The database: external or embedded.
pub enum Database {
    /// A database at this address. The program neither starts nor stops it.
    External(String),
    /// A PostgreSQL server that runs as a child process.
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

    /// Like [`Self::open`], but uses the embedded database of another process.
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

    /// The state of the embedded server. `None` for an external database.
    pub fn watch(&self) -> Option<ServerWatch> {
        match self {
            Self::External(_) => None,
            Self::Embedded(server) => server.watch(),
        }
    }

    /// Stops the embedded server in order. Blocks until it has stopped.
    ///
    /// # Errors
    /// Fails when the server had to be killed. Committed data is safe even then.
    pub fn close(self) -> Result<(), DatabaseError> {
        match self {
            Self::External(_) => Ok(()),
            Self::Embedded(server) => Ok(server.stop()?),
        }
    }
}

/// The possible folders of PostgreSQL's package: below the working directory, and next to or above the program (`just
/// up` puts it into `target/release`).
fn package_roots() -> Vec<PathBuf> {
    let mut roots = vec![PathBuf::from(TOOLS)];
    let program = std::env::current_exe().ok();
    roots.extend(program.iter().flat_map(|program| program.ancestors().skip(1)).map(|folder| folder.join(TOOLS)));
    roots
}
