//! Ballots: as many as possible over so many connections, or each in its own time.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use futures_util::future::join_all;
use tokio::time::Instant;

use super::voting::{Ballots, Cast, cast_closed, cast_open, open_connections};
use crate::arguments::{Common, Server, read_duration};
use crate::chance::{Chance, ThinkTime};
use crate::failure::LoadFailure;
use crate::hall::{Hall, QuestionKind};
use crate::http::Connection;
use crate::latencies::{Latencies, figure, number, seconds};
use crate::run::{Gathered, check_journal, set_up, tidy};
use crate::say::progress;

/// The endpoint that only looks at the token and answers.
const BARE: &str = "/test/auth";

/// How ballots are cast.
#[derive(Clone, Debug, Args)]
pub struct Settings {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    server: Server,
    /// How many voters.
    #[arg(long, default_value_t = 1_000)]
    voters: usize,
    /// Exactly so many connections, each of which hands in one ballot after the other.
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// How many rounds are voted on, one after another. Opening and ending them is not measured.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// How many rounds before that only warm up.
    #[arg(long, default_value_t = 1)]
    warm_up: usize,
    /// Instead: each voter on a connection of their own, in their own time within this one. Latencies count from the
    /// intended times.
    #[arg(long, value_parser = read_duration, conflicts_with_all = ["rate", "bare"])]
    within: Option<Duration>,
    /// Instead: so many voters a second, at random.
    #[arg(long, conflicts_with = "bare")]
    rate: Option<f64>,
    /// Instead: no ballots, but as many calls of an endpoint that only looks at the token.
    #[arg(long, num_args = 0..=1, default_missing_value = BARE, value_name = "PATH")]
    bare: Option<String>,
}

impl Settings {
    /// What the command line says.
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

    /// When each voter votes in an open loop.
    fn times(&self, seed: u64) -> (Vec<Duration>, String) {
        let mut chance = Chance::new(seed);
        if let Some(within) = self.within {
            let think = ThinkTime::within(within);
            return ((0..self.voters).map(|_| think.draw(&mut chance)).collect(), think.told());
        }
        let rate = self.rate.unwrap_or(1.0);
        let mut at = Duration::ZERO;
        let mut next = |_| {
            at += chance.gap(rate);
            at
        };
        ((0..self.voters).map(&mut next).collect(), format!("Poisson, {rate} a second"))
    }
}

/// Plays it.
///
/// # Errors
/// Fails when the set-up fails, or the record cannot be had.
pub async fn play(settings: &Settings) -> Result<Gathered, LoadFailure> {
    if settings.connections == 0 || settings.voters == 0 {
        return Err(LoadFailure::Settings("at least one voter and one connection are needed".to_owned()));
    }
    let rounds = if settings.is_open() { settings.warm_up + 1 } else { settings.warm_up + settings.rounds };
    let questions = vec![QuestionKind::YesNo; rounds];
    let voters = if settings.bare.is_some() { 0 } else { settings.voters };
    let mut hall = match voters {
        0 => set_up(&settings.common, &settings.server, 1, Vec::new(), false).await?,
        _ => set_up(&settings.common, &settings.server, voters, questions, false).await?,
    };
    let mut run = Gathered::begin("ballots", settings.variant(), settings.common.seed);
    run.setting("voters", voters);
    let outcome = match &settings.bare {
        Some(path) => play_bare(settings, path, &hall, &mut run).await,
        None => play_ballots(settings, &mut hall, &mut run).await,
    };
    tidy(&mut hall, &settings.server).await;
    outcome.map(|()| run)
}

async fn play_ballots(settings: &Settings, hall: &mut Hall, run: &mut Gathered) -> Result<(), LoadFailure> {
    hall.let_in(settings.voters, &settings.server.entrance()).await?;
    let mut journal = Vec::new();
    for question in 0..settings.warm_up {
        let (cast, _) = play_closed(settings, hall, question).await?;
        journal.extend(cast.entries);
    }
    let (mut measured, took) = if settings.is_open() {
        play_open(settings, hall, run).await?
    } else {
        run.setting("connections", settings.connections);
        run.setting("rounds", settings.rounds);
        play_rounds(settings, hall).await?
    };
    tell(&measured, took, run);
    journal.append(&mut measured.entries);
    check_journal(hall, &journal, run).await
}

