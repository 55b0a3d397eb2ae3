//! Runs a real PostgreSQL as a supervised child process, so that Plenum needs no database to be set up.
//!
//! [`EmbeddedPostgres::start`] finds PostgreSQL's binaries, creates a cluster at the first start, and returns once the
//! server responds at [`EmbeddedPostgres::url`]. From then on:
//!
//! - **One server per folder.** The data folder is locked by the process that owns the handle, and a server left behind
//!   by an owner that was killed is stopped before another one starts.
//! - **The server ends with its owner**, in order even after a kill -9 of the owner (by a parent-death signal, Linux).
//! - **A server that dies is restarted** at the same address, so that a connection pool recovers by itself.
//! - **Root can start it.** PostgreSQL refuses to run as root, so it runs as an unprivileged user, see `identity.rs`.
//!
//! Layout of the data folder:
//!
//! ```text
//! lock                 held by the owner, carries its process id
//! pg18/                the cluster, named by PostgreSQL's major version
//! run/                 the socket, unless its path would be too long
//! postgres.log         the server's log
//! postgres-18.4…/      a copy of the binaries, only if the server's user cannot reach the original
//! ```

mod address;
mod binaries;
mod cluster;
mod embedded;
mod errors;
mod identity;
mod left_behind;
mod lock;
mod poll;
mod processes;
mod server;
mod settings;
mod supervisor;
#[cfg(feature = "testkit")]
pub mod testkit;
mod watch;

pub use embedded::EmbeddedPostgres;
pub use errors::{StartError, StopError};
pub use settings::{Durability, Settings};
pub use watch::{ServerWatch, free_bytes};
