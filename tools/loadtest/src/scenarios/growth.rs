//! What operations cost with the database as it is: a vote, an event, a page of either list, a sign-in and a tally.
//!
//! The same numbers of voters and votes are played with whatever else there is, so that two runs differ only in that.
//! The filling itself is SQL (`tools/loadtest/bench/fill-history.sql`), because nobody votes ten million times over HTTP.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::time::Instant;

use super::voting::{Ballots, Cast, cast};
use super::watchers::{Audience, Reception};
use crate::arguments::{Common, Server};
use crate::failure::LoadFailure;
use crate::hall::{Hall, QuestionKind, run_command, sign_in_request};
use crate::http::Connection;
use crate::latencies::{Latencies, number};
use crate::run::{Gathered, check_journal, set_up, tidy};
use crate::say::progress;

/// How long an event is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a page of each list is fetched for each tally.
const PAGES: usize = 10;
/// How many rows a page has. There are as many meetings in an empty database as well, so that pages compare.
const PAGE_SIZE: usize = 50;

/// What is measured.
#[derive(Clone, Debug, Args)]
pub struct Settings {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    server: Server,
    /// How many voters are invited to the meeting and vote in each round. Others of the organization are not.
    #[arg(long, default_value_t = 50)]
    voters: usize,
    /// How many rounds: for each there is an event, a tally, and a vote of each voter.
    #[arg(long, default_value_t = 20)]
    repeats: usize,
    /// How many sign-ins.
    #[arg(long, default_value_t = 50)]
    sign_ins: usize,
    /// A command for `sh -c` that fills the database before the measuring (`tools/loadtest/bench/fill-history.sql`). It finds
    /// PLENUM_LOAD_CLIENT_ID, the organization that is measured, in its environment.
    #[arg(long, value_name = "COMMAND")]
    fill: Option<String>,
    /// What the level is called in the figures: `empty`, `filled`.
    #[arg(long, default_value = "as-is")]
    level: String,
}

impl Settings {
    /// What the command line says.
    pub fn common(&self) -> &Common {
        &self.common
    }
}

/// Plays it.
///
/// # Errors
/// Fails when the set-up fails, or a call is refused.
pub async fn play(settings: &Settings) -> Result<Gathered, LoadFailure> {
    if settings.voters == 0 {
        return Err(LoadFailure::Settings("at least one voter is needed".to_owned()));
    }
    let questions = vec![QuestionKind::YesNo; settings.repeats];
    let mut hall = set_up(&settings.common, &settings.server, settings.voters, questions, true).await?;
    let mut run = Gathered::begin("growth", settings.level.clone(), settings.common.seed);
    let outcome = play_in(settings, &mut hall, &mut run).await;
    tidy(&mut hall, &settings.server).await;
    outcome.map(|()| run)
}

/// What was measured so far.
#[derive(Default)]
struct Measured {
    events: Vec<Duration>,
    end_users_pages: Vec<Duration>,
    meetings_pages: Vec<Duration>,
    sign_ins: Vec<Duration>,
    tallies: Vec<Duration>,
    votes: Cast,
}

async fn play_in(settings: &Settings, hall: &mut Hall, run: &mut Gathered) -> Result<(), LoadFailure> {
    run.setting("voters", settings.voters);
    run.setting("repeats", settings.repeats);
    run.setting("client_id", hall.client_id.clone());
    if let Some(command) = &settings.fill {
        let begun = Instant::now();
        run_command(command, &hall.client_id, "").await?;
        progress(&format!("the database is filled, after {:.0} s", begun.elapsed().as_secs_f64()));
    }
    hall.plan_meetings(PAGE_SIZE - 1).await?;
    hall.let_in(settings.voters, &settings.server.entrance()).await?;
    let request = |_| hall.stream(hall.organizer.token());
    let audience =
        Audience { target: &hall.target, watchers: 1, stalled: 0, steps: settings.repeats, request: &request };
    let (watchers, _) = audience.connect().await?;
    let mut connection = Connection::new(Arc::clone(&hall.target), 0);
    let mut measured = Measured::default();
    for repeat in 0..settings.repeats {
        measured.round(settings, hall, &watchers.reception, &mut connection, repeat).await?;
        measured.lists(hall).await?;
    }
    measured.sign_in(settings, hall, &mut connection).await?;
    measured.tell(run);
    check_journal(hall, &measured.votes.entries, run).await
}

impl Measured {
    async fn round(
        &mut self,
        settings: &Settings,
        hall: &mut Hall,
        reception: &Reception,
        connection: &mut Connection,
        question: usize,
    ) -> Result<(), LoadFailure> {
        hall.keep_in(settings.voters).await?;
        let asked = Instant::now();
        let round = hall.open(question).await?;
        reception.wait_for(question, PATIENCE).await;
        // One that never came has taken as long as it was waited for.
        self.events.push(reception.latencies(question, asked).0.pop().unwrap_or(PATIENCE));
        let seed = settings.common.seed;
        for ready in (Ballots { hall, question, round: &round, seed }).of_first(settings.voters) {
            self.votes.add(cast(connection, ready, Instant::now()).await);
        }
        hall.clear().await?;
        let asked = Instant::now();
        hall.count(&round).await?;
        self.tallies.push(asked.elapsed());
        Ok(())
    }

    async fn lists(&mut self, hall: &mut Hall) -> Result<(), LoadFailure> {
        let end_users = format!("/client/end-users?page=1&pageSize={PAGE_SIZE}&sort=name");
        // The latest first, which is how the desk begins.
        let meetings = format!("/client/meetings?page=1&pageSize={PAGE_SIZE}");
        for _ in 0..PAGES {
            self.end_users_pages.push(page(hall, &end_users).await?);
            self.meetings_pages.push(page(hall, &meetings).await?);
        }
        Ok(())
    }

    async fn sign_in(
        &mut self,
        settings: &Settings,
        hall: &Hall,
        connection: &mut Connection,
    ) -> Result<(), LoadFailure> {
        let what = || "a sign-in".to_owned();
        for number in 0..settings.sign_ins {
            let voter = &hall.voters[number % hall.voters.len()];
            let request = sign_in_request(&hall.target, &hall.client_code, voter);
            let asked = Instant::now();
            let answer = connection.call(&request).await;
            let answer = answer.map_err(|source| LoadFailure::NoAnswer { what: what(), source })?;
            if !answer.is_success() {
                return Err(LoadFailure::Refused { what: what(), status: answer.status, text: answer.text() });
            }
            self.sign_ins.push(asked.elapsed());
        }
        Ok(())
    }

    fn tell(&self, run: &mut Gathered) {
        let all = [
            ("vote", &self.votes.latencies),
            ("event", &self.events),
            ("end_users_page", &self.end_users_pages),
            ("meetings_page", &self.meetings_pages),
            ("sign_in", &self.sign_ins),
            ("tally", &self.tallies),
        ];
        for (name, measured) in all {
            let latencies = Latencies::of(measured.clone());
            run.figures(latencies.figures(name));
            run.series(latencies.series(name));
        }
        run.figures([number("events", self.events.len() as u64)]);
    }
}

/// How long a page of a list takes.
async fn page(hall: &mut Hall, path: &str) -> Result<Duration, LoadFailure> {
    let asked = Instant::now();
    hall.organizer.call("GET", path, None).await?;
    Ok(asked.elapsed())
}
