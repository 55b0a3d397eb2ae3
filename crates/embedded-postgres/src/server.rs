//! A `postgres` process: its start, readiness and stop.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::time::Duration;

use nix::sys::signal::Signal;

use crate::address::{Address, url_of};
use crate::identity::Identity;
use crate::left_behind::{ESCALATION, make_room};
use crate::poll::poll_until;
use crate::{Durability, StartError, StopError, cluster, processes};

/// Recovery after a crash of the machine replays up to a gigabyte of log.
const READY_PATIENCE: Duration = Duration::from_secs(300);

/// A longer log is renamed at the next start.
const LONGEST_LOG: u64 = 10_000_000;

/// The length of the log's end in an error.
const QUOTED_LOG: u64 = 2_000;

/// The parameters of every start of the server.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) program: PathBuf,
    pub(crate) cluster: PathBuf,
    pub(crate) log: PathBuf,
    pub(crate) identity: Identity,
    pub(crate) address: Address,
    pub(crate) durability: Durability,
}

/// Our child process. It receives SIGINT (fast shutdown) when the thread that started it ends.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
}

impl Plan {
    /// Starts a server and waits until it accepts connections, or until `is_called_off` returns true.
    pub(crate) fn launch(&self, mut is_called_off: impl FnMut() -> bool) -> Result<Server, StartError> {
        make_room(&self.cluster)?;
        self.address.clear()?;
        let log = open_log(&self.log).map_err(StartError::folder(&self.log))?;
        // Root may have started another server next to a service of another user.
        self.identity.own(&self.log).map_err(StartError::folder(&self.log))?;
        let log_start = log.metadata().map_or(0, |metadata| metadata.len());
        let child = self.spawn(&log).map_err(|source| StartError::Run { program: self.program.clone(), source })?;
        let mut server = Server { child };

        let outcome = poll_until(READY_PATIENCE, || {
            if let Some(status) = server.ended() {
                let output = log_since(&self.log, log_start);
                return Some(Err(StartError::Ended { status, output, log: self.log.clone() }));
            }
            if is_called_off() {
                return Some(Err(StartError::CalledOff));
            }
            is_ready(&self.cluster, server.pid()).then_some(Ok(()))
        });
        match outcome {
            Some(Ok(())) => Ok(server),
            failure => {
                let _ = server.stop();
                let not_ready = StartError::NotReady { seconds: READY_PATIENCE.as_secs(), log: self.log.clone() };
                Err(failure.and_then(Result::err).unwrap_or(not_ready))
            }
        }
    }

    fn spawn(&self, log: &File) -> io::Result<Child> {
        let mut command = self.identity.command(&self.program, Path::new("/"), Signal::SIGINT)?;
        command.arg("-D").arg(&self.cluster);
        let fixed = [
            ("timezone", "UTC"),
            ("log_timezone", "UTC"),
            ("shared_buffers", "128MB"),
            ("jit", "off"),
            // After the crash of a session PostgreSQL ends, and the supervisor restarts it. If it recovered in place with a full disk,
            // PostgreSQL 18 would give up without ending, and refuse all connections.
            ("restart_after_crash", "off"),
            // Details of errors quote rows, and rows hold email addresses.
            ("log_error_verbosity", "terse"),
            ("logging_collector", "off"),
            ("log_destination", "stderr"),
        ];
        for (name, value) in fixed.iter().chain(self.durability.server_options()) {
            command.arg("-c").arg(format!("{name}={value}"));
        }
        for (name, value) in self.address.server_options() {
            command.arg("-c").arg(format!("{name}={value}"));
        }
        command.stdout(log.try_clone()?).stderr(log.try_clone()?);
        command.spawn()
    }
}

impl Server {
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The exit status of the server, if it has ended.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Stops the server in order, or by force after a limit.
    pub(crate) fn stop(mut self) -> Result<(), StopError> {
        let pid = self.pid();
        for (signal, patience) in ESCALATION {
            if self.ended().is_some() {
                return Ok(());
            }
            // Not reaped yet, so the id cannot have been reused.
            processes::send(signal, pid).map_err(|source| StopError::Signal { pid, source: source.into() })?;
            if poll_until(patience, || self.ended()).is_some() {
                return match signal {
                    Signal::SIGINT => Ok(()),
                    _ => Err(StopError::Killed { seconds: ESCALATION[0].1.as_secs() }),
                };
            }
        }
        Err(StopError::Signal { pid, source: io::ErrorKind::TimedOut.into() })
    }
}

/// Reads the status from the eighth line of the lock file, and the owner from the first.
fn is_ready(cluster: &Path, pid: u32) -> bool {
    let Ok(text) = fs::read_to_string(cluster.join("postmaster.pid")) else {
        return false;
    };
    let mut lines = text.lines().map(str::trim);
    // A standby takes connections that read.
    lines.next() == Some(pid.to_string().as_str()) && matches!(lines.nth(6), Some("ready" | "standby"))
}

/// The address of the server that uses `cluster` now, once it accepts connections.
pub(crate) fn address_of_running(cluster: &Path) -> Option<String> {
    let text = fs::read_to_string(cluster.join("postmaster.pid")).ok()?;
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let pid = lines.first()?.parse().ok()?;
    let socket_folder = lines.get(4).filter(|folder| !folder.is_empty())?;
    let is_taking = is_ready(cluster, pid) && processes::works_in(pid, cluster);
    is_taking.then(|| url_of(Path::new(socket_folder)))
}

fn open_log(path: &Path) -> io::Result<File> {
    if fs::metadata(path).is_ok_and(|metadata| metadata.len() > LONGEST_LOG) {
        fs::rename(path, path.with_extension("log.1"))?;
    }
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}

fn log_since(path: &Path, start: u64) -> String {
    let read = || -> io::Result<String> {
        let mut file = File::open(path)?;
        let end = file.metadata()?.len();
        file.seek(SeekFrom::Start(start.max(end.saturating_sub(QUOTED_LOG))))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    read().map(|text| cluster::last_lines(&text)).unwrap_or_default()
}
