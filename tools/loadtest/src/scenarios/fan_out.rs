//! Screens that watch a meeting, and the time until a step of its organizer reaches the last of them.

use std::time::Duration;

use clap::{Args, ValueEnum};
use tokio::time::{Instant, sleep};

use super::voting::{Ballots, cast_open, open_connections};
use super::watchers::{Arrivals, WatcherGroup, Watchers};
use crate::failure::LoadFailure;
use crate::fixture::{Fixture, FixtureContent, QuestionKind};
use crate::latencies::{figure, number};
use crate::options::{Common, Server, read_duration};
use crate::output::progress;
use crate::rng::{Rng, ThinkTime};
use crate::run::{RunResult, check_journal, clean_up, set_up};

/// The period of the votes for the counters.
const VOTING: Duration = Duration::from_secs(5);

/// The kind of watchers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum As {
    /// Voters on their phones.
    Voters,
    /// Organizers, all with the same token.
    Organizers,
    /// Presentations, which need no token.
    Screens,
}

/// The organizer's step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Step {
    /// Opens the next question. The server writes the register before it sends the event.
    Open,
    /// Shows the next question without opening it. Voters get no event.
    Show,
}

/// The options of the scenario.
#[derive(Clone, Debug, Args)]
pub struct Settings {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    server: Server,
    /// Number of streams.
    #[arg(long, default_value_t = 1_000)]
    watchers: usize,
    /// Kind of watchers.
    #[arg(long = "as", value_enum, default_value = "voters")]
    as_whom: As,
    /// Number of voters. Default: one for each watcher. Further streams are second screens.
    #[arg(long)]
    voters: Option<usize>,
    /// The organizer's step.
    #[arg(long, value_enum, default_value = "open")]
    step: Step,
    /// Number of steps.
    #[arg(long, default_value_t = 20)]
    steps: usize,
    /// Pause before each step.
    #[arg(long, value_parser = read_duration, default_value = "500ms")]
    pause: Duration,
    /// Time limit for the arrival of a step.
    #[arg(long, value_parser = read_duration, default_value = "10s")]
    timeout: Duration,
    /// Number of further streams that are never read.
    #[arg(long, default_value_t = 0)]
    stalled: usize,
    /// Number of voters who vote within 5 s at the end, to count the resulting counters.
    #[arg(long, default_value_t = 0)]
    votes: usize,
}

impl Settings {
    /// The shared options.
    pub fn common(&self) -> &Common {
        &self.common
    }

    fn voters(&self) -> usize {
        self.voters.unwrap_or(self.watchers).max(1)
    }

    fn variant(&self) -> String {
        let watchers = self.watchers;
        if self.stalled > 0 { format!("{watchers}-and-{}-stalled", self.stalled) } else { watchers.to_string() }
    }

    /// The number of voters that need a token.
    fn sign_in_voters(&self) -> usize {
        let watching = if self.as_whom == As::Voters { self.watchers + self.stalled } else { 0 };
        watching.max(self.votes).min(self.voters())
    }
}

/// Plays the scenario.
///
/// # Errors
/// Fails when the set-up fails, or the record cannot be fetched.
pub async fn play(settings: &Settings) -> Result<RunResult, LoadFailure> {
    if settings.step == Step::Show && settings.as_whom == As::Voters {
        return Err(LoadFailure::Settings(
            "voters get no event for a question that is only shown; use --step open or another role".to_owned(),
        ));
    }
    if settings.votes > settings.voters() {
        return Err(LoadFailure::Settings("--votes must not exceed the number of voters".to_owned()));
    }
    // One question more than steps, for the votes.
    let questions = vec![QuestionKind::YesNo; settings.steps + 1];
    let content = FixtureContent::unlisted(settings.voters(), questions);
    let mut fixture = set_up(&settings.common, &settings.server, content).await?;
    let mut run = RunResult::begin("fan-out", settings.variant(), settings.common.seed);
    let outcome = play_in(settings, &mut fixture, &mut run).await;
    clean_up(&mut fixture, &settings.server).await;
    outcome.map(|()| run)
}

