//! One temporary server per test process, and separate ones for tests that stop theirs.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, chown};
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
        match start_in(folder_of(std::process::id()), Durability::Disposable) {
            Ok(server) => Self(Source::Embedded(server)),
            Err(error) => panic!("{}; or set {URL_VARIABLE}", with_source(&error)),
        }
    }
}

/// A server of a single test, which stops it and starts it again at the same address. Its folder is deleted with it, unless it
/// was given.
#[derive(Debug)]
pub struct StoppableServer {
    folder: PathBuf,
    is_kept: bool,
    durability: Durability,
    url: String,
    server: Option<EmbeddedPostgres>,
}

impl StoppableServer {
    /// A new server with an empty database. Blocks until it accepts connections.
    ///
    /// # Panics
    /// Panics if the server cannot be started.
    pub fn start() -> Self {
        let mut stopped = Self::of_no_data();
        stopped.start_again();
        stopped
    }

    fn of_no_data() -> Self {
        static NUMBERS: AtomicU32 = AtomicU32::new(1);
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("{FOLDER_PREFIX}{}-{number}", std::process::id()));
        Self::in_folder(folder, false, Durability::Disposable)
    }

    /// A server on the data of this folder, whose commits are on the disk. It is not started yet, and the folder stays.
    pub fn durable_in(folder: PathBuf) -> Self {
        Self::in_folder(folder, true, Durability::Durable)
    }

    fn in_folder(folder: PathBuf, is_kept: bool, durability: Durability) -> Self {
        Self { folder, is_kept, durability, url: String::new(), server: None }
    }

    /// Starts a standby that follows this server and confirms each of its commits, under this name. This server is stopped for
    /// that, and started again. Blocks until both accept connections.
    ///
    /// # Panics
    /// Panics if a server cannot be stopped, copied or started.
    pub fn with_standby(&mut self, name: &str) -> Self {
        let mut standby = Self::of_no_data();
        self.set_up_standby(&mut standby, name);
        standby
    }

    /// Makes another server a standby as [`Self::with_standby`] does, with a copy of this server's data in place of its own.
    ///
    /// # Panics
    /// Panics if a server cannot be stopped, copied or started.
    pub fn set_up_standby(&mut self, standby: &mut Self, name: &str) {
        self.stop();
        standby.stop();
        let cluster = self.cluster();
        let copy = standby.folder.join(cluster.file_name().expect("a cluster has a name"));
        let _ = fs::remove_dir_all(&copy);
        copy_folder(&cluster, &copy).expect("the data can be copied");
        let socket = self.socket_folder();
        let follow = format!("primary_conninfo = 'host={} user=plenum application_name={name}'\n", socket.display());
        append(&copy.join("postgresql.auto.conf"), &follow);
        let signal = copy.join("standby.signal");
        fs::write(&signal, "").expect("a file can be written");
        fs::metadata(&copy).and_then(|folder| give(&signal, &folder)).expect("a file can be given");
        append(&cluster.join("postgresql.auto.conf"), &format!("synchronous_standby_names = '{name}'\n"));
        self.start_again();
        standby.start_again();
    }

    /// The folder of its socket.
    pub fn socket_folder(&self) -> PathBuf {
        self.folder.join("run")
    }

    /// Kills the server (-9), and keeps it from starting again.
    ///
    /// # Panics
    /// Panics if it does not run.
    pub fn kill(&mut self) {
        let server = self.server.take().expect("the server runs");
        let (cluster, away) = (self.cluster(), self.folder.join("away"));
        // Without its data it cannot be restarted before its supervisor has stopped.
        fs::rename(&cluster, &away).expect("the data can be moved");
        let pids = server.process_id().map(|_| processes::all_in(&away)).unwrap_or_default();
        for pid in pids {
            let _ = processes::send(Signal::SIGKILL, pid);
        }
        let _ = server.stop();
        fs::rename(&away, &cluster).expect("the data can be moved");
    }

    fn cluster(&self) -> PathBuf {
        let entries = fs::read_dir(&self.folder).expect("the folder can be read").flatten();
        entries.map(|entry| entry.path()).find(|path| path.join("base").is_dir()).expect("there is a cluster")
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
        let path = self.cluster().join(file);
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
            let server = start_in(self.folder.clone(), self.durability);
            let server = server.unwrap_or_else(|error| panic!("{}", with_source(&error)));
            server.url().clone_into(&mut self.url);
            self.server = Some(server);
        }
    }
}

impl Drop for StoppableServer {
    fn drop(&mut self) {
        drop(self.server.take());
        if !self.is_kept {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

fn append(path: &Path, text: &str) {
    let mut content = fs::read(path).unwrap_or_default();
    content.extend_from_slice(text.as_bytes());
    fs::write(path, content).expect("the file can be written");
}

/// Copies a folder with everything in it, for the same owner: a server runs as the owner of its data.
fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    give(to, &fs::metadata(from)?)?;
    fs::set_permissions(to, fs::metadata(from)?.permissions())?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
            give(&target, &entry.metadata()?)?;
        }
    }
    Ok(())
}

fn give(path: &Path, of: &fs::Metadata) -> io::Result<()> {
    chown(path, Some(of.uid()), Some(of.gid()))
}

fn start_in(data_dir: PathBuf, durability: Durability) -> Result<EmbeddedPostgres, StartError> {
    EmbeddedPostgres::start(&Settings {
        data_dir,
        binaries: None,
        package_roots: vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/postgres")],
        durability,
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
