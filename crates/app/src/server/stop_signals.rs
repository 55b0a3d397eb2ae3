use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that ask the process to stop: SIGTERM, and SIGINT from Ctrl-C.
pub(crate) struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    /// Starts to catch the signals.
    ///
    /// # Errors
    /// Fails when the system does not let the process catch signals.
    pub(crate) fn catch() -> io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Waits for a signal. Returns the exit code of a process that the signal ends.
    pub(crate) async fn wait(&mut self) -> u8 {
        tokio::select! {
            _ = self.terminate.recv() => 128 + 15,
            _ = self.interrupt.recv() => 128 + 2,
        }
    }
}
