//! One address uses as much of the server as it can get: thousands of slow connections, and failing sign-ins. Meanwhile
//! voters at another address vote.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use clap::Args;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::background_load::{BackgroundVoting, Phase};
use crate::failure::LoadFailure;
use crate::fixture::{Fixture, FixtureContent};
use crate::http::{Connection, Target};
use crate::latencies::number;
use crate::options::{Common, Server, read_duration};
use crate::output::progress;
use crate::run::{RunResult, check_journal, clean_up, set_up};

/// The time between two bytes of a slow connection.
const BYTE_INTERVAL: Duration = Duration::from_secs(1);
/// The time until a rejected connection is opened again.
const RECONNECT_AFTER: Duration = Duration::from_millis(500);

/// The options of the scenario.
#[derive(Clone, Debug, Args)]
pub struct Settings {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    server: Server,
    /// Number of slow connections: a quarter each sends nothing, or a first head byte by byte, or a second one, or a
    /// body.
    #[arg(long, default_value_t = 2_000)]
    slow: usize,
    /// Number of clients that sign in with wrong passwords, without a pause.
    #[arg(long, default_value_t = 100)]
    flood: usize,
    /// Votes a second from other voters.
    #[arg(long, default_value_t = 50.0)]
    voting_rate: f64,
    /// Number of these voters. When all have voted, the next question opens.
    #[arg(long, default_value_t = 500)]
    voting_voters: usize,
    /// Time of voting before the slow clients start.
    #[arg(long, value_parser = read_duration, default_value = "10s")]
    before: Duration,
    /// Time with slow clients.
    #[arg(long, value_parser = read_duration, default_value = "60s")]
    duration: Duration,
    /// Slow clients use the voters' own address, like a person in the hall. Default: another address, which requires a
    /// loopback network.
    #[arg(long)]
    from_within: bool,
}

impl Settings {
    /// The shared options.
    pub fn common(&self) -> &Common {
        &self.common
    }

    fn voting(&self) -> BackgroundVoting {
        let duration = self.before + self.duration;
        BackgroundVoting { seed: self.common.seed, voters: self.voting_voters, rate: self.voting_rate, duration }
    }
}

/// Plays the scenario.
///
/// # Errors
/// Fails when the set-up fails, or the record cannot be fetched.
pub async fn play(settings: &Settings) -> Result<RunResult, LoadFailure> {
    let questions = settings.voting().questions()?;
    let content = FixtureContent::unlisted(settings.voting_voters, questions);
    let mut fixture = set_up(&settings.common, &settings.server, content).await?;
    let variant = format!("{}-{}", settings.slow, settings.flood);
    let mut run = RunResult::begin("slow-clients", variant, settings.common.seed);
    let outcome = play_in(settings, &mut fixture, &mut run).await;
    clean_up(&mut fixture, &settings.server).await;
    outcome.map(|()| run)
}

async fn play_in(settings: &Settings, fixture: &mut Fixture, run: &mut RunResult) -> Result<(), LoadFailure> {
    run.setting("slow", settings.slow);
    run.setting("flood", settings.flood);
    run.setting("lasts_seconds", settings.duration.as_secs_f64());
    run.setting("from_within", settings.from_within);
    settings.voting().add_settings(run);
    fixture.sign_in_voters(settings.voting_voters, &settings.server.sign_in_method()).await?;
    let target =
        if settings.from_within { Arc::clone(&fixture.target) } else { Arc::new(fixture.target.from_elsewhere()) };
    let slow_clients = SlowClients { target, client_code: fixture.client_code.clone(), counters: Arc::default() };
    let counters = Arc::clone(&slow_clients.counters);
    let phase = Arc::new(Phase::default());
    let attack = tokio::spawn(slow_clients.run(settings.clone(), Arc::clone(&phase)));
    let voted = settings.voting().vote_until_over(fixture, &phase).await;
    phase.enter(Phase::OVER);
    attack.await.expect("the slow clients do not panic");
    let voted = voted?;
    voted.add_to(run);
    counters.add_to(run);
    check_journal(fixture, &voted.into_journal(), run).await
}

/// The outcomes of the slow connections and sign-ins.
#[derive(Debug, Default)]
struct Counters {
    opened: AtomicU64,
    not_opened: AtomicU64,
    cut: AtomicU64,
    refused_sign_ins: AtomicU64,
    paced_sign_ins: AtomicU64,
    busy_sign_ins: AtomicU64,
    other_sign_ins: AtomicU64,
}

