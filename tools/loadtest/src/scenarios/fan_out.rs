//! Screens that watch a meeting, and how long a step of its organizer takes to reach the last of them.

use std::time::Duration;

use clap::{Args, ValueEnum};
use tokio::time::{Instant, sleep};

use super::voting::{Ballots, cast_open, open_connections};
use super::watchers::{Arrivals, Audience, Watchers};
use crate::arguments::{Common, Server, read_duration};
use crate::chance::{Chance, ThinkTime};
use crate::failure::LoadFailure;
use crate::hall::{Hall, QuestionKind};
use crate::latencies::{figure, number};
use crate::run::{Gathered, check_journal, set_up, tidy};
use crate::say::progress;

/// Within so much time votes are cast while the counters are watched.
const VOTING: Duration = Duration::from_secs(5);

/// Who watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum As {
    /// Voters on their phones.
    Voters,
    /// Organizers at their desks: all with the token of one.
    Organizers,
    /// Big screens, which need no token.
    Screens,
}

/// What the organizer does in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Step {
    /// Opens the next question. The register of everybody who may vote is written before the event goes out.
    Open,
    /// Shows the next question without opening it. Voters are told nothing of it.
    Show,
}

/// How it is watched.
#[derive(Clone, Debug, Args)]
pub struct Settings {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    server: Server,
    /// How many streams.
    #[arg(long, default_value_t = 1_000)]
    watchers: usize,
    /// Who they belong to.
    #[arg(long = "as", value_enum, default_value = "voters")]
    as_whom: As,
    /// How many voters there are; as many as watchers when missing. Streams beyond them are second screens of theirs.
    #[arg(long)]
    voters: Option<usize>,
    /// What the organizer does.
    #[arg(long, value_enum, default_value = "open")]
    step: Step,
    /// How often.
    #[arg(long, default_value_t = 20)]
    steps: usize,
    /// How long the hall is quiet before each step.
    #[arg(long, value_parser = read_duration, default_value = "500ms")]
    pause: Duration,
    /// How long a step is waited for.
    #[arg(long, value_parser = read_duration, default_value = "10s")]
    patience: Duration,
    /// These many more ask for the stream as well, and never read it.
    #[arg(long, default_value_t = 0)]
    stalled: usize,
    /// At the end so many of the voters vote within 5 s, and the counters that this makes are counted.
    #[arg(long, default_value_t = 0)]
    votes: usize,
}

impl Settings {
    /// What the command line says.
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

    /// How many voters need a token.
    fn let_in(&self) -> usize {
        let watching = if self.as_whom == As::Voters { self.watchers + self.stalled } else { 0 };
        watching.max(self.votes).min(self.voters())
    }
}

/// Plays it.
///
/// # Errors
/// Fails when the set-up fails, or the record cannot be had.
pub async fn play(settings: &Settings) -> Result<Gathered, LoadFailure> {
    if settings.step == Step::Show && settings.as_whom == As::Voters {
        return Err(LoadFailure::Settings("voters are not told of a question that is only shown".to_owned()));
    }
    if settings.votes > settings.voters() {
        return Err(LoadFailure::Settings("there are fewer voters than votes".to_owned()));
    }
    // One more than there are steps, for the votes.
    let questions = vec![QuestionKind::YesNo; settings.steps + 1];
    let mut hall = set_up(&settings.common, &settings.server, settings.voters(), questions, false).await?;
    let mut run = Gathered::begin("fan-out", settings.variant(), settings.common.seed);
    let outcome = play_in(settings, &mut hall, &mut run).await;
    tidy(&mut hall, &settings.server).await;
    outcome.map(|()| run)
}

