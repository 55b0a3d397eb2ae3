use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

/// Time limit for a program to become ready, and to end in order.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Beginning of the line that the product prints when it is ready.
const READY_PREFIX: &str = "listening on http://";

/// A `plenum serve` process. It is killed when this value is dropped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    pid: i32,
    /// Address at which it listens.
    pub(super) address: String,
}

impl Process {
    /// Starts it, and waits until it is ready. Appends its standard error to a file.
    pub(super) async fn start(command: &mut Command, log: &Path) -> io::Result<Self> {
        let log = OpenOptions::new().append(true).create(true).open(log)?;
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log).kill_on_drop(true);
        let mut child = command.spawn()?;
        let pid = child.id().and_then(|pid| i32::try_from(pid).ok()).ok_or(io::ErrorKind::NotFound)?;
        let stdout = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let address =
            timeout(TIMEOUT, read_address(stdout)).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))?;
        Ok(Self { child, pid, address })
    }

    pub(super) fn signal(&self, signal: Signal) {
        send(signal, self.pid);
    }

    /// Kills it, and waits for its end.
    pub(super) async fn kill(mut self) -> io::Result<()> {
        self.child.kill().await
    }

    /// Asks it to end, and waits for its end. Kills it after the time limit.
    pub(super) async fn stop(mut self) -> io::Result<()> {
        self.signal(Signal::SIGTERM);
        match timeout(TIMEOUT, self.child.wait()).await {
            Ok(Ok(status)) if status.success() => Ok(()),
            Ok(_) => Err(io::Error::other("it ended with an error")),
            Err(_) => {
                self.child.kill().await?;
                Err(io::Error::other("it did not end in time, and was killed"))
            }
        }
    }
}

/// Continues to read in the background, so that the process never blocks on a full pipe.
async fn read_address(stdout: ChildStdout) -> io::Result<String> {
    let mut lines = BufReader::new(stdout).lines();
    while let Some(line) = lines.next_line().await? {
        if let Some(address) = line.strip_prefix(READY_PREFIX) {
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return Ok(address.to_owned());
        }
    }
    Err(io::Error::other("it ended before it was ready"))
}

/// Sends a signal. A process that has already ended is no error.
pub(super) fn send(signal: Signal, pid: i32) {
    let _ = kill(Pid::from_raw(pid), signal);
}
