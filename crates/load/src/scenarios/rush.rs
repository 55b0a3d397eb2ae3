//! Everybody signs in at once, while others vote and watch.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use clap::Args;
use futures_util::future::join_all;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

use super::door::{AtTheDoor, PATIENCE, Person, sign_in};
use super::voting::{Ballots, Cast, Ready, cast, open_connections};
use super::watchers::Audience;
use crate::arguments::{Common, Server, read_duration};
use crate::chance::Chance;
use crate::failure::LoadFailure;
use crate::hall::{Hall, QuestionKind};
use crate::http::Connection;
use crate::latencies::{Latencies, figure, number, seconds};
use crate::run::{Gathered, check_journal, set_up, tidy};
use crate::say::progress;

/// As many questions as an agenda can hold.
const MOST_QUESTIONS: usize = 500;

/// Who comes, and what goes on meanwhile.
#[derive(Clone, Debug, Args)]
pub struct Settings {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    server: Server,
    /// How many sign in at once.
    #[arg(long, default_value_t = 1_000)]
    sign_ins: usize,
    /// How many others vote in each second.
    #[arg(long, default_value_t = 50.0)]
    voting_rate: f64,
    /// How many of those there are; when all of them have voted, the next question is opened.
    #[arg(long, default_value_t = 500)]
    voting_voters: usize,
    /// How many streams are watched meanwhile.
    #[arg(long, default_value_t = 200)]
    streams: usize,
    /// How long voting is measured before the rush begins.
    #[arg(long, value_parser = read_duration, default_value = "10s")]
    before: Duration,
}

impl Settings {
    /// What the command line says.
    pub fn common(&self) -> &Common {
        &self.common
    }

    /// Enough for voting as long as the rush can last: a tenth of a second for each who signs in.
    fn questions(&self) -> usize {
        let lasts = self.before.as_secs_f64() + self.sign_ins as f64 / 10.0 + 60.0;
        let rounds = lasts * self.voting_rate / self.voting_voters as f64;
        (rounds.ceil() as usize + 2).min(MOST_QUESTIONS)
    }
}

/// How far the run has come.
#[derive(Debug, Default)]
struct Phase(AtomicU8);

impl Phase {
    const RUSH: u8 = 1;
    const OVER: u8 = 2;

    fn enter(&self, phase: u8) {
        self.0.store(phase, Ordering::Release);
    }

    fn is(&self, phase: u8) -> bool {
        self.0.load(Ordering::Acquire) == phase
    }
}

/// Plays it.
///
/// # Errors
/// Fails when the set-up fails, or the record cannot be had.
pub async fn play(settings: &Settings) -> Result<Gathered, LoadFailure> {
    if settings.voting_voters == 0 || settings.voting_rate <= 0.0 {
        return Err(LoadFailure::Settings("at least one voter must vote beside the rush".to_owned()));
    }
    let questions = vec![QuestionKind::YesNo; settings.questions()];
    let voters = settings.voting_voters + settings.sign_ins;
    let mut hall = set_up(&settings.common, &settings.server, voters, questions, false).await?;
    let mut run = Gathered::begin("rush", settings.sign_ins.to_string(), settings.common.seed);
    let outcome = play_in(settings, &mut hall, &mut run).await;
    tidy(&mut hall, &settings.server).await;
    outcome.map(|()| run)
}

async fn play_in(settings: &Settings, hall: &mut Hall, run: &mut Gathered) -> Result<(), LoadFailure> {
    run.setting("sign_ins", settings.sign_ins);
    run.setting("voting_rate", settings.voting_rate);
    run.setting("voting_arrivals", format!("Poisson, {} a second", settings.voting_rate));
    run.setting("streams", settings.streams);
    hall.let_in(settings.voting_voters, &settings.server.entrance()).await?;
    let request = |number: usize| hall.stream(&hall.voters[number % settings.voting_voters].pass.token());
    let audience =
        Audience { target: &hall.target, watchers: settings.streams, stalled: 0, steps: 0, request: &request };
    let (watchers, _) = audience.connect().await?;
    let phase = Arc::new(Phase::default());
    let crowd = Crowd::gather(settings, hall).await?;
    let rushing = tokio::spawn(rush(crowd, settings.before, Arc::clone(&phase)));
    let voting = keep_voting(settings, hall, &phase).await;
    let rushed = rushing.await.expect("the rush does not panic");
    let (before, during) = voting?;
    rushed.tell(run);
    tell_voting(&before, &during, run);
    run.figures([
        number("heartbeats", watchers.reception.heartbeats()),
        seconds("heartbeat_longest_gap", watchers.reception.longest_gap()),
        number("streams_ended", watchers.reception.ended()),
    ]);
    let journal: Vec<_> = before.entries.into_iter().chain(during.entries).collect();
    check_journal(hall, &journal, run).await
}

