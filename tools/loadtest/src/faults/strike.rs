//! How each kind of fault is done.

use std::io;
use std::time::Duration;

use nix::sys::signal::Signal;
use tokio::task::block_in_place;
use tokio::time::{Instant, sleep};

use super::database::Session;
use super::kind::Kind;
use super::plan::Strike;
use super::postgres::{backends_of, children_of};
use super::process::send;
use super::stage::{Stage, cannot};
use super::way::{Passage, Way};
use crate::chance::Chance;
use crate::failure::LoadFailure;

/// A clock that jumps does so by this, in seconds.
const JUMP: i64 = 3600;
/// So often connections are cut in the time of one fault.
const CUTS: u32 = 5;
/// For how long a process that is to be hit is looked for.
const LOOKED_FOR: Duration = Duration::from_secs(30);
/// More connections than any database of ours has.
const STRANGERS: usize = 400;
/// Of these tables one is locked: who votes asks for each of them.
const LOCKED: [&str; 3] = ["votes", "rounds", "sessions"];
/// More files than a log of ours has ready for later.
const SEGMENTS: usize = 80;
const NEXT_SEGMENT: &str = "SELECT pg_logical_emit_message(true, 'faults', 'more'); SELECT pg_switch_wal()";
const END_SESSIONS: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE pid <> pg_backend_pid() AND backend_type = 'client backend' AND application_name <> 'faults'";

/// When a fault was.
#[derive(Clone, Copy, Debug)]
pub(super) struct Struck {
    pub(super) began: Instant,
    /// From then on nothing stands in the way of recovery.
    pub(super) ended: Instant,
}

impl Stage {
    /// Does what is planned, and undoes it. Returns when everything runs that has to be started by somebody.
    pub(super) async fn strike(&mut self, strike: &Strike) -> Result<Struck, LoadFailure> {
        let began = Instant::now();
        let ended = self.carry_out(strike).await?;
        Ok(Struck { began, ended })
    }

    async fn carry_out(&mut self, strike: &Strike) -> Result<Instant, LoadFailure> {
        let (lasts, mut chance) = (strike.lasts(), Chance::new(strike.chance));
        match strike.kind {
            Kind::ServerKilled => {
                self.kill_server().await;
                sleep(lasts / 4).await;
                return self.server_again().await;
            }
            Kind::ServerRestarted => {
                self.stop_server().await;
                return self.server_again().await;
            }
            Kind::DatabaseRestarted => {
                self.stop_keeper().await;
                let ended = Instant::now();
                self.start_keeper().await?;
                return Ok(ended);
            }
            Kind::ServerHalted => {
                self.signal_server(Signal::SIGSTOP);
                sleep(lasts).await;
                self.signal_server(Signal::SIGCONT);
            }
            Kind::ClockForward => self.jump(JUMP, lasts).await?,
            Kind::ClockBack => self.jump(-JUMP, lasts).await?,
            Kind::PostmasterKilled => send(Signal::SIGKILL, self.find_postmaster().await?),
            Kind::BackendKilled => send(Signal::SIGKILL, self.find_backend(&mut chance).await?),
            Kind::DatabaseHalted => {
                let postmaster = self.find_postmaster().await?;
                halt(&[vec![postmaster], children_of(postmaster)].concat(), lasts).await;
            }
            Kind::BackendHalted => halt(&[self.find_backend(&mut chance).await?], lasts).await,
            Kind::SessionsEnded => {
                self.session_at_last().await?.run(END_SESSIONS).await.map_err(cannot("end the sessions"))?;
            }
            Kind::TableLocked => self.lock(LOCKED[chance.below(LOCKED.len())], lasts).await?,
            Kind::ConnectionsUsedUp => self.use_up_connections(lasts).await?,
            Kind::DiskFull => self.fill_disk(chance.below(2) == 1, lasts).await?,
            Kind::VotersCut => cut_again_and_again(&self.voters_way, lasts).await,
            Kind::VotersStalled => pass(&self.voters_way, Passage::Stalled, lasts).await,
            Kind::VotersSlowed => pass(&self.voters_way, slowness(&mut chance), lasts).await,
            Kind::AnswersLost => pass(&self.voters_way, Passage::Unanswered, lasts).await,
            Kind::DatabaseCut => cut_again_and_again(&self.database_way, lasts).await,
            Kind::DatabaseStalled => pass(&self.database_way, Passage::Stalled, lasts).await,
            // A vote takes several ways there and back.
            Kind::DatabaseSlowed => pass(&self.database_way, Passage::Slow(lasts / 40), lasts).await,
            Kind::CommitsUnanswered => pass(&self.database_way, Passage::Unanswered, lasts).await,
        }
        Ok(Instant::now())
    }

    async fn server_again(&mut self) -> Result<Instant, LoadFailure> {
        let ended = Instant::now();
        self.start_server().await?;
        Ok(ended)
    }

