//! All participants sign in at once, while others vote and watch.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use futures_util::future::join_all;
use tokio::time::{Instant, sleep};

use super::background_load::{BackgroundVoting, Phase};
use super::sign_in::{Participant, SignInResult, TIMEOUT, sign_in};
use super::voting::open_connections;
use super::watchers::WatcherGroup;
use crate::failure::LoadFailure;
use crate::fixture::{Fixture, FixtureContent};
use crate::http::Connection;
use crate::latencies::{Latencies, figure, number, seconds};
use crate::options::{Common, Server, read_duration};
use crate::output::progress;
use crate::run::{RunResult, check_journal, clean_up, set_up};

/// The options of the scenario.
#[derive(Clone, Debug, Args)]
pub struct Settings {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    server: Server,
    /// Number of simultaneous sign-ins.
    #[arg(long, default_value_t = 1_000)]
    sign_ins: usize,
    /// Votes a second from other voters.
    #[arg(long, default_value_t = 50.0)]
    voting_rate: f64,
    /// Number of these voters. When all have voted, the next question opens.
    #[arg(long, default_value_t = 500)]
    voting_voters: usize,
    /// Number of streams that watch meanwhile.
    #[arg(long, default_value_t = 200)]
    streams: usize,
    /// Time of voting before the burst.
    #[arg(long, value_parser = read_duration, default_value = "10s")]
    before: Duration,
}

impl Settings {
    /// The shared options.
    pub fn common(&self) -> &Common {
        &self.common
    }

    /// The burst can last a tenth of a second for each sign-in.
    fn voting(&self) -> BackgroundVoting {
        let duration = self.before + Duration::from_millis(100) * u32::try_from(self.sign_ins).unwrap_or(u32::MAX);
        BackgroundVoting { seed: self.common.seed, voters: self.voting_voters, rate: self.voting_rate, duration }
    }
}

/// Plays the scenario.
///
/// # Errors
/// Fails when the set-up fails, or the record cannot be fetched.
pub async fn play(settings: &Settings) -> Result<RunResult, LoadFailure> {
    let questions = settings.voting().questions()?;
    let voters = settings.voting_voters + settings.sign_ins;
    let content = FixtureContent::unlisted(voters, questions);
    let mut fixture = set_up(&settings.common, &settings.server, content).await?;
    let mut run = RunResult::begin("sign-in-burst", settings.sign_ins.to_string(), settings.common.seed);
    let outcome = play_in(settings, &mut fixture, &mut run).await;
    clean_up(&mut fixture, &settings.server).await;
    outcome.map(|()| run)
}

async fn play_in(settings: &Settings, fixture: &mut Fixture, run: &mut RunResult) -> Result<(), LoadFailure> {
    run.setting("sign_ins", settings.sign_ins);
    settings.voting().add_settings(run);
    run.setting("streams", settings.streams);
    fixture.sign_in_voters(settings.voting_voters, &settings.server.sign_in_method()).await?;
    let request = |number: usize| fixture.stream(&fixture.voters[number % settings.voting_voters].tokens.token());
    let group =
        WatcherGroup { target: &fixture.target, watchers: settings.streams, stalled: 0, steps: 0, request: &request };
    let (watchers, _) = group.connect().await?;
    let phase = Arc::new(Phase::default());
    let burst = Burst::gather(settings, fixture).await?;
    let burst_task = tokio::spawn(run_burst(burst, settings.before, Arc::clone(&phase)));
    let voting = settings.voting().vote_until_over(fixture, &phase).await;
    let burst_result = burst_task.await.expect("the burst does not panic");
    let voted = voting?;
    burst_result.add_to(run);
    voted.add_to(run);
    run.figures([
        number("heartbeats", watchers.receipts.heartbeats()),
        seconds("heartbeat_longest_gap", watchers.receipts.longest_gap(Instant::now())),
        number("streams_ended", watchers.receipts.ended()),
    ]);
    check_journal(fixture, &voted.into_journal(), run).await
}

/// The connected people of the burst.
struct Burst {
    people: Vec<Participant>,
}

impl Burst {
    async fn gather(settings: &Settings, fixture: &Fixture) -> Result<Self, LoadFailure> {
        let failed = |source| LoadFailure::NoResponse { what: "connections for the burst".to_owned(), source };
        let connections = open_connections(fixture, settings.sign_ins).await.map_err(failed)?;
        let voters = &fixture.voters[settings.voting_voters..];
        let participant = |(number, (connection, voter)): (usize, (Connection, _))| {
            Participant::new(fixture, voter, number, connection.with_timeout(TIMEOUT))
        };
        Ok(Self { people: connections.into_iter().zip(voters).enumerate().map(participant).collect() })
    }
}

#[derive(Debug)]
struct BurstResult {
    people: Vec<SignInResult>,
    took: Duration,
}

impl BurstResult {
    fn add_to(&self, run: &mut RunResult) {
        let latencies = Latencies::of(self.people.iter().filter_map(|result| result.took).collect());
        let not_signed_in = self.people.len() - latencies.count();
        if not_signed_in > 0 {
            run.fail(format!("{not_signed_in} sign-ins failed"));
        }
        let longest_announced = self.people.iter().filter_map(|result| result.longest_announced).max();
        run.figures([
            figure("sign_ins_per_second", "1/s", latencies.count() as f64 / self.took.as_secs_f64()),
            number("sign_ins", latencies.count() as u64),
            seconds("took", self.took),
            number("not_let_in", not_signed_in as u64),
            number("errors", self.people.iter().map(|result| result.errors).sum()),
            number("asked_to_come_again", self.people.iter().map(|result| result.retries_requested).sum()),
            number(
                "told_their_place",
                self.people.iter().filter(|result| result.longest_announced.is_some()).count() as u64,
            ),
            seconds("longest_told_wait", longest_announced.unwrap_or_default()),
        ]);
        run.figures(latencies.figures("sign_in"));
        run.series(latencies.series("sign_in"));
    }
}

async fn run_burst(burst: Burst, before: Duration, phase: Arc<Phase>) -> BurstResult {
    sleep(before).await;
    progress(&format!("{} sign in at once", burst.people.len()));
    phase.enter(Phase::DURING);
    let begun = Instant::now();
    let tasks = burst.people.into_iter().map(|participant| tokio::spawn(sign_in(participant, begun)));
    let people: Vec<_> =
        join_all(tasks).await.into_iter().map(|done| done.expect("a simulated voter does not panic")).collect();
    let took = people.iter().filter_map(|result| result.took).max().unwrap_or_default();
    phase.enter(Phase::OVER);
    BurstResult { people, took }
}