fn tell_voting(before: &Cast, during: &Cast, run: &mut Gathered) {
    let latencies = [("voting_before", before), ("voting_during", during)]
        .map(|(name, cast)| (name, Latencies::of(cast.latencies.clone())));
    for (name, latencies) in &latencies {
        run.figures(latencies.figures(name));
        run.series(latencies.series(name));
    }
    let [before, during] = latencies.map(|(_, latencies)| latencies.percentile(99.0).as_secs_f64());
    if before > 0.0 {
        run.figures([figure("voting_p99_ratio", "1", during / before)]);
    }
}

/// Those who stand at the door, connected.
struct Crowd {
    people: Vec<Person>,
}

impl Crowd {
    async fn gather(settings: &Settings, hall: &Hall) -> Result<Self, LoadFailure> {
        let failed = |source| LoadFailure::NoAnswer { what: "connections for the rush".to_owned(), source };
        let connections = open_connections(hall, settings.sign_ins).await.map_err(failed)?;
        let voters = &hall.voters[settings.voting_voters..];
        let person = |(number, (connection, voter)): (usize, (Connection, _))| {
            Person::new(hall, voter, number, connection.with_patience(PATIENCE))
        };
        Ok(Self { people: connections.into_iter().zip(voters).enumerate().map(person).collect() })
    }
}

#[derive(Debug)]
struct Rushed {
    people: Vec<AtTheDoor>,
    took: Duration,
}

impl Rushed {
    fn tell(&self, run: &mut Gathered) {
        let latencies = Latencies::of(self.people.iter().filter_map(|person| person.took).collect());
        let longest_told = self.people.iter().filter_map(|person| person.longest_told).max();
        run.figures([
            figure("sign_ins_per_second", "1/s", latencies.count() as f64 / self.took.as_secs_f64()),
            number("sign_ins", latencies.count() as u64),
            seconds("took", self.took),
            number("errors", self.people.iter().map(|person| person.errors).sum()),
            number("asked_to_come_again", self.people.iter().map(|person| person.asked_again).sum()),
            number(
                "told_their_place",
                self.people.iter().filter(|person| person.longest_told.is_some()).count() as u64,
            ),
            seconds("longest_told_wait", longest_told.unwrap_or_default()),
        ]);
        run.figures(latencies.figures("sign_in"));
        run.series(latencies.series("sign_in"));
    }
}

async fn rush(crowd: Crowd, before: Duration, phase: Arc<Phase>) -> Rushed {
    sleep(before).await;
    progress(&format!("{} sign in at once", crowd.people.len()));
    phase.enter(Phase::RUSH);
    let begun = Instant::now();
    let tasks = crowd.people.into_iter().map(|person| tokio::spawn(sign_in(person, begun)));
    let people: Vec<_> =
        join_all(tasks).await.into_iter().map(|done| done.expect("a simulated voter does not panic")).collect();
    let took = people.iter().filter_map(|person| person.took).max().unwrap_or_default();
    phase.enter(Phase::OVER);
    Rushed { people, took }
}

/// Votes at a steady rate until the rush is over. What was cast before it, and during it.
async fn keep_voting(settings: &Settings, hall: &mut Hall, phase: &Phase) -> Result<(Cast, Cast), LoadFailure> {
    let mut chance = Chance::new(settings.common.seed);
    let (mut before, mut during) = (Cast::default(), Cast::default());
    for question in 0..hall.questions.len() {
        if phase.is(Phase::OVER) {
            break;
        }
        hall.keep_in(settings.voting_voters).await?;
        let round = hall.open(question).await?;
        let seed = settings.common.seed;
        let ballots = Ballots { hall, question, round: &round, seed }.of_first(settings.voting_voters);
        let failed = |source| LoadFailure::NoAnswer { what: "voters' connections".to_owned(), source };
        let connections = open_connections(hall, settings.voting_voters).await.map_err(failed)?;
        let people = connections.into_iter().zip(ballots);
        let some = vote_in_turn(people, settings.voting_rate, &mut chance, phase).await;
        before.add(some.0);
        during.add(some.1);
    }
    hall.clear().await?;
    Ok((before, during))
}

async fn vote_in_turn(
    people: impl Iterator<Item = (Connection, Ready)>,
    rate: f64,
    chance: &mut Chance,
    phase: &Phase,
) -> (Cast, Cast) {
    let mut voting = JoinSet::new();
    let mut intended = Instant::now();
    for (mut connection, ready) in people {
        intended += chance.gap(rate);
        sleep_until(intended).await;
        if phase.is(Phase::OVER) {
            break;
        }
        let is_rush = phase.is(Phase::RUSH);
        voting.spawn(async move { (is_rush, cast(&mut connection, ready, intended).await) });
    }
    let (mut before, mut during) = (Cast::default(), Cast::default());
    while let Some(done) = voting.join_next().await {
        let (is_rush, cast) = done.expect("a simulated voter does not panic");
        if is_rush { during.add(cast) } else { before.add(cast) }
    }
    (before, during)
}
