//! The cost of operations with the current database: a vote, an event, a page of either list, a sign-in and a tally.
//!
//! Each run has the same numbers of voters and votes, so that two runs differ only in the other data. SQL fills the
//! database (`tools/loadtest/bench/fill-history.sql`), because ten million votes over HTTP would take too long.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::time::Instant;

use super::voting::{Ballots, CastResult, PendingBallot, cast};
use super::watchers::{Receipts, WatcherGroup};
use crate::failure::LoadFailure;
use crate::fixture::{Fixture, FixtureContent, OpenRound, QuestionKind, run_command, sign_in_request};
use crate::http::Connection;
use crate::latencies::{Latencies, number};
use crate::options::{Common, Server};
use crate::output::progress;
use crate::run::{RunResult, check_journal, clean_up, set_up};

/// The time limit for an event.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The number of fetched pages of each list for each tally.
const PAGES: usize = 10;
/// The rows of a page. An empty database gets as many meetings, so that pages are comparable.
const PAGE_SIZE: usize = 50;

/// The options of the scenario.
#[derive(Clone, Debug, Args)]
pub struct Settings {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    server: Server,
    /// Number of voters who are invited to the meeting and vote in each round. Others of the organization are not
    /// invited.
    #[arg(long, default_value_t = 50)]
    voters: usize,
    /// Number of rounds. Each has an event, a tally, and a vote of each voter.
    #[arg(long, default_value_t = 20)]
    repeats: usize,
    /// Number of sign-ins.
    #[arg(long, default_value_t = 50)]
    sign_ins: usize,
    /// Command for `sh -c` that fills the database before the measurement (`tools/loadtest/bench/fill-history.sql`).
    /// Its environment contains PLENUM_LOAD_CLIENT_ID, the id of the measured organization.
    #[arg(long, value_name = "COMMAND")]
    fill: Option<String>,
    /// Name of the level in the figures: `empty`, `filled`.
    #[arg(long, default_value = "as-is")]
    level: String,
}

impl Settings {
    /// The shared options.
    pub fn common(&self) -> &Common {
        &self.common
    }
}

/// Plays the scenario.
///
/// # Errors
/// Fails when the set-up fails, or a call is refused.
pub async fn play(settings: &Settings) -> Result<RunResult, LoadFailure> {
    if settings.voters == 0 {
        return Err(LoadFailure::Settings("at least one voter is needed".to_owned()));
    }
    let questions = vec![QuestionKind::YesNo; settings.repeats];
    let content = FixtureContent { is_listed: true, ..FixtureContent::unlisted(settings.voters, questions) };
    let mut fixture = set_up(&settings.common, &settings.server, content).await?;
    let mut run = RunResult::begin("growth", settings.level.clone(), settings.common.seed);
    let outcome = play_in(settings, &mut fixture, &mut run).await;
    clean_up(&mut fixture, &settings.server).await;
    outcome.map(|()| run)
}

/// The measurements so far.
#[derive(Default)]
struct Measured {
    events: Vec<Duration>,
    end_users_pages: Vec<Duration>,
    meetings_pages: Vec<Duration>,
    sign_ins: Vec<Duration>,
    tallies: Vec<Duration>,
    votes: CastResult,
}

async fn play_in(settings: &Settings, fixture: &mut Fixture, run: &mut RunResult) -> Result<(), LoadFailure> {
    run.setting("voters", settings.voters);
    run.setting("repeats", settings.repeats);
    run.setting("client_id", fixture.client_id.clone());
    if let Some(command) = &settings.fill {
        let begun = Instant::now();
        run_command(command, &fixture.client_id, "").await?;
        progress(&format!("the database is filled, after {:.0} s", begun.elapsed().as_secs_f64()));
    }
    fixture.plan_meetings(PAGE_SIZE - 1).await?;
    fixture.sign_in_voters(settings.voters, &settings.server.sign_in_method()).await?;
    let request = |_| fixture.stream(fixture.organizer.token());
    let group =
        WatcherGroup { target: &fixture.target, watchers: 1, stalled: 0, steps: settings.repeats, request: &request };
    let (watchers, _) = group.connect().await?;
    let mut connection = Connection::new(Arc::clone(&fixture.target), 0);
    let mut measured = Measured::default();
    let seed = settings.common.seed;
    for question in 0..settings.repeats {
        fixture.renew_tokens(settings.voters).await?;
        let round = measured.opening(fixture, &watchers.receipts, question).await?;
        let ballots = Ballots { fixture, question, round: &round, seed };
        measured.votes(&mut connection, ballots.of_first(settings.voters)?).await;
        measured.tally(fixture, &round.id).await?;
        measured.lists(fixture).await?;
    }
    measured.sign_in(settings, fixture, &mut connection).await?;
    measured.add_to(run);
    check_journal(fixture, &measured.votes.entries, run).await
}

impl Measured {
    /// Opens a question, and measures the time until its event arrives.
    async fn opening(
        &mut self,
        fixture: &mut Fixture,
        receipts: &Receipts,
        question: usize,
    ) -> Result<OpenRound, LoadFailure> {
        let asked = Instant::now();
        let round = fixture.open(question).await?;
        receipts.wait_for(question, TIMEOUT).await;
        // A missing event counts with the time limit.
        self.events.push(receipts.latencies(question, asked).0.pop().unwrap_or(TIMEOUT));
        Ok(round)
    }

    async fn votes(&mut self, connection: &mut Connection, ballots: Vec<PendingBallot>) {
        for pending in ballots {
            self.votes.add(cast(connection, pending, Instant::now()).await);
        }
    }

    /// Ends the round, and measures its count.
    async fn tally(&mut self, fixture: &mut Fixture, round: &str) -> Result<(), LoadFailure> {
        fixture.clear().await?;
        let asked = Instant::now();
        fixture.count(round).await?;
        self.tallies.push(asked.elapsed());
        Ok(())
    }

    async fn lists(&mut self, fixture: &mut Fixture) -> Result<(), LoadFailure> {
        let end_users = format!("/client/end-users?page=1&pageSize={PAGE_SIZE}&sort=name");
        // The latest first, like the organizer's first page.
        let meetings = format!("/client/meetings?page=1&pageSize={PAGE_SIZE}");
        for _ in 0..PAGES {
            self.end_users_pages.push(page(fixture, &end_users).await?);
            self.meetings_pages.push(page(fixture, &meetings).await?);
        }
        Ok(())
    }

    async fn sign_in(
        &mut self,
        settings: &Settings,
        fixture: &Fixture,
        connection: &mut Connection,
    ) -> Result<(), LoadFailure> {
        let what = || "a sign-in".to_owned();
        for number in 0..settings.sign_ins {
            let voter = &fixture.voters[number % fixture.voters.len()];
            let request = sign_in_request(&fixture.target, &fixture.client_code, voter);
            let asked = Instant::now();
            let response = connection.call(&request).await;
            let response = response.map_err(|source| LoadFailure::NoResponse { what: what(), source })?;
            if !response.is_success() {
                return Err(LoadFailure::Refused { what: what(), status: response.status, text: response.text() });
            }
            self.sign_ins.push(asked.elapsed());
        }
        Ok(())
    }

    fn add_to(&self, run: &mut RunResult) {
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

/// Measures a page of a list.
async fn page(fixture: &mut Fixture, path: &str) -> Result<Duration, LoadFailure> {
    let asked = Instant::now();
    fixture.organizer.call("GET", path, None).await?;
    Ok(asked.elapsed())
}
