//! Ballots: as many as possible over a number of connections, or each at its own time.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use futures_util::future::{join_all, try_join_all};
use tokio::time::Instant;

use super::voting::{Ballots, CastResult, cast_closed, cast_open, open_connections};
use crate::failure::LoadFailure;
use crate::fixture::{Fixture, FixtureContent, OpenRound, PlannedQuestion, QuestionKind, Secrecy};
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
    /// Secrecy of the votes. The ballots of secret votes are sealed before they are sent, and each urn is opened after its
    /// round.
    #[arg(long, value_enum, default_value_t, conflicts_with = "bare")]
    secrecy: Secrecy,
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
        let variant = match (self.within, self.rate, &self.bare) {
            (Some(within), _, _) => format!("open-{}-within-{}s", self.voters, within.as_secs_f64()),
            (_, Some(rate), _) => format!("rate-{rate}"),
            (_, _, Some(_)) => format!("bare-{}", self.connections),
            _ => format!("closed-{}", self.connections),
        };
        match self.secrecy {
            Secrecy::Named => variant,
            Secrecy::Secret => format!("secret-{variant}"),
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
    let question = PlannedQuestion { kind: QuestionKind::YesNo, secrecy: settings.secrecy };
    let voters = if settings.bare.is_some() { 0 } else { settings.voters };
    let content = match voters {
        0 => FixtureContent::unlisted::<PlannedQuestion>(1, Vec::new()),
        _ => FixtureContent::unlisted(voters, vec![question; rounds]),
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
    run.setting("secrecy", settings.secrecy.to_string());
    fixture.sign_in_voters(settings.voters, &settings.server.sign_in_method()).await?;
    let mut journal = Vec::new();
    for question in 0..settings.warm_up {
        journal.extend(play_closed(settings, fixture, question).await?.cast.entries);
    }
    let mut played = if settings.is_open() {
        play_open(settings, fixture, run).await?
    } else {
        run.setting("connections", settings.connections);
        run.setting("rounds", settings.rounds);
        play_rounds(settings, fixture).await?
    };
    played.add_to(run);
    journal.append(&mut played.cast.entries);
    check_journal(fixture, &journal, run).await
}

/// One or several rounds.
#[derive(Debug, Default)]
struct Played {
    cast: CastResult,
    took: Duration,
    /// For each secret round: the time from the request of its count to the response. The count opens the urn.
    urns: Vec<Duration>,
}

impl Played {
    fn add(&mut self, others: Self) {
        self.cast.add(others.cast);
        self.took += others.took;
        self.urns.extend(others.urns);
    }

    fn ballots_per_second(&self) -> f64 {
        self.cast.acknowledged() as f64 / self.took.as_secs_f64()
    }

    fn add_to(&self, run: &mut RunResult) {
        let latencies = Latencies::of(self.cast.latencies.clone());
        run.figures([
            figure("ballots_per_second", "1/s", self.ballots_per_second()),
            number("ballots", self.cast.acknowledged() as u64),
            seconds("took", self.took),
            number("repeats_without_answer", self.cast.retries.without_answer),
            number("repeats_as_asked", self.cast.retries.as_requested),
        ]);
        run.figures(latencies.figures("latency"));
        run.series(latencies.series("latency"));
        if !self.urns.is_empty() {
            let urns = Latencies::of(self.urns.clone());
            run.figures([seconds("urn_opened", urns.median()), seconds("urn_opened_max", urns.longest())]);
        }
    }
}

async fn play_rounds(settings: &Settings, fixture: &mut Fixture) -> Result<Played, LoadFailure> {
    let mut all = Played::default();
    for question in settings.warm_up..settings.warm_up + settings.rounds {
        let played = play_closed(settings, fixture, question).await?;
        progress(&format!("round {question}: {:.0} ballots/s", played.ballots_per_second()));
        all.add(played);
    }
    Ok(all)
}

async fn play_closed(settings: &Settings, fixture: &mut Fixture, question: usize) -> Result<Played, LoadFailure> {
    fixture.renew_tokens(settings.voters).await?;
    let round = fixture.open(question).await?;
    let ballots = Ballots { fixture, question, round: &round, seed: settings.common.seed }.of_first(settings.voters)?;
    let connections = connections(fixture, settings.connections).await?;
    let (cast, took) = cast_closed(connections, ballots).await;
    let urns = end(fixture, &round, cast.acknowledged()).await?;
    Ok(Played { cast, took, urns })
}

/// Ends a round. Opens the urn of a secret one, and returns the time that it took.
async fn end(fixture: &mut Fixture, round: &OpenRound, ballots: usize) -> Result<Vec<Duration>, LoadFailure> {
    fixture.clear().await?;
    if round.sealing.is_none() {
        return Ok(Vec::new());
    }
    let asked = Instant::now();
    fixture.count(&round.id).await?;
    let took = asked.elapsed();
    progress(&format!("an urn of {ballots} ballots was opened, after {:.2} s", took.as_secs_f64()));
    Ok(vec![took])
}

async fn play_open(settings: &Settings, fixture: &mut Fixture, run: &mut RunResult) -> Result<Played, LoadFailure> {
    let (times, distribution) = settings.times(settings.common.seed);
    run.setting("arrivals", distribution);
    let question = settings.warm_up;
    fixture.renew_tokens(settings.voters).await?;
    let round = fixture.open(question).await?;
    let ballots = Ballots { fixture, question, round: &round, seed: settings.common.seed }.of_first(settings.voters)?;
    let connections = used_connections(fixture, settings.voters).await?;
    progress(&format!("{} voters are connected and begin to vote", settings.voters));
    let (cast, took) = cast_open(connections, ballots, times).await;
    let urns = end(fixture, &round, cast.acknowledged()).await?;
    Ok(Played { cast, took, urns })
}

async fn connections(fixture: &Fixture, count: usize) -> Result<Vec<Connection>, LoadFailure> {
    let what = || format!("{count} connections");
    open_connections(fixture, count).await.map_err(|source| LoadFailure::NoResponse { what: what(), source })
}

/// Connections that have served a request, like those of phones, which have loaded a page. The server closes one without a
/// request after ten seconds.
async fn used_connections(fixture: &Fixture, count: usize) -> Result<Vec<Connection>, LoadFailure> {
    let mut connections = connections(fixture, count).await?;
    let request = fixture.target.request("GET", "/health").bytes();
    for some in connections.chunks_mut(256) {
        let called = try_join_all(some.iter_mut().map(|connection| connection.call(&request))).await;
        called.map_err(|source| LoadFailure::NoResponse { what: "GET /health".to_owned(), source })?;
    }
    Ok(connections)
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
