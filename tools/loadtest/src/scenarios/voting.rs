//! Votes of single voters and of many.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::{Instant, sleep_until};

use crate::failure::LoadFailure;
use crate::fixture::{BallotOf, Fixture, OpenRound, PreparedBallot, Voter};
use crate::http::{Connection, Request};
use crate::journal::{Entry, Retries, Submission, submit};
use crate::output::progress;
use crate::rng::Rng;

/// The time limit for repeats of a ballot.
pub(super) const TIMEOUT: Duration = Duration::from_secs(60);

/// The time before a vote at which voters renew their tokens, so that the renewal is not measured.
const RENEW_BEFORE_VOTE: Duration = Duration::from_secs(30);

/// A prepared ballot.
#[derive(Debug)]
pub(super) struct PendingBallot {
    request: Request,
    round: String,
    voter: Voter,
    answers: Vec<String>,
    receipt: Option<String>,
    is_late: bool,
}

impl PendingBallot {
    /// A ballot of this voter, with its request, which still lacks the token.
    pub(super) fn new(prepared: PreparedBallot, round: &str, voter: &Voter, answers: Vec<String>) -> Self {
        let PreparedBallot { request, receipt } = prepared;
        Self { request, round: round.to_owned(), voter: voter.clone(), answers, receipt, is_late: false }
    }

    /// Marks the ballot as deliberately late.
    pub(super) fn late(self, is_late: bool) -> Self {
        Self { is_late, ..self }
    }
}

/// The outcome of sent ballots.
#[derive(Debug, Default)]
pub(super) struct CastResult {
    pub(super) entries: Vec<Entry>,
    /// The latencies of acknowledged ballots.
    pub(super) latencies: Vec<Duration>,
    pub(super) retries: Retries,
}

impl CastResult {
    /// The latency of a refusal is not a latency of voting.
    fn of(entry: Entry, latency: Duration, retries: Retries) -> Self {
        let is_taken = matches!(entry.submission, Submission::Acknowledged { .. });
        Self { entries: vec![entry], latencies: is_taken.then_some(latency).into_iter().collect(), retries }
    }

    pub(super) fn add(&mut self, others: Self) {
        self.entries.extend(others.entries);
        self.latencies.extend(others.latencies);
        self.retries.add(others.retries);
    }

    pub(super) fn acknowledged(&self) -> usize {
        self.entries.iter().filter(|entry| matches!(entry.submission, Submission::Acknowledged { .. })).count()
    }
}

/// The voters and the question.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ballots<'a> {
    pub(super) fixture: &'a Fixture,
    pub(super) question: usize,
    pub(super) round: &'a OpenRound,
    pub(super) seed: u64,
}

impl Ballots<'_> {
    /// The ballot of the voter with this number. It is sealed if the round is secret.
    fn of(&self, number: usize) -> Result<PendingBallot, LoadFailure> {
        let Self { fixture, question, round, seed } = *self;
        let mut rng = Rng::of(seed.wrapping_add(question as u64), number);
        let answers = fixture.questions[question].kind.answer(&mut rng);
        let prepared = fixture.ballot(BallotOf { question, round, voter: number }, &answers, &mut rng)?;
        Ok(PendingBallot::new(prepared, &round.id, &fixture.voters[number], answers))
    }

    /// The ballots of the first voters. They are sealed before the first is sent, as each device has its own processor.
    ///
    /// # Errors
    /// Fails if a ballot cannot be sealed.
    pub(super) fn of_first(&self, count: usize) -> Result<Vec<PendingBallot>, LoadFailure> {
        (0..count).map(|number| self.of(number)).collect()
    }
}

/// Sends a ballot. Its latency counts from `intended`, so that a wait for another response counts as well.
pub(super) async fn cast(connection: &mut Connection, pending: PendingBallot, intended: Instant) -> CastResult {
    let PendingBallot { request, round, voter, answers, receipt, is_late } = pending;
    let request = request.bearer(&voter.tokens.token()).bytes();
    let (submission, retries) = submit(connection, &request, TIMEOUT).await;
    let latency = intended.elapsed();
    let entry = Entry { round, voter: voter.username, answers, receipt, is_late, submission };
    CastResult::of(entry, latency, retries)
}

/// Renews the tokens of a voter if they expire within minutes.
pub(super) async fn renew_if_due(voter: &Voter, connection: &mut Connection) {
    if let Err(failure) = voter.tokens.renew_if_due(connection).await {
        // A failed renewal leads to a refused ballot, which the journal shows.
        progress(&format!("{}: {failure}", voter.username));
    }
}

/// Open connections.
pub(super) async fn open_connections(fixture: &Fixture, count: usize) -> std::io::Result<Vec<Connection>> {
    let mut connections: Vec<Connection> =
        (0..count).map(|number| Connection::new(Arc::clone(&fixture.target), number)).collect();
    for some in connections.chunks_mut(256) {
        for opened in join_all(some.iter_mut().map(Connection::open)).await {
            opened?;
        }
    }
    Ok(connections)
}

/// A closed loop: each connection sends the next ballot after the response to the previous one. Sends all ballots, and
/// returns the duration.
pub(super) async fn cast_closed(connections: Vec<Connection>, ballots: Vec<PendingBallot>) -> (CastResult, Duration) {
    let mut split_voters: Vec<Vec<PendingBallot>> = connections.iter().map(|_| Vec::new()).collect();
    let count = split_voters.len();
    for (number, pending) in ballots.into_iter().enumerate() {
        split_voters[number % count].push(pending);
    }
    let begun = Instant::now();
    let tasks = connections.into_iter().zip(split_voters).map(|(mut connection, share)| {
        tokio::spawn(async move {
            let mut all = CastResult::default();
            for pending in share {
                all.add(cast(&mut connection, pending, Instant::now()).await);
            }
            all
        })
    });
    let all = gather(tasks.collect()).await;
    (all, begun.elapsed())
}

/// An open loop: each ballot has its own time and its own connection.
pub(super) async fn cast_open(
    connections: Vec<Connection>,
    ballots: Vec<PendingBallot>,
    times: Vec<Duration>,
) -> (CastResult, Duration) {
    let begun = Instant::now();
    let tasks = connections.into_iter().zip(ballots).zip(times).map(|((mut connection, pending), time)| {
        tokio::spawn(async move {
            let intended = begun + time;
            sleep_until(begun + time.saturating_sub(RENEW_BEFORE_VOTE)).await;
            renew_if_due(&pending.voter, &mut connection).await;
            sleep_until(intended).await;
            cast(&mut connection, pending, intended).await
        })
    });
    let all = gather(tasks.collect()).await;
    (all, begun.elapsed())
}

async fn gather(tasks: Vec<tokio::task::JoinHandle<CastResult>>) -> CastResult {
    let mut all = CastResult::default();
    for done in join_all(tasks).await {
        // A panicked task has lost its entries, and an incomplete journal proves nothing.
        all.add(done.expect("a simulated voter does not panic"));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_acknowledged_ballots_have_a_latency() {
        let mut all = CastResult::default();
        let refused = Submission::Refused { status: 429, text: String::new() };
        let acknowledged = Submission::Acknowledged { echo: Vec::new(), receipt: None };
        for submission in [acknowledged, refused, Submission::Unknown] {
            let (round, voter) = ("r1".to_owned(), "anna".to_owned());
            let entry = Entry { round, voter, answers: Vec::new(), receipt: None, is_late: false, submission };
            all.add(CastResult::of(entry, Duration::from_millis(7), Retries::default()));
        }
        assert_eq!((all.entries.len(), all.latencies), (3, vec![Duration::from_millis(7)]));
    }
}