async fn play_rounds(settings: &Settings, hall: &mut Hall) -> Result<(Cast, Duration), LoadFailure> {
    let (mut all, mut took) = (Cast::default(), Duration::ZERO);
    for question in settings.warm_up..settings.warm_up + settings.rounds {
        let (cast, time) = play_closed(settings, hall, question).await?;
        progress(&format!("round {question}: {:.0} ballots/s", cast.acknowledged() as f64 / time.as_secs_f64()));
        all.add(cast);
        took += time;
    }
    Ok((all, took))
}

async fn play_closed(settings: &Settings, hall: &mut Hall, question: usize) -> Result<(Cast, Duration), LoadFailure> {
    hall.keep_in(settings.voters).await?;
    let round = hall.open(question).await?;
    let ballots = Ballots { hall, question, round: &round, seed: settings.common.seed }.of_first(settings.voters);
    let connections = connections(hall, settings.connections).await?;
    let cast = cast_closed(connections, ballots).await;
    hall.clear().await?;
    Ok(cast)
}

async fn play_open(settings: &Settings, hall: &mut Hall, run: &mut Gathered) -> Result<(Cast, Duration), LoadFailure> {
    let (times, told) = settings.times(settings.common.seed);
    run.setting("arrivals", told);
    let question = settings.warm_up;
    hall.keep_in(settings.voters).await?;
    let round = hall.open(question).await?;
    let ballots = Ballots { hall, question, round: &round, seed: settings.common.seed }.of_first(settings.voters);
    let connections = connections(hall, settings.voters).await?;
    progress(&format!("{} voters are connected and begin to vote", settings.voters));
    let cast = cast_open(connections, ballots, times).await;
    hall.clear().await?;
    Ok(cast)
}

async fn connections(hall: &Hall, count: usize) -> Result<Vec<Connection>, LoadFailure> {
    let what = || format!("{count} connections");
    open_connections(hall, count).await.map_err(|source| LoadFailure::NoAnswer { what: what(), source })
}

fn tell(cast: &Cast, took: Duration, run: &mut Gathered) {
    let latencies = Latencies::of(cast.latencies.clone());
    let acknowledged = cast.acknowledged();
    run.figures([
        figure("ballots_per_second", "1/s", acknowledged as f64 / took.as_secs_f64()),
        number("ballots", acknowledged as u64),
        seconds("took", took),
        number("repeats_without_answer", cast.repeats.without_answer),
        number("repeats_as_asked", cast.repeats.as_asked),
    ]);
    run.figures(latencies.figures("latency"));
    run.series(latencies.series("latency"));
}

async fn play_bare(settings: &Settings, path: &str, hall: &Hall, run: &mut Gathered) -> Result<(), LoadFailure> {
    run.setting("connections", settings.connections);
    run.setting("path", path);
    let request = hall.target.request("GET", &format!("/api{path}")).bearer(hall.organizer.token()).bytes();
    let request = Arc::new(request);
    let calls = settings.voters.div_ceil(settings.connections);
    for _ in 0..settings.warm_up {
        call_all(settings, hall, &request, calls).await?;
    }
    let (mut latencies, mut took) = (Vec::new(), Duration::ZERO);
    for _ in 0..settings.rounds {
        let (some, time) = call_all(settings, hall, &request, calls).await?;
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
    hall: &Hall,
    request: &Arc<Vec<u8>>,
    calls: usize,
) -> Result<(Vec<Duration>, Duration), LoadFailure> {
    let connections = connections(hall, settings.connections).await?;
    let begun = Instant::now();
    let tasks = connections.into_iter().map(|mut connection| {
        let request = Arc::clone(request);
        tokio::spawn(async move { call_again_and_again(&mut connection, &request, calls).await })
    });
    let mut latencies = Vec::new();
    for done in join_all(tasks).await {
        latencies.extend(done.expect("a caller does not panic")?);
    }
    Ok((latencies, begun.elapsed()))
}

async fn call_again_and_again(
    connection: &mut Connection,
    request: &[u8],
    calls: usize,
) -> Result<Vec<Duration>, LoadFailure> {
    let what = || "the bare endpoint".to_owned();
    let mut latencies = Vec::with_capacity(calls);
    for _ in 0..calls {
        let begun = Instant::now();
        let answer = connection.call(request).await;
        let answer = answer.map_err(|source| LoadFailure::NoAnswer { what: what(), source })?;
        if !answer.is_success() {
            return Err(LoadFailure::Refused { what: what(), status: answer.status, text: answer.text() });
        }
        latencies.push(begun.elapsed());
    }
    Ok(latencies)
}
