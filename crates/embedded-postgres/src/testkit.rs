//! One throw-away server per test process.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use nix::sys::signal::Signal;

use crate::{Durability, EmbeddedPostgres, Settings, cluster, lock, processes};

/// Names the server to use instead of one of our own.
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
    /// The server of this process, started when first asked for; or the one that `PLENUM_TEST_DATABASE_URL` names.
    ///
    /// # Panics
    /// Panics when the server cannot be started, and says what to do.
    pub fn shared() -> &'static Self {
        static SERVER: LazyLock<TestServer> = LazyLock::new(TestServer::start);
        &SERVER
    }

    /// Where to connect, as a user who may create databases and schemas.
    pub fn url(&self) -> &str {
        match &self.0 {
            Source::Embedded(server) => server.url(),
            Source::Given(url) => url,
        }
    }

    fn start() -> Self {
        if let Ok(url) = std::env::var(URL_VARIABLE) {
            return Self(Source::Given(url));
        }
        remove_leftovers();
        let settings = Settings {
            data_dir: folder_of(std::process::id()),
            binaries: None,
            package_roots: vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/postgres")],
            durability: Durability::Disposable,
        };
        match EmbeddedPostgres::start(&settings) {
            Ok(server) => Self(Source::Embedded(server)),
            Err(error) => {
                let source = std::error::Error::source(&error).map(|source| format!(": {source}")).unwrap_or_default();
                panic!("{error}{source}; or set {URL_VARIABLE}")
            }
        }
    }
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
        let owner = entry.file_name().to_str().and_then(|name| name.strip_prefix(FOLDER_PREFIX)?.parse::<u32>().ok());
        let Some(owner) = owner else { continue };
        // A living owner may not have taken its lock yet; and nobody but us can be us.
        let may_be_starting = processes::exists(owner) && owner != std::process::id();
        if may_be_starting || !lock::is_released(&entry.path()) {
            continue;
        }
        end_servers_in(&entry.path());
        // Another test process may be removing it too, or it may be another user's.
        let _ = fs::remove_dir_all(entry.path());
    }
}

/// Nobody needs an ordered stop of what is removed next.
fn end_servers_in(folder: &Path) {
    let Ok(Some((_, cluster))) = cluster::existing(folder) else {
        return;
    };
    for pid in processes::all_in(&cluster) {
        let _ = processes::send(Signal::SIGKILL, pid);
    }
}
