use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::sys::signal::Signal;
use plenum_embedded_postgres::{Durability, EmbeddedPostgres, Settings};
use tokio::process::Command;
use tokio::task::spawn_blocking;

use super::clock::FakeClock;
use super::database::Session;
use super::folder::Folder;
use super::kind::{Kind, Place};
use super::pair::Pair;
use super::postgres;
use super::process::Process;
use super::socket::Address;
use super::tcp_proxy::Proxy;
use crate::failure::LoadFailure;

/// Email address of the super administrator.
pub(super) const ADMIN_EMAIL: &str = "root@faults.example";
/// Password of the super administrator.
pub(super) const ADMIN_PASSWORD: &str = "correct horse";
/// The same for both places of the database, so that tokens stay valid after the move.
const SIGNING_KEY: &str = "a signing key for fault tests only";
/// The folder of the npm package with PostgreSQL's programs, as the product looks for it: below the working directory, and next to
/// or above the program.
const POSTGRES_PACKAGE: &str = "tools/postgres";
/// Name of PostgreSQL's socket in its folder.
pub(super) const SOCKET: &str = ".s.PGSQL.5432";

/// An installation of the product for fault tests: its processes, its data, and the proxies between them.
#[derive(Debug)]
pub(super) struct Installation {
    binary: PathBuf,
    place: Place,
    /// The server that voters call.
    server: Option<Process>,
    /// If the database is external: the server, which belongs to this tool. No other process of the product may serve it.
    database: Option<EmbeddedPostgres>,
    /// If the database is replicated: its servers.
    pub(super) pair: Option<Pair>,
    pub(super) voters_proxy: Proxy,
    pub(super) database_proxy: Proxy,
    pub(super) clock: Option<FakeClock>,
    /// Duration of the last undisturbed count of a secret round.
    pub(super) count_takes: Duration,
    /// Deviations that do not stop the run.
    pub(super) problems: Vec<String>,
    /// Declared last, so that the folder is removed after everything in it has ended.
    pub(super) folder: Folder,
}

impl Installation {
    /// Builds an installation for these kinds of faults. Also returns the kinds that are not possible here, with the
    /// reasons.
    pub(super) async fn build(binary: &Path, kinds: &[Kind]) -> Result<(Self, BTreeMap<Kind, String>), LoadFailure> {
        let mut not_possible = BTreeMap::new();
        let mut folder = Folder::make().map_err(cannot("make a folder"))?;
        if kinds.contains(&Kind::DiskFull)
            && let Err(reason) = folder.mount_disk()
        {
            not_possible.insert(Kind::DiskFull, reason);
        }
        let clocks: Vec<Kind> =
            kinds.iter().copied().filter(|kind| matches!(kind, Kind::ClockForward | Kind::ClockBack)).collect();
        let clock = if clocks.is_empty() { Ok(None) } else { FakeClock::find(folder.path()).map(Some) };
        if let Err(reason) = &clock {
            not_possible.extend(clocks.into_iter().map(|kind| (kind, reason.clone())));
        }
        let voters_proxy = Proxy::on_tcp_port().await.map_err(cannot("open a port"))?;
        let proxy_folder = folder.path().join("way");
        std::fs::create_dir(&proxy_folder).map_err(cannot("make a folder"))?;
        let database_proxy = Proxy::on_unix_socket(&proxy_folder.join(SOCKET)).map_err(cannot("open a socket"))?;
        let mut installation = Self {
            binary: binary.to_owned(),
            place: Place::Embedded,
            server: None,
            database: None,
            pair: None,
            voters_proxy,
            database_proxy,
            clock: clock.unwrap_or_default(),
            count_takes: Duration::from_millis(100),
            problems: Vec::new(),
            folder,
        };
        installation.database_proxy.forward_to(Address::Unix(installation.socket()));
        installation.start_server().await?;
        Ok((installation, not_possible))
    }

    /// The address for voters, which stays the same while the server restarts.
    pub(super) fn url(&self) -> String {
        match self.voters_proxy.address() {
            Address::Tcp(address) => format!("http://{address}"),
            Address::Unix(path) => path.display().to_string(),
        }
    }

    /// Moves the database to this place, with all its data. A primary without a standby gets one again.
    pub(super) async fn move_to(&mut self, place: Place) -> Result<(), LoadFailure> {
        if self.place == place {
            if let Some(pair) = &mut self.pair {
                pair.mend();
            }
            return Ok(());
        }
        self.stop_server().await;
        self.stop_database().await;
        self.place = place;
        match place {
            Place::Embedded => {}
            Place::External => self.start_database().await?,
            Place::Replicated => {
                let copy = self.folder.data().with_file_name("copy");
                self.pair = Some(Pair::start(self.folder.data(), copy, self.folder.path())?);
            }
        }
        self.start_server().await
    }