    async fn jump(&mut self, seconds: i64, lasts: Duration) -> Result<(), LoadFailure> {
        let Some(clock) = &self.clock else { return Err(nothing("set the clock")) };
        clock.set(seconds).map_err(cannot("set the clock"))?;
        // It is looked at once a second.
        sleep(lasts + Duration::from_secs(1)).await;
        clock.set(0).map_err(cannot("set the clock"))?;
        sleep(Duration::from_secs(1)).await;
        Ok(())
    }

    async fn find_postmaster(&self) -> Result<i32, LoadFailure> {
        let deadline = Instant::now() + LOOKED_FOR;
        loop {
            match self.postmaster() {
                Some(pid) => return Ok(pid),
                None if Instant::now() < deadline => sleep(Duration::from_millis(10)).await,
                None => return Err(nothing("find the postmaster")),
            }
        }
    }

    async fn find_backend(&self, chance: &mut Chance) -> Result<i32, LoadFailure> {
        let deadline = Instant::now() + LOOKED_FOR;
        loop {
            let backends = self.postmaster().map(backends_of).unwrap_or_default();
            if !backends.is_empty() {
                return Ok(backends[chance.below(backends.len())]);
            }
            if Instant::now() >= deadline {
                return Err(nothing("find a session's process"));
            }
            sleep(Duration::from_millis(10)).await;
        }
    }

    /// A session, as soon as there is one to be had.
    pub(super) async fn session_at_last(&self) -> Result<Session, LoadFailure> {
        let deadline = Instant::now() + LOOKED_FOR;
        loop {
            match self.session().await {
                Ok(session) => return Ok(session),
                Err(_) if Instant::now() < deadline => sleep(Duration::from_millis(50)).await,
                Err(error) => return Err(cannot("open a session in the database")(error)),
            }
        }
    }

    /// The number that a statement gives, asked past everything.
    pub(super) async fn number(&self, statement: &str) -> Result<u64, LoadFailure> {
        let deadline = Instant::now() + LOOKED_FOR;
        loop {
            let answer = match self.session_at_last().await?.number(statement).await {
                Ok(number) => return Ok(number),
                Err(error) => error,
            };
            if Instant::now() >= deadline {
                return Err(cannot("ask the database")(answer));
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Somebody else may lock things the other way round, and then one of the two is turned away.
    async fn lock(&self, table: &str, lasts: Duration) -> Result<(), LoadFailure> {
        let deadline = Instant::now() + LOOKED_FOR;
        let mut session = self.session_at_last().await?;
        let locking = format!("BEGIN; LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE");
        while let Err(error) = session.run(&locking).await {
            if Instant::now() >= deadline {
                return Err(cannot("lock a table")(error));
            }
            session = self.session_at_last().await?;
        }
        sleep(lasts).await;
        session.run("ROLLBACK").await.map(drop).map_err(cannot("unlock a table"))
    }

    /// Whatever becomes free is taken by one more stranger.
    async fn use_up_connections(&self, lasts: Duration) -> Result<(), LoadFailure> {
        let mut strangers = vec![self.session_at_last().await?];
        self.crowd(&mut strangers).await;
        strangers[0].run(END_SESSIONS).await.map_err(cannot("end the sessions"))?;
        let until = Instant::now() + lasts;
        while Instant::now() < until {
            self.crowd(&mut strangers).await;
            sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    }

    async fn crowd(&self, strangers: &mut Vec<Session>) {
        while strangers.len() < STRANGERS
            && let Ok(stranger) = self.session().await
        {
            strangers.push(stranger);
        }
    }

    /// A log that has to go on in another file finds no room for it, and then PostgreSQL ends itself.
    async fn fill_disk(&self, is_log_full: bool, lasts: Duration) -> Result<(), LoadFailure> {
        block_in_place(|| self.folder.fill_disk()).map_err(cannot("fill the disk"))?;
        if is_log_full && let Ok(mut session) = self.session().await {
            // It may not live to answer.
            for _ in 0..SEGMENTS {
                if session.run(NEXT_SEGMENT).await.is_err() {
                    break;
                }
            }
        }
        sleep(lasts).await;
        self.folder.free_disk().map_err(cannot("free the disk"))
    }
}

async fn halt(pids: &[i32], lasts: Duration) {
    for pid in pids {
        send(Signal::SIGSTOP, *pid);
    }
    sleep(lasts).await;
    for pid in pids {
        send(Signal::SIGCONT, *pid);
    }
}

async fn cut_again_and_again(way: &Way, lasts: Duration) {
    for _ in 0..CUTS {
        way.cut();
        sleep(lasts / CUTS).await;
    }
}

async fn pass(way: &Way, passage: Passage, lasts: Duration) {
    way.set(passage);
    sleep(lasts).await;
    match passage {
        // Who has missed the middle of an answer can do nothing with the rest.
        Passage::Unanswered => way.cut_and_free(),
        _ => way.set(Passage::Free),
    }
}

fn slowness(chance: &mut Chance) -> Passage {
    Passage::Slow(Duration::from_millis(50 + 50 * chance.below(6) as u64))
}

fn nothing(what: &str) -> LoadFailure {
    cannot(what)(io::ErrorKind::NotFound.into())
}
