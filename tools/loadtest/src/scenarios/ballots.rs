//! Ballots: as many as possible over a number of connections, or each at its own time.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use futures_util::future::join_all;
use tokio::time::Instant;

use super::voting::{Ballots, CastResult, cast_closed, cast_open, open_connections};
use crate::failure::LoadFailure;
use crate::fixture::{Fixture, FixtureContent, QuestionKind};
use crate::http::Connection;
use crate::latencies::{Latencies, figure, number, seconds};
use crate::options::{Common, Server, read_duration};
use crate::output::progress;
use crate::rng::{Rng, ThinkTime};
use crate::run::{RunResult, check_journal, clean_up, set_up};

/// An endpoint that only checks the token.
const BARE: &str = "/test/auth";

/// The options of the scenario.
#[derive(Clone, Debug, Args)]
pub struct Settings {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    server: Server,
    /// Number of voters.
    #[arg(long, default_value_t = 1_000)]
    voters: usize,
    /// Number of connections, each of which sends one ballot after the other.
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// Number of rounds, one after another. Their opening and end are not measured.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Number of rounds before, for warm-up.
    #[arg(long, default_value_t = 1)]
    warm_up: usize,
    /// Instead: each voter on their own connection, at their own time within this period. Latencies count from the
    /// intended times.
    #[arg(long, value_parser = read_duration, conflicts_with_all = ["rate", "bare"])]
    within: Option<Duration>,
    /// Instead: this number of voters a second, at random times.
    #[arg(long, conflicts_with = "bare")]
    rate: Option<f64>,
    /// Instead: no ballots, but as many calls of an endpoint that only checks the token.
    #[arg(long, num_args = 0..=1, default_missing_value = BARE, value_name = "PATH")]
    bare: Option<String>,
}

impl Settings {
    /// The shared options.
    pub fn common(&self) -> &Common {
        &self.common
    }

    fn is_open(&self) -> bool {
        self.within.is_some() || self.rate.is_some()
    }

    fn variant(&self) -> String {
        match (self.within, self.rate, &self.bare) {
            (Some(within), _, _) => format!("open-{}-within-{}s", self.voters, within.as_secs_f64()),
            (_, Some(rate), _) => format!("rate-{rate}"),
            (_, _, Some(_)) => format!("bare-{}", self.connections),
            _ => format!("closed-{}", self.connections),
        }
    }

    /// The intended times of voters in an open loop.
    fn times(&self, seed: u64) -> (Vec<Duration>, String) {
        let mut rng = Rng::new(seed);
        if let Some(within) = self.within {
            let think = ThinkTime::within(within);
            return ((0..self.voters).map(|_| think.draw(&mut rng)).collect(), think.description());
        }
        let rate = self.rate.unwrap_or(1.0);
        let mut at = Duration::ZERO;
        let mut next = |_| {
            at += rng.gap(rate);
            at
        };
        ((0..self.voters).map(&mut next).collect(), format!("Poisson, {rate} a second"))
    }
}

/// Plays the scenario.
///
/// # Errors
/// Fails when the set-up fails, or the record cannot be fetched.
pub async fn play(settings: &Settings) -> Result<RunResult, LoadFailure> {
    if settings.connections == 0 || settings.voters == 0 {
        return Err(LoadFailure::Settings("at least one voter and one connection are needed".to_owned()));
    }
    let rounds = if settings.is_open() { settings.warm_up + 1 } else { settings.warm_up + settings.rounds };
    let questions = vec![QuestionKind::YesNo; rounds];
    let voters = if settings.bare.is_some() { 0 } else { settings.voters };
    let content = match voters {
        0 => FixtureContent::unlisted(1, Vec::new()),
        _ => FixtureContent::unlisted(voters, questions),
    };
    let mut fixture = set_up(&settings.common, &settings.server, content).await?;
    let mut run = RunResult::begin("ballots", settings.variant(), settings.common.seed);
    run.setting("voters", voters);
    let outcome = match &settings.bare {
        Some(path) => play_bare(settings, path, &fixture, &mut run).await,
        None => play_ballots(settings, &mut fixture, &mut run).await,
    };
    clean_up(&mut fixture, &settings.server).await;
    outcome.map(|()| run)
}

async fn play_ballots(settings: &Settings, fixture: &mut Fixture, run: &mut RunResult) -> Result<(), LoadFailure> {
    fixture.sign_in_voters(settings.voters, &settings.server.sign_in_method()).await?;
    let mut journal = Vec::new();
    for question in 0..settings.warm_up {
        let (cast, _) = play_closed(settings, fixture, question).await?;
        journal.extend(cast.entries);
    }
    let (mut measured, took) = if settings.is_open() {
        play_open(settings, fixture, run).await?
    } else {
        run.setting("connections", settings.connections);
        run.setting("rounds", settings.rounds);
        play_rounds(settings, fixture).await?
    };
    add_figures(&measured, took, run);
    journal.append(&mut measured.entries);
    check_journal(fixture, &journal, run).await
}

