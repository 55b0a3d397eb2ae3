//! Prepares for a new server: ends processes of an earlier one, and removes its lock files.
//!
//! The caller holds the folder's lock, so no other process starts a server there meanwhile.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use nix::sys::signal::Signal;

use crate::StartError;
use crate::poll::holds_within;
use crate::processes;

/// The stages of a stop, each with its time limit: fast shutdown, immediate shutdown, then a kill.
pub(crate) const ESCALATION: [(Signal, Duration); 3] = [
    (Signal::SIGINT, Duration::from_secs(30)),
    (Signal::SIGQUIT, Duration::from_secs(10)),
    (Signal::SIGKILL, Duration::from_secs(5)),
];

/// Backends notice the death of their server within moments.
const ORPHANS_PATIENCE: Duration = Duration::from_secs(5);

/// Ends all processes in `cluster`, and removes a lock file that PostgreSQL would take for that of a living server.
pub(crate) fn make_room(cluster: &Path) -> Result<(), StartError> {
    let pid_file = cluster.join("postmaster.pid");
    let noted = match fs::read_to_string(&pid_file) {
        Ok(text) => text.lines().next().and_then(|line| line.trim().parse::<u32>().ok()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return end_orphans(cluster);
        }
        Err(source) => return Err(StartError::Folder { path: pid_file, source }),
    };

    if let Some(pid) = noted.filter(|pid| processes::works_in(*pid, cluster)) {
        end_server(pid, cluster)?;
    }
    end_orphans(cluster)?;

    // PostgreSQL handles the lock file of a dead process itself, with more checks than ours. But it refuses permanently
    // if the id was reused, if a zombie is not reaped, or if the file is damaged.
    if noted.is_none_or(processes::exists) {
        remove_if_there(&pid_file)?;
    }
    Ok(())
}

fn end_server(pid: u32, cluster: &Path) -> Result<(), StartError> {
    tracing::info!(postgres.pid = pid, "ending the database server of an earlier run");
    let ended = ESCALATION.into_iter().any(|(signal, patience)| {
        // The server of a killed owner is stopping already; another signal does no harm.
        let _ = processes::send(signal, pid);
        holds_within(patience, || !processes::works_in(pid, cluster))
    });
    if ended { Ok(()) } else { Err(StartError::LeftBehind { pid }) }
}

/// Waits for the backends of a dead server: two generations must never write to the same files.
pub(crate) fn end_orphans(cluster: &Path) -> Result<(), StartError> {
    if holds_within(ORPHANS_PATIENCE, || processes::all_in(cluster).is_empty()) {
        return Ok(());
    }
    for pid in processes::all_in(cluster) {
        tracing::warn!(postgres.pid = pid, "killing a database process whose server died");
        let _ = processes::send(Signal::SIGKILL, pid);
    }
    if holds_within(ORPHANS_PATIENCE, || processes::all_in(cluster).is_empty()) {
        return Ok(());
    }
    match processes::all_in(cluster).first() {
        Some(pid) => Err(StartError::LeftBehind { pid: *pid }),
        None => Ok(()),
    }
}

pub(crate) fn remove_if_there(path: &Path) -> Result<(), StartError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StartError::folder(path)(error)),
        _ => Ok(()),
    }
}
