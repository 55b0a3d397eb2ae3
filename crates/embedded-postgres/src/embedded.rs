use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;

use crate::address::Address;
use crate::binaries::{self, Binaries};
use crate::identity::{self, Identity};
use crate::left_behind::make_room;
use crate::lock::FolderLock;
use crate::server::Plan;
use crate::supervisor::Supervisor;
use crate::{ServerWatch, Settings, StartError, StopError, cluster, lock, server};

/// A running PostgreSQL that ends with this handle.
///
/// Dropping the handle stops the server too; [`EmbeddedPostgres::stop`] reports errors.
#[derive(Debug)]
pub struct EmbeddedPostgres {
    url: String,
    data_dir: PathBuf,
    supervisor: Option<Supervisor>,
    /// Declared last, so that it is released after the server has stopped.
    _lock: FolderLock,
}

impl EmbeddedPostgres {
    /// Starts the server of `settings.data_dir`, and creates the folder, the cluster and the database if they are
    /// missing.
    ///
    /// Blocks until the server accepts connections: well under a second, unless it has to recover from a crash. Let
    /// this function create the folder: it then chooses permissions for the user that the server runs as.
    ///
    /// # Errors
    /// Fails if another process uses the folder, if there are no suitable binaries, or if the server does not start.
    /// Each error contains the remedy.
    pub fn start(settings: &Settings) -> Result<Self, StartError> {
        let data_dir = prepare_folder(&settings.data_dir).map_err(StartError::folder(&settings.data_dir))?;
        let lock = FolderLock::acquire(&data_dir)?;
        let existing = cluster::existing(&data_dir)?;
        let existing = existing.as_ref().map(|(major, path)| (*major, path.as_path()));
        let binaries = binaries::discover(settings, &data_dir, existing)?;
        let (identity, binaries) = choose_identity(&data_dir, existing.map(|(_, path)| path), binaries)?;

        let cluster = match existing {
            Some((_, path)) => {
                make_room(path)?;
                identity.own_tree(path).map_err(StartError::folder(path))?;
                path.to_owned()
            }
            None => cluster::create(&data_dir, &binaries, &identity, settings.durability)?,
        };
        let address = Address::prepare(&data_dir, &identity)?;
        let url = address.url();
        let plan = Plan {
            program: binaries.program("postgres"),
            cluster,
            log: data_dir.join("postgres.log"),
            identity,
            address,
            durability: settings.durability,
        };
        let supervisor = Supervisor::start(plan)?;
        Ok(Self { url, data_dir, supervisor: Some(supervisor), _lock: lock })
    }

    /// The address of the server that another process currently runs in `data_dir`, if there is one. Clients may
    /// connect to it, but only its owner stops it.
    pub fn running_in(data_dir: &Path) -> Option<String> {
        let data_dir = fs::canonicalize(data_dir).ok()?;
        if lock::is_released(&data_dir) {
            return None;
        }
        let (_, cluster) = cluster::existing(&data_dir).ok()??;
        server::address_of_running(&cluster)
    }

    /// The URL of the database `plenum` for libpq. It does not change during the lifetime of this handle.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The folder that holds the cluster, absolute.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// Whether a server is running; `false` between a crash and the restart.
    pub fn is_running(&self) -> bool {
        self.process_id().is_some()
    }

    /// The server's process id, while it is running.
    pub fn process_id(&self) -> Option<u32> {
        self.supervisor.as_ref().and_then(Supervisor::pid)
    }

    /// A handle to observe the server, which may outlive this one. `None` once the server is being stopped.
    pub fn watch(&self) -> Option<ServerWatch> {
        self.supervisor.as_ref().map(|supervisor| ServerWatch::new(supervisor.life(), &self.data_dir))
    }

    /// Stops the server in order: it ends all sessions, rolls back open transactions, and writes all data to disk.
    ///
    /// # Errors
    /// Fails if the server had to be killed. Committed data are not lost then, but the next start takes longer.
    pub fn stop(mut self) -> Result<(), StopError> {
        self.supervisor.take().map_or(Ok(()), Supervisor::stop)
    }
}

impl Drop for EmbeddedPostgres {
    fn drop(&mut self) {
        if let Some(Err(error)) = self.supervisor.take().map(Supervisor::stop) {
            tracing::warn!(error = &error as &dyn std::error::Error, "the database server did not shut down cleanly");
        }
    }
}

fn prepare_folder(path: &Path) -> io::Result<PathBuf> {
    if !path.is_dir() {
        // A server of another user needs to pass through; the content has its own private permissions.
        let mode = if geteuid().is_root() { 0o711 } else { 0o700 };
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        match fs::DirBuilder::new().mode(mode).create(path) {
            Ok(()) => fs::set_permissions(path, fs::Permissions::from_mode(mode))?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    fs::canonicalize(path)
}

/// The first identity that can enter the data folder and run the binaries, or a copy of them.
fn choose_identity(
    data_dir: &Path,
    cluster: Option<&Path>,
    binaries: Binaries,
) -> Result<(Identity, Binaries), StartError> {
    for identity in identity::candidates(data_dir, cluster)? {
        if !identity.can_enter(data_dir) {
            continue;
        }
        let reachable = [Some(binaries.clone()), None].into_iter().find_map(|original| {
            let binaries = original.or_else(|| binaries.copied_to(data_dir))?;
            identity.can_run(&binaries.program("postgres")).then_some(binaries)
        });
        if let Some(binaries) = reachable {
            tracing::debug!(?identity, postgres.binaries = %binaries.folder.display(), "chose who runs PostgreSQL");
            return Ok((identity, binaries));
        }
    }
    if !geteuid().is_root() {
        return Ok((Identity::Ourselves, binaries));
    }
    Err(StartError::Unreachable { folder: data_dir.to_owned() })
}
