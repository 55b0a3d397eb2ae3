//! The thread that supervises the server.
//!
//! The parent-death signal follows the thread that spawned the child, not the process. So the thread that spawns the
//! server must stay.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::server::{Plan, Server};
use crate::{StartError, StopError};

/// The time within which a dead server is noticed.
const WATCH_INTERVAL: Duration = Duration::from_millis(50);

const FIRST_RESTART_DELAY: Duration = Duration::from_millis(50);
const LONGEST_RESTART_DELAY: Duration = Duration::from_secs(5);

/// A server that ran this long did not fail at its start.
const LONG_LIFE: Duration = Duration::from_secs(2);

/// No process has this id.
const NOT_RUNNING: u32 = 0;

#[derive(Debug)]
pub(crate) struct Supervisor {
    /// Carries no message: closing the channel is the signal to stop.
    _open: Sender<()>,
    thread: JoinHandle<Result<(), StopError>>,
    life: Arc<Life>,
}

/// The state of the server, for observers.
#[derive(Debug, Default)]
pub(crate) struct Life {
    /// The process id, while there is a process.
    pid: AtomicU32,
    /// The number of starts.
    starts: AtomicU64,
}

impl Life {
    fn begins(&self, pid: u32) {
        self.pid.store(pid, Ordering::Release);
        self.starts.fetch_add(1, Ordering::Relaxed);
    }

    fn ends(&self) {
        self.pid.store(NOT_RUNNING, Ordering::Release);
    }

    pub(crate) fn pid(&self) -> Option<u32> {
        match self.pid.load(Ordering::Acquire) {
            NOT_RUNNING => None,
            pid => Some(pid),
        }
    }

    pub(crate) fn restarts(&self) -> u64 {
        self.starts.load(Ordering::Relaxed).saturating_sub(1)
    }
}

impl Supervisor {
    /// Returns when the first server is ready.
    pub(crate) fn start(plan: Plan) -> Result<Self, StartError> {
        let (open, closed) = mpsc::channel();
        let (report, first_start) = mpsc::sync_channel(1);
        let life = Arc::new(Life::default());
        let watch = Watch { plan, closed, life: Arc::clone(&life) };
        let thread = thread::Builder::new()
            .name("postgres-supervisor".to_owned())
            .spawn(move || watch.run(&report))
            .map_err(|source| StartError::Run { program: "a thread for PostgreSQL".into(), source })?;
        match first_start.recv() {
            Ok(Ok(())) => Ok(Self { _open: open, thread, life }),
            Ok(Err(error)) => {
                // The server has ended, but its part of the lock and the socket's folder must be removed too.
                let _ = thread.join();
                Err(error)
            }
            Err(_) => Err(StartError::Run {
                program: "a thread for PostgreSQL".into(),
                source: io::Error::other("it ended early"),
            }),
        }
    }

    /// The server's process id, while one is running.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.life.pid()
    }

    pub(crate) fn life(&self) -> Arc<Life> {
        Arc::clone(&self.life)
    }

    pub(crate) fn stop(self) -> Result<(), StopError> {
        let Self { _open: open, thread, .. } = self;
        drop(open);
        thread.join().unwrap_or(Err(StopError::Supervisor))
    }
}

struct Watch {
    plan: Plan,
    closed: Receiver<()>,
    life: Arc<Life>,
}

impl Watch {
    fn run(self, report: &SyncSender<Result<(), StartError>>) -> Result<(), StopError> {
        let mut server = match self.launch() {
            Ok(server) => {
                let _ = report.send(Ok(()));
                server
            }
            Err(error) => {
                let _ = report.send(Err(error));
                return Ok(());
            }
        };

        let mut delay = FIRST_RESTART_DELAY;
        loop {
            let since = Instant::now();
            if !self.lives_until_closed(&mut server) {
                if since.elapsed() >= LONG_LIFE {
                    delay = FIRST_RESTART_DELAY;
                }
                match self.relaunch(&mut delay) {
                    Some(again) => {
                        server = again;
                        continue;
                    }
                    None => return Ok(()),
                }
            }
            self.life.ends();
            let outcome = server.stop();
            tracing::info!("stopped the database server");
            return outcome;
        }
    }

    fn launch(&self) -> Result<Server, StartError> {
        let server = self.plan.launch(|| self.is_closed())?;
        self.life.begins(server.pid());
        tracing::info!(postgres.pid = server.pid(), postgres.log = %self.plan.log.display(), "the database server is ready");
        Ok(server)
    }

    /// Returns `true` after a stop request, `false` if the server died.
    fn lives_until_closed(&self, server: &mut Server) -> bool {
        loop {
            if self.is_closed_within(WATCH_INTERVAL) {
                return true;
            }
            if let Some(status) = server.ended() {
                self.life.ends();
                tracing::error!(postgres.log = %self.plan.log.display(), %status, "the database server died, starting it again");
                return false;
            }
        }
    }

    /// Retries until a server runs again. `None` after a stop request.
    fn relaunch(&self, delay: &mut Duration) -> Option<Server> {
        loop {
            if self.is_closed_within(*delay) {
                return None;
            }
            *delay = (*delay * 2).min(LONGEST_RESTART_DELAY);
            match self.launch() {
                Ok(server) => return Some(server),
                Err(StartError::CalledOff) => return None,
                Err(error) => {
                    tracing::error!(error = &error as &dyn std::error::Error, "cannot start the database server again");
                }
            }
        }
    }

    fn is_closed(&self) -> bool {
        self.closed.try_recv() == Err(TryRecvError::Disconnected)
    }

    fn is_closed_within(&self, patience: Duration) -> bool {
        self.closed.recv_timeout(patience) == Err(RecvTimeoutError::Disconnected)
    }
}
