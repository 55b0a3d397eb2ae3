//! One temporary server per test process, and separate ones for tests that stop theirs.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use nix::sys::signal::Signal;

use crate::{Durability, EmbeddedPostgres, Settings, StartError, cluster, lock, processes};

/// Names an existing server to use instead of a new one.
const URL_VARIABLE: &str = "PLENUM_TEST_DATABASE_URL";

const FOLDER_PREFIX: &str = "plenum-test-pg-";

/// A server that all tests of one process share. It ends with the process, and its folder is removed by the next test
/// process that starts one.
#[derive(Debug)]
pub struct TestServer(Source);

#[derive(Debug)]
enum Source {
    Embedded(EmbeddedPostgres),
    Given(String),
}

impl TestServer {
    /// The server of this process, started on first use; or the server in `PLENUM_TEST_DATABASE_URL`.
    ///
    /// # Panics
    /// Panics if the server cannot be started, with the remedy.
    pub fn shared() -> &'static Self {
        static SERVER: LazyLock<TestServer> = LazyLock::new(TestServer::start);
        &SERVER
    }

    /// The URL of a user who may create databases and schemas.
    pub fn url(&self) -> &str {
        match &self.0 {
            Source::Embedded(server) => server.url(),
            Source::Given(url) => url,
        }
    }

    /// Whether the server, with all its data, ends with this process.
    pub fn is_our_own(&self) -> bool {
        matches!(self.0, Source::Embedded(_))
    }

    fn start() -> Self {
        if let Ok(url) = std::env::var(URL_VARIABLE) {
            return Self(Source::Given(url));
        }
        remove_leftovers();
        match start_in(folder_of(std::process::id())) {
            Ok(server) => Self(Source::Embedded(server)),
            Err(error) => panic!("{}; or set {URL_VARIABLE}", with_source(&error)),
        }
    }
}

/// A server of a single test, which stops it and starts it again at the same address. Its folder is deleted with it.
#[derive(Debug)]
pub struct StoppableServer {
    folder: PathBuf,
    url: String,
    server: Option<EmbeddedPostgres>,
}

impl StoppableServer {
    /// A new server with an empty database. Blocks until it accepts connections.
    ///
    /// # Panics
    /// Panics if the server cannot be started.
    pub fn start() -> Self {
        static NUMBERS: AtomicU32 = AtomicU32::new(1);
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("{FOLDER_PREFIX}{}-{number}", std::process::id()));
        let mut stopped = Self { folder, url: String::new(), server: None };
        stopped.start_again();
        stopped
    }

    /// The URL, also valid while the server is stopped.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Stops the server in order: it ends sessions and rolls back their transactions. Blocks until it has stopped.
    ///
    /// # Panics
    /// Panics if the server had to be killed.
    pub fn stop(&mut self) {
        if let Some(server) = self.server.take() {
            server.stop().expect("the server stops in order");
        }
    }

    /// Overwrites the first page of a file of the stopped server. The path is relative to its data.
    ///
    /// # Panics
    /// Panics if the server runs, or if there is no such file.
    pub fn damage(&self, file: &str) {
        assert!(self.server.is_none(), "a server that runs has its pages in memory");
        let cluster = fs::read_dir(&self.folder).expect("the folder can be read").flatten();
        let cluster =
            cluster.map(|entry| entry.path()).find(|path| path.join("base").is_dir()).expect("there is a cluster");
        let path = cluster.join(file);
        let mut bytes = fs::read(&path).expect("the file can be read");
        bytes.iter_mut().take(8_192).for_each(|byte| *byte = !*byte);
        fs::write(&path, bytes).expect("the file can be written");
    }

    /// Starts the server on the same data, unless it runs. Blocks until it accepts connections.
    ///
    /// # Panics
    /// Panics if the server cannot be started.
    pub fn start_again(&mut self) {
        if self.server.is_none() {
            let server = start_in(self.folder.clone()).unwrap_or_else(|error| panic!("{}", with_source(&error)));
            server.url().clone_into(&mut self.url);
            self.server = Some(server);
        }
    }
}

impl Drop for StoppableServer {
    fn drop(&mut self) {
        drop(self.server.take());
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn start_in(data_dir: PathBuf) -> Result<EmbeddedPostgres, StartError> {
    EmbeddedPostgres::start(&Settings {
        data_dir,
        binaries: None,
        package_roots: vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/postgres")],
        durability: Durability::Disposable,
    })
}

fn with_source(error: &StartError) -> String {
    let source = std::error::Error::source(error).map(|source| format!(": {source}")).unwrap_or_default();
    format!("{error}{source}")
}

/// The process id in a folder's name.
fn owner_of(name: &str) -> Option<u32> {
    name.strip_prefix(FOLDER_PREFIX)?.split('-').next()?.parse().ok()
}

fn folder_of(pid: u32) -> PathBuf {
    std::env::temp_dir().join(format!("{FOLDER_PREFIX}{pid}"))
}

/// Removes the folders of test processes that have ended.
fn remove_leftovers() {
    let Ok(entries) = fs::read_dir(std::env::temp_dir()) else {
        return;
    };
    for entry in entries.flatten() {
        let Some(owner) = entry.file_name().to_str().and_then(owner_of) else { continue };
        // A living owner may not have taken its lock yet. Our own id in a name can only be a reused one.
        let may_be_starting = processes::exists(owner) && owner != std::process::id();
        if may_be_starting || !lock::is_released(&entry.path()) {
            continue;
        }
        end_servers_in(&entry.path());
        // Another test process may be removing it too, or it belongs to another user.
        let _ = fs::remove_dir_all(entry.path());
    }
}

/// Kills the servers, because their folder is removed next.
fn end_servers_in(folder: &Path) {
    let Ok(Some((_, cluster))) = cluster::existing(folder) else {
        return;
    };
    for pid in processes::all_in(&cluster) {
        let _ = processes::send(Signal::SIGKILL, pid);
    }
}