impl Counters {
    fn count(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    fn count_sign_in(&self, status: Option<u16>) {
        Self::count(match status {
            Some(401) => &self.refused_sign_ins,
            Some(429) => &self.paced_sign_ins,
            Some(503) => &self.busy_sign_ins,
            _ => &self.other_sign_ins,
        });
    }

    fn add_to(&self, run: &mut RunResult) {
        let counted = |name: &str, counter: &AtomicU64| number(name, counter.load(Ordering::Relaxed));
        run.figures([
            counted("slow_opened", &self.opened),
            counted("slow_not_opened", &self.not_opened),
            counted("slow_cut", &self.cut),
            counted("sign_ins_401", &self.refused_sign_ins),
            counted("sign_ins_429", &self.paced_sign_ins),
            counted("sign_ins_503", &self.busy_sign_ins),
            counted("sign_ins_other", &self.other_sign_ins),
        ]);
    }
}

/// The method of a slow connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stall {
    Silence,
    Head,
    SecondHead,
    Body,
}

impl Stall {
    fn of(number: usize) -> Self {
        [Self::Silence, Self::Head, Self::SecondHead, Self::Body][number % 4]
    }

    /// The bytes before the slow part.
    fn first_bytes(self, target: &Target) -> Vec<u8> {
        let begun_head = b"GET /health HTTP/1.1\r\nx-slow: ";
        match self {
            Self::Silence => Vec::new(),
            Self::Head => begun_head.to_vec(),
            Self::SecondHead => [target.request("GET", "/health").bytes(), begun_head.to_vec()].concat(),
            Self::Body => {
                let mut request = target.request("POST", "/api/auth/login").json(" ".repeat(10_000)).bytes();
                request.truncate(request.len() - 9_999);
                request
            }
        }
    }
}

#[derive(Clone)]
struct SlowClients {
    target: Arc<Target>,
    client_code: String,
    counters: Arc<Counters>,
}

impl SlowClients {
    async fn run(self, settings: Settings, phase: Arc<Phase>) {
        sleep(settings.before).await;
        progress(&format!(
            "{} slow connections, and {} clients sign in with wrong passwords",
            settings.slow, settings.flood
        ));
        phase.enter(Phase::DURING);
        let mut tasks = JoinSet::new();
        for number in 0..settings.slow {
            tasks.spawn(self.clone().keep_stalling(number));
        }
        for number in 0..settings.flood {
            tasks.spawn(self.clone().try_to_sign_in(number));
        }
        sleep(settings.duration).await;
        phase.enter(Phase::OVER);
    }

    /// Runs until the task is aborted.
    async fn keep_stalling(self, number: usize) {
        let stall = Stall::of(number);
        loop {
            let Ok(mut stream) = self.target.connect(number).await else {
                Counters::count(&self.counters.not_opened);
                sleep(RECONNECT_AFTER).await;
                continue;
            };
            Counters::count(&self.counters.opened);
            // Any end is an end by the server.
            let _ = stall_connection(stall, &self.target, &mut stream).await;
            Counters::count(&self.counters.cut);
            sleep(RECONNECT_AFTER).await;
        }
    }

    /// Runs until the task is aborted.
    async fn try_to_sign_in(self, number: usize) {
        let mut connection = Connection::new(Arc::clone(&self.target), number);
        let name = format!("slow-client-{number}");
        let body = json!({ "clientCode": self.client_code, "username": name, "password": "a wrong password" });
        let request = self.target.request("POST", "/api/auth/end-user/login").json(body.to_string()).bytes();
        loop {
            let response = connection.call(&request).await;
            let is_lost = response.is_err();
            self.counters.count_sign_in(response.ok().map(|response| response.status));
            if is_lost {
                sleep(RECONNECT_AFTER).await;
            }
        }
    }
}

/// Sends a byte at intervals, or nothing, until the server closes the connection.
async fn stall_connection(stall: Stall, target: &Target, stream: &mut TcpStream) -> io::Result<()> {
    stream.write_all(&stall.first_bytes(target)).await?;
    let (mut reader, mut writer) = stream.split();
    let sending = async {
        loop {
            sleep(BYTE_INTERVAL).await;
            if stall != Stall::Silence {
                writer.write_all(b" ").await?;
            }
        }
    };
    let reading = async {
        let mut buffer = [0; 1024];
        while reader.read(&mut buffer).await? > 0 {}
        Ok(())
    };
    tokio::select! {
        outcome = sending => outcome,
        outcome = reading => outcome,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_slow_body_begins_and_does_not_end() {
        let target = Target::find("http://127.0.0.1:9").await.unwrap();
        let first_bytes = |stall: Stall| String::from_utf8(stall.first_bytes(&target)).unwrap();
        let body = first_bytes(Stall::Body);
        assert!(body.contains("content-length: 10000\r\n") && body.ends_with("\r\n\r\n "), "{body}");
        let second = first_bytes(Stall::SecondHead);
        assert!(second.starts_with("GET /health ") && second.ends_with("\r\nx-slow: "), "{second}");
        assert!(!first_bytes(Stall::Head).contains("\r\n\r\n") && first_bytes(Stall::Silence).is_empty());
        assert_eq!([0, 1, 2, 3, 4].map(Stall::of)[4], Stall::Silence);
    }
}
