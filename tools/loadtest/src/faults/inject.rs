//! Injection of each kind of fault.

use std::io;
use std::time::Duration;

use nix::sys::signal::Signal;
use tokio::task::block_in_place;
use tokio::time::{Instant, sleep};

use super::database::{Rows, Session};
use super::installation::{Installation, cannot};
use super::kind::Kind;
use super::plan::Fault;
use super::postgres::{backends_of, children_of};
use super::process::send;
use super::tcp_proxy::{Mode, Proxy};
use crate::failure::LoadFailure;
use crate::rng::Rng;

/// Distance in seconds by which the clock jumps.
const CLOCK_SHIFT: i64 = 3600;
/// Number of cuts within the duration of one fault.
const CUTS: u32 = 5;
/// Time limit of the search for a process or a session.
const SEARCH_TIMEOUT: Duration = Duration::from_secs(30);
/// More connections than the database allows.
const MAX_FOREIGN_SESSIONS: usize = 400;
/// One of these tables is locked. Every vote needs all of them.
const LOCKED_TABLES: [&str; 3] = ["votes", "rounds", "sessions"];
/// More files than the write-ahead log keeps ready.
const WAL_SEGMENTS: usize = 80;
const NEXT_WAL_SEGMENT: &str = "SELECT pg_logical_emit_message(true, 'faults', 'more'); SELECT pg_switch_wal()";
pub(super) const END_SESSIONS: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE pid <> pg_backend_pid() AND backend_type = 'client backend' AND application_name <> 'faults'";

/// Times of a fault.
#[derive(Clone, Copy, Debug)]
pub(super) struct Injected {
    pub(super) began: Instant,
    /// From then on nothing prevents recovery.
    pub(super) ended: Instant,
}

impl Installation {
    /// Injects a fault, and removes it. Returns once every process that must be started is running.
    pub(super) async fn inject(&mut self, fault: &Fault) -> Result<Injected, LoadFailure> {
        let began = Instant::now();
        let ended = self.inject_kind(fault).await?;
        Ok(Injected { began, ended })
    }

    async fn inject_kind(&mut self, fault: &Fault) -> Result<Instant, LoadFailure> {
        let (duration, mut rng) = (fault.duration(), Rng::new(fault.seed));
        match fault.kind {
            Kind::ServerKilled | Kind::ServerKilledAtCount => {
                self.kill_server().await;
                sleep(duration / 4).await;
                return self.restart_server().await;
            }
            Kind::ServerRestarted => {
                self.stop_server().await;
                return self.restart_server().await;
            }
            Kind::DatabaseRestarted => {
                self.stop_database().await;
                let ended = Instant::now();
                self.start_database().await?;
                return Ok(ended);
            }
            Kind::ServerHalted => {
                self.signal_server(Signal::SIGSTOP);
                sleep(duration).await;
                self.signal_server(Signal::SIGCONT);
            }
            Kind::ClockForward => self.shift_clock(CLOCK_SHIFT, duration).await?,
            Kind::ClockBack => self.shift_clock(-CLOCK_SHIFT, duration).await?,
            Kind::PostmasterKilled => send(Signal::SIGKILL, self.find_postmaster().await?),
            Kind::BackendKilled => send(Signal::SIGKILL, self.find_backend(&mut rng).await?),
            Kind::DatabaseHalted => {
                let postmaster = self.find_postmaster().await?;
                suspend(&[vec![postmaster], children_of(postmaster)].concat(), duration).await;
            }
            Kind::BackendHalted => suspend(&[self.find_backend(&mut rng).await?], duration).await,
            Kind::SessionsEnded => {
                self.wait_for_session().await?.run(END_SESSIONS).await.map_err(cannot("end the sessions"))?;
            }
            Kind::TableLocked => self.lock(LOCKED_TABLES[rng.below(LOCKED_TABLES.len())], duration).await?,
            Kind::ConnectionsUsedUp => self.use_up_connections(duration).await?,
            Kind::DiskFull => self.fill_disk(rng.below(2) == 1, duration).await?,
            Kind::VotersCut => cut_repeatedly(&self.voters_proxy, duration).await,
            Kind::VotersStalled => set_mode_for(&self.voters_proxy, Mode::Stall, duration).await,
            Kind::VotersSlowed => set_mode_for(&self.voters_proxy, random_delay(&mut rng), duration).await,
            Kind::AnswersLost => set_mode_for(&self.voters_proxy, Mode::DropResponses, duration).await,
            Kind::DatabaseCut => cut_repeatedly(&self.database_proxy, duration).await,
            Kind::DatabaseStalled => set_mode_for(&self.database_proxy, Mode::Stall, duration).await,
            // A vote takes several round trips.
            Kind::DatabaseSlowed => set_mode_for(&self.database_proxy, Mode::Delay(duration / 40), duration).await,
            Kind::CommitsUnanswered => set_mode_for(&self.database_proxy, Mode::DropResponses, duration).await,
            Kind::PrimaryKilled | Kind::PrimaryCutOff | Kind::StandbyGone => {
                let Some(pair) = &mut self.pair else { return Err(not_found("find a standby")) };
                return pair.inject(fault).await;
            }
            // These need the organizer's attempts: `try_without_key_folder`.
            Kind::NoKeyFolderAtOpening | Kind::NoKeyFolderAtCount => return Err(not_found("inject it by itself")),
        }
        Ok(Instant::now())
    }

    async fn restart_server(&mut self) -> Result<Instant, LoadFailure> {
        let ended = Instant::now();
        self.start_server().await?;
        Ok(ended)
    }