    pub(super) async fn start_server(&mut self) -> Result<(), LoadFailure> {
        let mut command = self.command();
        command.env("PLENUM_SECRET_KEYS_DIR", self.folder.keys());
        match self.place {
            Place::Embedded => {
                command.env("PLENUM_DATA_DIR", self.folder.data());
            }
            Place::External => {
                command.env("PLENUM_DATA_DIR", self.folder.path().join("server"));
                command.env("DATABASE_URL", database_url(&[&self.folder.path().join("way")]));
            }
            Place::Replicated => {
                command.env("PLENUM_DATA_DIR", self.folder.path().join("server"));
                let ways = self.pair.iter().flat_map(Pair::ways).collect::<Vec<_>>();
                command.env("DATABASE_URL", database_url(&ways));
            }
        }
        if let Some(clock) = &self.clock {
            clock.apply_to(&mut command);
        }
        let server = Process::start(&mut command, &self.folder.path().join("server.log")).await;
        let server = server.map_err(cannot("start the server"))?;
        let address = server.address.parse();
        let address = address.map_err(|_| LoadFailure::Address(server.address.clone()))?;
        self.voters_proxy.forward_to(Address::Tcp(address));
        self.server = Some(server);
        Ok(())
    }

    pub(super) async fn kill_server(&mut self) {
        if let Some(server) = self.server.take()
            && let Err(error) = server.kill().await
        {
            self.problems.push(format!("the server could not be killed: {error}"));
        }
    }

    pub(super) async fn stop_server(&mut self) {
        if let Some(server) = self.server.take()
            && let Err(error) = server.stop().await
        {
            self.problems.push(format!("the server did not stop in order: {error}"));
        }
    }

    pub(super) fn signal_server(&self, signal: Signal) {
        if let Some(server) = &self.server {
            server.signal(signal);
        }
    }

    pub(super) async fn start_database(&mut self) -> Result<(), LoadFailure> {
        let mut package_roots = vec![PathBuf::from(POSTGRES_PACKAGE)];
        package_roots.extend(self.binary.ancestors().skip(1).map(|folder| folder.join(POSTGRES_PACKAGE)));
        let settings =
            Settings { data_dir: self.folder.data(), binaries: None, package_roots, durability: Durability::Durable };
        let started = spawn_blocking(move || EmbeddedPostgres::start(&settings)).await.map_err(io::Error::other);
        let started = started.and_then(|started| started.map_err(io::Error::other));
        self.database = Some(started.map_err(cannot("start the database"))?);
        Ok(())
    }

    pub(super) async fn stop_database(&mut self) {
        let Some(database) = self.database.take() else { return };
        let stopped = spawn_blocking(move || database.stop()).await.map_err(io::Error::other);
        if let Err(error) = stopped.and_then(|stopped| stopped.map_err(io::Error::other)) {
            self.problems.push(format!("the database did not stop in order: {error}"));
        }
    }

    /// Stops all processes in order.
    pub(super) async fn close(&mut self) {
        self.stop_server().await;
        self.stop_database().await;
        self.pair = None;
    }

    /// The postmaster's process id, if it runs.
    pub(super) fn postmaster(&self) -> Option<i32> {
        postgres::postmaster_of(&self.folder.data())
    }

    /// Opens a session in the database that bypasses the proxy.
    pub(super) async fn session(&self) -> io::Result<Session> {
        Session::open(&self.socket()).await
    }

    fn socket(&self) -> PathBuf {
        self.pair.as_ref().map_or_else(|| self.folder.data().join("run").join(SOCKET), Pair::socket)
    }

    /// The key that signs the exports.
    pub(super) fn evidence_key(&self) -> PathBuf {
        self.folder.path().join("evidence-key")
    }

    /// The command to start the product, without variables of the environment that change its behavior.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command.arg("serve");
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("PLENUM_") || name == "DATABASE_URL") {
                command.env_remove(name);
            }
        }
        command
            .env("PLENUM_LISTEN", "127.0.0.1:0")
            .env("PLENUM_JWT_SECRET", SIGNING_KEY)
            .env("PLENUM_EVIDENCE_KEY_FILE", self.evidence_key())
            .env("PLENUM_SUPER_ADMIN_EMAIL", ADMIN_EMAIL)
            .env("PLENUM_SUPER_ADMIN_PASSWORD", ADMIN_PASSWORD);
        command
    }
}

/// Converts an error of the system.
pub(super) fn cannot(what: &str) -> impl FnOnce(io::Error) -> LoadFailure {
    let what = what.to_owned();
    move |source| LoadFailure::Installation { what, source }
}

/// The address of the PostgreSQL servers whose sockets are in these folders.
fn database_url(folders: &[&Path]) -> String {
    let hosts: Vec<_> = folders.iter().map(|folder| format!("{}:5432", percent_encoded(folder))).collect();
    format!("postgres://plenum@{}/plenum", hosts.join(","))
}

fn percent_encoded(folder: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    folder
        .as_os_str()
        .as_bytes()
        .iter()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => char::from(*byte).to_string(),
            other => format!("%{other:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_socket_contains_its_folder() {
        assert_eq!(database_url(&[Path::new("/a b/way")]), "postgres://plenum@%2Fa%20b%2Fway:5432/plenum");
        let both = database_url(&[Path::new("/1"), Path::new("/2")]);
        assert_eq!(both, "postgres://plenum@%2F1:5432,%2F2:5432/plenum");
    }
}