async fn play_in(settings: &Settings, hall: &mut Hall, run: &mut Gathered) -> Result<(), LoadFailure> {
    run.setting("watchers", settings.watchers);
    run.setting("stalled", settings.stalled);
    run.setting("voters", settings.voters());
    run.setting("steps", settings.steps);
    hall.let_in(settings.let_in(), &settings.server.entrance()).await?;
    let watchers = connect(settings, hall, run).await?;
    let reception = &watchers.reception;
    let (bytes, frames) = (reception.bytes(), reception.frames());
    let mut arrivals = Arrivals::default();
    for step in 0..settings.steps {
        sleep(settings.pause).await;
        let asked = Instant::now();
        match settings.step {
            Step::Open => hall.open(step).await.map(drop)?,
            Step::Show => hall.show(step).await?,
        }
        let answered = asked.elapsed();
        reception.wait_for(step, settings.patience).await;
        arrivals.note(reception.latencies(step, asked), answered, settings.patience);
        if (step + 1) % 10 == 0 {
            progress(&format!("{} of {} steps", step + 1, settings.steps));
        }
    }
    hall.clear().await?;
    let steps = settings.steps.max(1) as f64;
    let of_each = |count: u64| count as f64 / settings.watchers.max(1) as f64 / steps;
    run.figures([
        number("missed", arrivals.missed),
        number("ended", reception.ended()),
        number("stalled", watchers.stalled() as u64),
        figure("bytes_per_step", "B", of_each(reception.bytes() - bytes)),
        figure("frames_per_step", "1", of_each(reception.frames() - frames)),
    ]);
    for (name, latencies) in arrivals.latencies() {
        run.figures(latencies.figures(name));
        run.series(latencies.series(name));
    }
    if settings.votes > 0 { watch_votes(settings, hall, &watchers, run).await } else { Ok(()) }
}

async fn connect(settings: &Settings, hall: &Hall, run: &mut Gathered) -> Result<Watchers, LoadFailure> {
    let voters = settings.let_in().max(1);
    let request = |number: usize| match settings.as_whom {
        As::Voters => hall.stream(&hall.voters[number % voters].pass.token()),
        As::Organizers => hall.stream(hall.organizer.token()),
        As::Screens => hall.big_screen(),
    };
    let audience = Audience {
        target: &hall.target,
        watchers: settings.watchers,
        stalled: settings.stalled,
        steps: settings.steps + 1,
        request: &request,
    };
    let rest = Duration::from_secs(2).min(settings.pause * 4);
    audience.connect_measured(settings.server.server_pid, rest, run).await
}

/// Votes come in, and are told as counters, at most so often.
async fn watch_votes(
    settings: &Settings,
    hall: &mut Hall,
    watchers: &Watchers,
    run: &mut Gathered,
) -> Result<(), LoadFailure> {
    let question = settings.steps;
    hall.keep_in(settings.votes).await?;
    let round = hall.open(question).await?;
    let seed = settings.common.seed;
    let ballots = Ballots { hall, question, round: &round, seed }.of_first(settings.votes);
    let failed = |source| LoadFailure::NoAnswer { what: "voters' connections".to_owned(), source };
    let connections = open_connections(hall, settings.votes).await.map_err(failed)?;
    let (think, mut chance) = (ThinkTime::within(VOTING), Chance::new(seed));
    let times = (0..settings.votes).map(|_| think.draw(&mut chance)).collect();
    run.setting("think_time", think.told());
    let before = watchers.reception.counters();
    let (cast, took) = cast_open(connections, ballots, times).await;
    // The last counter is told a moment after the last vote, and later where many watch.
    sleep(Duration::from_secs(3)).await;
    let counters = (watchers.reception.counters() - before) as f64 / settings.watchers.max(1) as f64;
    hall.clear().await?;
    run.figures([
        number("votes", cast.acknowledged() as u64),
        figure("counters_per_stream", "1", counters),
        figure("counters_per_stream_and_second", "1/s", counters / took.as_secs_f64()),
        figure("votes_per_counter", "1", cast.acknowledged() as f64 / counters.max(1.0)),
    ]);
    check_journal(hall, &cast.entries, run).await
}