    async fn shift_clock(&mut self, seconds: i64, duration: Duration) -> Result<(), LoadFailure> {
        let Some(clock) = &self.clock else { return Err(not_found("set the clock")) };
        clock.set(seconds).map_err(cannot("set the clock"))?;
        // The program reads the clock's file once a second.
        sleep(duration + Duration::from_secs(1)).await;
        clock.set(0).map_err(cannot("set the clock"))?;
        sleep(Duration::from_secs(1)).await;
        Ok(())
    }

    async fn find_postmaster(&self) -> Result<i32, LoadFailure> {
        let deadline = Instant::now() + SEARCH_TIMEOUT;
        loop {
            match self.postmaster() {
                Some(pid) => return Ok(pid),
                None if Instant::now() < deadline => sleep(Duration::from_millis(10)).await,
                None => return Err(not_found("find the postmaster")),
            }
        }
    }

    async fn find_backend(&self, rng: &mut Rng) -> Result<i32, LoadFailure> {
        let deadline = Instant::now() + SEARCH_TIMEOUT;
        loop {
            let backends = self.postmaster().map(backends_of).unwrap_or_default();
            if !backends.is_empty() {
                return Ok(backends[rng.below(backends.len())]);
            }
            if Instant::now() >= deadline {
                return Err(not_found("find a session's process"));
            }
            sleep(Duration::from_millis(10)).await;
        }
    }

    /// Opens a session as soon as the database accepts one.
    pub(super) async fn wait_for_session(&self) -> Result<Session, LoadFailure> {
        let deadline = Instant::now() + SEARCH_TIMEOUT;
        loop {
            match self.session().await {
                Ok(session) => return Ok(session),
                Err(_) if Instant::now() < deadline => sleep(Duration::from_millis(50)).await,
                Err(error) => return Err(cannot("open a session in the database")(error)),
            }
        }
    }

    /// The number that a statement returns. It bypasses the proxy.
    pub(super) async fn number(&self, statement: &str) -> Result<u64, LoadFailure> {
        let rows = self.rows(statement).await?;
        let number = rows.first().and_then(|row| row.first()?.parse().ok());
        number.ok_or_else(|| cannot("read a number of the database")(io::ErrorKind::InvalidData.into()))
    }

    /// The rows that a statement returns. It bypasses the proxy.
    pub(super) async fn rows(&self, statement: &str) -> Result<Rows, LoadFailure> {
        let deadline = Instant::now() + SEARCH_TIMEOUT;
        loop {
            let error = match self.wait_for_session().await?.run(statement).await {
                Ok(rows) => return Ok(rows),
                Err(error) => error,
            };
            if Instant::now() >= deadline {
                return Err(cannot("ask the database")(error));
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Another transaction may lock tables in the opposite order. Then PostgreSQL aborts one of the two.
    async fn lock(&self, table: &str, duration: Duration) -> Result<(), LoadFailure> {
        let deadline = Instant::now() + SEARCH_TIMEOUT;
        let mut session = self.wait_for_session().await?;
        let locking = format!("BEGIN; LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE");
        while let Err(error) = session.run(&locking).await {
            if Instant::now() >= deadline {
                return Err(cannot("lock a table")(error));
            }
            session = self.wait_for_session().await?;
        }
        sleep(duration).await;
        session.run("ROLLBACK").await.map(drop).map_err(cannot("unlock a table"))
    }

    /// Takes every connection that becomes free.
    async fn use_up_connections(&self, duration: Duration) -> Result<(), LoadFailure> {
        let mut sessions = vec![self.wait_for_session().await?];
        self.open_foreign_sessions(&mut sessions).await;
        sessions[0].run(END_SESSIONS).await.map_err(cannot("end the sessions"))?;
        let until = Instant::now() + duration;
        while Instant::now() < until {
            self.open_foreign_sessions(&mut sessions).await;
            sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    }

    async fn open_foreign_sessions(&self, sessions: &mut Vec<Session>) {
        while sessions.len() < MAX_FOREIGN_SESSIONS
            && let Ok(session) = self.session().await
        {
            sessions.push(session);
        }
    }

    /// If the write-ahead log must continue in another file and finds no space for it, PostgreSQL shuts down.
    async fn fill_disk(&self, is_log_full: bool, duration: Duration) -> Result<(), LoadFailure> {
        block_in_place(|| self.folder.fill_disk()).map_err(cannot("fill the disk"))?;
        if is_log_full && let Ok(mut session) = self.session().await {
            // PostgreSQL may shut down before it responds.
            for _ in 0..WAL_SEGMENTS {
                if session.run(NEXT_WAL_SEGMENT).await.is_err() {
                    break;
                }
            }
        }
        sleep(duration).await;
        self.folder.free_disk().map_err(cannot("free the disk"))
    }
}

async fn suspend(pids: &[i32], duration: Duration) {
    for pid in pids {
        send(Signal::SIGSTOP, *pid);
    }
    sleep(duration).await;
    for pid in pids {
        send(Signal::SIGCONT, *pid);
    }
}

async fn cut_repeatedly(proxy: &Proxy, duration: Duration) {
    for _ in 0..CUTS {
        proxy.cut_connections();
        sleep(duration / CUTS).await;
    }
}

async fn set_mode_for(proxy: &Proxy, mode: Mode, duration: Duration) {
    proxy.set_mode(mode);
    sleep(duration).await;
    match mode {
        // A client that missed the middle of a response cannot use the rest.
        Mode::DropResponses => proxy.reset(),
        _ => proxy.set_mode(Mode::Forward),
    }
}

fn random_delay(rng: &mut Rng) -> Mode {
    Mode::Delay(Duration::from_millis(50 + 50 * rng.below(6) as u64))
}

fn not_found(what: &str) -> LoadFailure {
    cannot(what)(io::ErrorKind::NotFound.into())
}
