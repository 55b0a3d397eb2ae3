//! Voting at a steady rate, before and during another load.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use super::voting::{Ballots, CastResult, PendingBallot, cast, open_connections};
use crate::failure::LoadFailure;
use crate::fixture::{Fixture, QuestionKind};
use crate::http::Connection;
use crate::journal::Entry;
use crate::latencies::{Latencies, figure};
use crate::rng::Rng;
use crate::run::RunResult;

/// The most questions of an agenda.
const MOST_QUESTIONS: usize = 500;

/// The phase of a run.
#[derive(Debug, Default)]
pub(super) struct Phase(AtomicU8);

impl Phase {
    /// The other load runs.
    pub(super) const DURING: u8 = 1;
    /// The load and the voting have ended.
    pub(super) const OVER: u8 = 2;

    /// Enters a phase.
    pub(super) fn enter(&self, phase: u8) {
        self.0.store(phase, Ordering::Release);
    }

    /// Whether this is the current phase.
    pub(super) fn is(&self, phase: u8) -> bool {
        self.0.load(Ordering::Acquire) == phase
    }
}

/// The voters and their rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct BackgroundVoting {
    pub(super) seed: u64,
    /// The number of voters: the first of the organization.
    pub(super) voters: usize,
    /// Votes a second.
    pub(super) rate: f64,
    /// The approximate duration.
    pub(super) duration: Duration,
}

/// The ballots before and during the other load.
#[derive(Debug, Default)]
pub(super) struct Voted {
    before: CastResult,
    during: CastResult,
}

impl BackgroundVoting {
    /// Enough questions for the duration and another minute.
    ///
    /// # Errors
    /// Fails without voters.
    pub(super) fn questions(&self) -> Result<Vec<QuestionKind>, LoadFailure> {
        if self.voters == 0 || self.rate <= 0.0 {
            return Err(LoadFailure::Settings("--voting-voters and --voting-rate must be larger than zero".to_owned()));
        }
        let rounds = (self.duration.as_secs_f64() + 60.0) * self.rate / self.voters as f64;
        Ok(vec![QuestionKind::YesNo; (rounds.ceil() as usize + 2).min(MOST_QUESTIONS)])
    }

    /// Records a setting.
    pub(super) fn add_settings(&self, run: &mut RunResult) {
        run.setting("voting_rate", self.rate);
        run.setting("voting_arrivals", format!("Poisson, {} a second", self.rate));
    }

    /// Votes until the last phase.
    ///
    /// # Errors
    /// Fails when a question cannot be opened, or a voter cannot connect.
    pub(super) async fn vote_until_over(&self, fixture: &mut Fixture, phase: &Phase) -> Result<Voted, LoadFailure> {
        let mut rng = Rng::new(self.seed);
        let mut voted = Voted::default();
        for question in 0..fixture.questions.len() {
            if phase.is(Phase::OVER) {
                break;
            }
            fixture.renew_tokens(self.voters).await?;
            let round = fixture.open(question).await?;
            let ballots = Ballots { fixture, question, round: &round, seed: self.seed }.of_first(self.voters)?;
            let failed = |source| LoadFailure::NoResponse { what: "voters' connections".to_owned(), source };
            let connections = open_connections(fixture, self.voters).await.map_err(failed)?;
            let people = connections.into_iter().zip(ballots);
            voted.add(vote_in_turn(people, self.rate, &mut rng, phase).await);
        }
        fixture.clear().await?;
        Ok(voted)
    }
}

impl Voted {
    fn add(&mut self, others: Self) {
        self.before.add(others.before);
        self.during.add(others.during);
    }

    /// Records the latencies of votes.
    pub(super) fn add_to(&self, run: &mut RunResult) {
        let latencies = [("voting_before", &self.before), ("voting_during", &self.during)]
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

    /// The journal of the ballots.
    pub(super) fn into_journal(self) -> Vec<Entry> {
        self.before.entries.into_iter().chain(self.during.entries).collect()
    }
}

async fn vote_in_turn(
    people: impl Iterator<Item = (Connection, PendingBallot)>,
    rate: f64,
    rng: &mut Rng,
    phase: &Phase,
) -> Voted {
    let mut voting = JoinSet::new();
    let mut intended = Instant::now();
    for (mut connection, pending) in people {
        intended += rng.gap(rate);
        sleep_until(intended).await;
        if phase.is(Phase::OVER) {
            break;
        }
        let is_during = phase.is(Phase::DURING);
        voting.spawn(async move { (is_during, cast(&mut connection, pending, intended).await) });
    }
    let mut voted = Voted::default();
    while let Some(done) = voting.join_next().await {
        let (is_during, cast) = done.expect("a simulated voter does not panic");
        if is_during { voted.during.add(cast) } else { voted.before.add(cast) }
    }
    voted
}