async fn play_rounds(settings: &Settings, fixture: &mut Fixture) -> Result<(CastResult, Duration), LoadFailure> {
    let (mut all, mut took) = (CastResult::default(), Duration::ZERO);
    for question in settings.warm_up..settings.warm_up + settings.rounds {
        let (cast, time) = play_closed(settings, fixture, question).await?;
        progress(&format!("round {question}: {:.0} ballots/s", cast.acknowledged() as f64 / time.as_secs_f64()));
        all.add(cast);
        took += time;
    }
    Ok((all, took))
}

async fn play_closed(
    settings: &Settings,
    fixture: &mut Fixture,
    question: usize,
) -> Result<(CastResult, Duration), LoadFailure> {
    fixture.renew_tokens(settings.voters).await?;
    let round = fixture.open(question).await?;
    let ballots = Ballots { fixture, question, round: &round, seed: settings.common.seed }.of_first(settings.voters);
    let connections = connections(fixture, settings.connections).await?;
    let cast = cast_closed(connections, ballots).await;
    fixture.clear().await?;
    Ok(cast)
}

async fn play_open(
    settings: &Settings,
    fixture: &mut Fixture,
    run: &mut RunResult,
) -> Result<(CastResult, Duration), LoadFailure> {
    let (times, distribution) = settings.times(settings.common.seed);
    run.setting("arrivals", distribution);
    let question = settings.warm_up;
    fixture.renew_tokens(settings.voters).await?;
    let round = fixture.open(question).await?;
    let ballots = Ballots { fixture, question, round: &round, seed: settings.common.seed }.of_first(settings.voters);
    let connections = connections(fixture, settings.voters).await?;
    progress(&format!("{} voters are connected and begin to vote", settings.voters));
    let cast = cast_open(connections, ballots, times).await;
    fixture.clear().await?;
    Ok(cast)
}

async fn connections(fixture: &Fixture, count: usize) -> Result<Vec<Connection>, LoadFailure> {
    let what = || format!("{count} connections");
    open_connections(fixture, count).await.map_err(|source| LoadFailure::NoResponse { what: what(), source })
}

fn add_figures(cast: &CastResult, took: Duration, run: &mut RunResult) {
    let latencies = Latencies::of(cast.latencies.clone());
    let acknowledged = cast.acknowledged();
    run.figures([
        figure("ballots_per_second", "1/s", acknowledged as f64 / took.as_secs_f64()),
        number("ballots", acknowledged as u64),
        seconds("took", took),
        number("repeats_without_answer", cast.retries.without_answer),
        number("repeats_as_asked", cast.retries.as_requested),
    ]);
    run.figures(latencies.figures("latency"));
    run.series(latencies.series("latency"));
}

async fn play_bare(settings: &Settings, path: &str, fixture: &Fixture, run: &mut RunResult) -> Result<(), LoadFailure> {
    run.setting("connections", settings.connections);
    run.setting("path", path);
    let request = fixture.target.request("GET", &format!("/api{path}")).bearer(fixture.organizer.token()).bytes();
    let request = Arc::new(request);
    let calls = settings.voters.div_ceil(settings.connections);
    for _ in 0..settings.warm_up {
        call_all(settings, fixture, &request, calls).await?;
    }
    let (mut latencies, mut took) = (Vec::new(), Duration::ZERO);
    for _ in 0..settings.rounds {
        let (some, time) = call_all(settings, fixture, &request, calls).await?;
        latencies.extend(some);
        took += time;
    }
    let latencies = Latencies::of(latencies);
    run.figures([
        figure("calls_per_second", "1/s", latencies.count() as f64 / took.as_secs_f64()),
        number("calls", latencies.count() as u64),
        seconds("took", took),
    ]);
    run.figures(latencies.figures("latency"));
    run.series(latencies.series("latency"));
    Ok(())
}

async fn call_all(
    settings: &Settings,
    fixture: &Fixture,
    request: &Arc<Vec<u8>>,
    calls: usize,
) -> Result<(Vec<Duration>, Duration), LoadFailure> {
    let connections = connections(fixture, settings.connections).await?;
    let begun = Instant::now();
    let tasks = connections.into_iter().map(|mut connection| {
        let request = Arc::clone(request);
        tokio::spawn(async move { call_repeatedly(&mut connection, &request, calls).await })
    });
    let mut latencies = Vec::new();
    for done in join_all(tasks).await {
        latencies.extend(done.expect("a caller does not panic")?);
    }
    Ok((latencies, begun.elapsed()))
}

async fn call_repeatedly(
    connection: &mut Connection,
    request: &[u8],
    calls: usize,
) -> Result<Vec<Duration>, LoadFailure> {
    let what = || "the bare endpoint".to_owned();
    let mut latencies = Vec::with_capacity(calls);
    for _ in 0..calls {
        let begun = Instant::now();
        let response = connection.call(request).await;
        let response = response.map_err(|source| LoadFailure::NoResponse { what: what(), source })?;
        if !response.is_success() {
            return Err(LoadFailure::Refused { what: what(), status: response.status, text: response.text() });
        }
        latencies.push(begun.elapsed());
    }
    Ok(latencies)
}