async fn play_in(settings: &Settings, fixture: &mut Fixture, run: &mut RunResult) -> Result<(), LoadFailure> {
    run.setting("watchers", settings.watchers);
    run.setting("stalled", settings.stalled);
    run.setting("voters", settings.voters());
    run.setting("steps", settings.steps);
    fixture.sign_in_voters(settings.sign_in_voters(), &settings.server.sign_in_method()).await?;
    let watchers = connect(settings, fixture, run).await?;
    let receipts = &watchers.receipts;
    let (bytes, frames) = (receipts.bytes(), receipts.frames());
    let mut arrivals = Arrivals::default();
    for step in 0..settings.steps {
        sleep(settings.pause).await;
        let asked = Instant::now();
        match settings.step {
            Step::Open => fixture.open(step).await.map(drop)?,
            Step::Show => fixture.show(step).await?,
        }
        let answered = asked.elapsed();
        receipts.wait_for(step, settings.timeout).await;
        arrivals.record(receipts.latencies(step, asked), answered, settings.timeout);
        if (step + 1) % 10 == 0 {
            progress(&format!("{} of {} steps", step + 1, settings.steps));
        }
    }
    fixture.clear().await?;
    let steps = settings.steps.max(1) as f64;
    let of_each = |count: u64| count as f64 / settings.watchers.max(1) as f64 / steps;
    run.figures([
        number("missed", arrivals.missed),
        number("ended", receipts.ended()),
        number("stalled", watchers.stalled() as u64),
        figure("bytes_per_step", "B", of_each(receipts.bytes() - bytes)),
        figure("frames_per_step", "1", of_each(receipts.frames() - frames)),
    ]);
    for (name, latencies) in arrivals.latencies() {
        run.figures(latencies.figures(name));
        run.series(latencies.series(name));
    }
    if settings.votes > 0 { watch_votes(settings, fixture, &watchers, run).await } else { Ok(()) }
}

async fn connect(settings: &Settings, fixture: &Fixture, run: &mut RunResult) -> Result<Watchers, LoadFailure> {
    let voters = settings.sign_in_voters().max(1);
    let request = |number: usize| match settings.as_whom {
        As::Voters => fixture.stream(&fixture.voters[number % voters].tokens.token()),
        As::Organizers => fixture.stream(fixture.organizer.token()),
        As::Screens => fixture.presentation_stream(),
    };
    let group = WatcherGroup {
        target: &fixture.target,
        watchers: settings.watchers,
        stalled: settings.stalled,
        steps: settings.steps + 1,
        request: &request,
    };
    let rest = Duration::from_secs(2).min(settings.pause * 4);
    group.connect_measured(settings.server.server_pid, rest, run).await
}

/// Votes lead to counters, at most so often.
async fn watch_votes(
    settings: &Settings,
    fixture: &mut Fixture,
    watchers: &Watchers,
    run: &mut RunResult,
) -> Result<(), LoadFailure> {
    let question = settings.steps;
    fixture.renew_tokens(settings.votes).await?;
    let round = fixture.open(question).await?;
    let seed = settings.common.seed;
    let ballots = Ballots { fixture, question, round: &round, seed }.of_first(settings.votes)?;
    let failed = |source| LoadFailure::NoResponse { what: "voters' connections".to_owned(), source };
    let connections = open_connections(fixture, settings.votes).await.map_err(failed)?;
    let (think, mut rng) = (ThinkTime::within(VOTING), Rng::new(seed));
    let times = (0..settings.votes).map(|_| think.draw(&mut rng)).collect();
    run.setting("think_time", think.description());
    let before = watchers.receipts.counters();
    let (cast, took) = cast_open(connections, ballots, times).await;
    // The last counter follows the last vote by a moment, or later with many watchers.
    sleep(Duration::from_secs(3)).await;
    let counters = (watchers.receipts.counters() - before) as f64 / settings.watchers.max(1) as f64;
    fixture.clear().await?;
    run.figures([
        number("votes", cast.acknowledged() as u64),
        figure("counters_per_stream", "1", counters),
        figure("counters_per_stream_and_second", "1/s", counters / took.as_secs_f64()),
        figure("votes_per_counter", "1", cast.acknowledged() as f64 / counters.max(1.0)),
    ]);
    check_journal(fixture, &cast.entries, run).await
}
