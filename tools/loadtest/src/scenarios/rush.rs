//! Everybody signs in at once, while others vote and watch.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use futures_util::future::join_all;
use tokio::time::{Instant, sleep};

use super::door::{AtTheDoor, PATIENCE, Person, sign_in};
use super::meanwhile::{Phase, Voting};
use super::voting::open_connections;
use super::watchers::Audience;
use crate::arguments::{Common, Server, read_duration};
use crate::failure::LoadFailure;
use crate::hall::Hall;
use crate::http::Connection;
use crate::latencies::{Latencies, figure, number, seconds};
use crate::run::{Gathered, check_journal, set_up, tidy};
use crate::say::progress;

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

    /// The rush can last a tenth of a second for each who signs in.
    fn voting(&self) -> Voting {
        let lasts = self.before + Duration::from_millis(100) * u32::try_from(self.sign_ins).unwrap_or(u32::MAX);
        Voting { seed: self.common.seed, voters: self.voting_voters, rate: self.voting_rate, lasts }
    }
}

/// Plays it.
///
/// # Errors
/// Fails when the set-up fails, or the record cannot be had.
pub async fn play(settings: &Settings) -> Result<Gathered, LoadFailure> {
    let questions = settings.voting().questions()?;
    let voters = settings.voting_voters + settings.sign_ins;
    let mut hall = set_up(&settings.common, &settings.server, voters, questions, false).await?;
    let mut run = Gathered::begin("rush", settings.sign_ins.to_string(), settings.common.seed);
    let outcome = play_in(settings, &mut hall, &mut run).await;
    tidy(&mut hall, &settings.server).await;
    outcome.map(|()| run)
}

async fn play_in(settings: &Settings, hall: &mut Hall, run: &mut Gathered) -> Result<(), LoadFailure> {
    run.setting("sign_ins", settings.sign_ins);
    settings.voting().tell_settings(run);
    run.setting("streams", settings.streams);
    hall.let_in(settings.voting_voters, &settings.server.entrance()).await?;
    let request = |number: usize| hall.stream(&hall.voters[number % settings.voting_voters].pass.token());
    let audience =
        Audience { target: &hall.target, watchers: settings.streams, stalled: 0, steps: 0, request: &request };
    let (watchers, _) = audience.connect().await?;
    let phase = Arc::new(Phase::default());
    let crowd = Crowd::gather(settings, hall).await?;
    let rushing = tokio::spawn(rush(crowd, settings.before, Arc::clone(&phase)));
    let voting = settings.voting().keep_on(hall, &phase).await;
    let rushed = rushing.await.expect("the rush does not panic");
    let voted = voting?;
    rushed.tell(run);
    voted.tell(run);
    run.figures([
        number("heartbeats", watchers.reception.heartbeats()),
        seconds("heartbeat_longest_gap", watchers.reception.longest_gap(Instant::now())),
        number("streams_ended", watchers.reception.ended()),
    ]);
    check_journal(hall, &voted.into_journal(), run).await
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
        let not_let_in = self.people.len() - latencies.count();
        if not_let_in > 0 {
            run.falls_short(format!("{not_let_in} people were not let in"));
        }
        let longest_told = self.people.iter().filter_map(|person| person.longest_told).max();
        run.figures([
            figure("sign_ins_per_second", "1/s", latencies.count() as f64 / self.took.as_secs_f64()),
            number("sign_ins", latencies.count() as u64),
            seconds("took", self.took),
            number("not_let_in", not_let_in as u64),
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
    phase.enter(Phase::DURING);
    let begun = Instant::now();
    let tasks = crowd.people.into_iter().map(|person| tokio::spawn(sign_in(person, begun)));
    let people: Vec<_> =
        join_all(tasks).await.into_iter().map(|done| done.expect("a simulated voter does not panic")).collect();
    let took = people.iter().filter_map(|person| person.took).max().unwrap_or_default();
    phase.enter(Phase::OVER);
    Rushed { people, took }
}
