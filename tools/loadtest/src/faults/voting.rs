use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use super::acks::Acks;
use super::user_session::UserSession;
use crate::failure::LoadFailure;
use crate::fixture::{BallotOf, Fixture, OpenRound, PreparedBallot, Voter, sign_in_request};
use crate::http::{Connection, Request, Target};
use crate::journal::{Entry, Retries, Submission};
use crate::rng::Rng;

/// Time limit for submitting the same ballot again.
const TIMEOUT: Duration = Duration::from_secs(120);
/// Time limit of one response.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(20);
/// One in this many voters submits another ballot after the first was accepted. It must be refused.
const SECOND_THOUGHTS_OF: usize = 25;

/// The voters of a round.
#[derive(Debug)]
pub(super) struct RoundVoting {
    voters: JoinSet<Voted>,
    pub(super) acks: Arc<Acks>,
    entries: Vec<Entry>,
    outcome: Outcome,
}

/// Results of a round, in addition to the journal.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) longest_wait: Duration,
    pub(super) retries: Retries,
    pub(super) second_ballots: u64,
    pub(super) problems: Vec<String>,
}

/// The round that is voted on.
#[derive(Clone, Debug)]
pub(super) struct Ballots {
    pub(super) question: usize,
    pub(super) round: OpenRound,
    pub(super) seed: u64,
    /// Whether ballots may arrive too late although they were submitted in time.
    pub(super) may_be_late: bool,
}

struct Voted {
    entry: Entry,
    waited: Duration,
    retries: Retries,
    second: Option<Submission>,
}

/// A voter with a ballot.
struct PendingBallot {
    session: UserSession,
    target: Arc<Target>,
    number: usize,
    voter: Voter,
    ballot: PreparedBallot,
    answers: Vec<String>,
    second: Option<Request>,
    is_late: bool,
    round: String,
    acks: Arc<Acks>,
}

impl RoundVoting {
    pub(super) fn new() -> Self {
        Self { voters: JoinSet::new(), acks: Arc::default(), entries: Vec::new(), outcome: Outcome::default() }
    }

    /// Starts the voters, each at their own time within `within`.
    ///
    /// # Errors
    /// Fails if a ballot cannot be sealed.
    pub(super) fn send(
        &mut self,
        fixture: &Fixture,
        ballots: &Ballots,
        numbers: Range<usize>,
        within: Duration,
    ) -> Result<(), LoadFailure> {
        let begun = Instant::now();
        for number in numbers {
            let mut rng = Rng::of(ballots.seed.wrapping_add(ballots.question as u64), number);
            let at = begun + within.mul_f64(rng.share());
            let pending = self.pending(fixture, ballots, number, &mut rng)?;
            self.voters.spawn(async move {
                sleep_until(at).await;
                pending.vote().await
            });
        }
        Ok(())
    }

    /// Waits until all voters know the result of their ballot.
    pub(super) async fn finish(&mut self) {
        while let Some(voted) = self.voters.join_next().await {
            // A task that panicked has lost its entry, and an incomplete journal proves nothing.
            self.record(voted.expect("a simulated voter does not panic"));
        }
    }

    /// The journal of the round, and the other results.
    pub(super) fn close(self) -> (Vec<Entry>, Outcome) {
        (self.entries, self.outcome)
    }

    /// The ballot of the voter with this number, and perhaps a second one with other answers.
    fn pending(
        &self,
        fixture: &Fixture,
        ballots: &Ballots,
        number: usize,
        rng: &mut Rng,
    ) -> Result<PendingBallot, LoadFailure> {
        let of = BallotOf { question: ballots.question, round: &ballots.round, voter: number };
        let kind = fixture.questions[ballots.question].kind;
        let voter = &fixture.voters[number];
        let answers = kind.answer(rng);
        let changes_mind = rng.below(SECOND_THOUGHTS_OF) == 0;
        let second = changes_mind.then(|| {
            let mut other_answers = kind.answer(rng);
            while other_answers.iter().any(|answer| answers.contains(answer)) {
                other_answers = kind.answer(rng);
            }
            fixture.ballot(of, &other_answers, rng).map(|prepared| prepared.request)
        });
        Ok(PendingBallot {
            session: UserSession {
                tokens: voter.tokens.clone(),
                sign_in: sign_in_request(&fixture.target, &fixture.client_code, voter),
            },
            target: Arc::clone(&fixture.target),
            number,
            voter: voter.clone(),
            ballot: fixture.ballot(of, &answers, rng)?,
            answers,
            second: second.transpose()?,
            is_late: ballots.may_be_late,
            round: ballots.round.id.clone(),
            acks: Arc::clone(&self.acks),
        })
    }

    fn record(&mut self, voted: Voted) {
        let Voted { entry, waited, retries, second } = voted;
        self.outcome.longest_wait = self.outcome.longest_wait.max(waited);
        self.outcome.retries.add(retries);
        match second {
            Some(Submission::Refused { status: 409, .. }) => self.outcome.second_ballots += 1,
            Some(Submission::Acknowledged { .. }) => {
                self.outcome.problems.push(format!("a second ballot of {} was accepted", entry.voter));
            }
            Some(Submission::Refused { status, text }) => {
                self.outcome.problems.push(format!("a second ballot of {} got {status} {text}", entry.voter));
            }
            Some(Submission::Unknown) | None => {}
        }
        self.entries.push(entry);
    }
}

impl PendingBallot {
    async fn vote(self) -> Voted {
        let mut connection = Connection::new(self.target, self.number).with_timeout(RESPONSE_TIMEOUT);
        let PreparedBallot { request, receipt } = self.ballot;
        let begun = Instant::now();
        let (submission, retries) = self.session.vote(&mut connection, &request, TIMEOUT).await;
        let waited = begun.elapsed();
        let is_taken = matches!(submission, Submission::Acknowledged { .. });
        if is_taken {
            self.acks.record(Instant::now());
        }
        let second = match self.second.filter(|_| is_taken) {
            Some(ballot) => Some(self.session.vote(&mut connection, &ballot, TIMEOUT).await.0),
            None => None,
        };
        let (round, voter, answers, is_late) = (self.round, self.voter.username, self.answers, self.is_late);
        Voted { entry: Entry { round, voter, answers, receipt, is_late, submission }, waited, retries, second }
    }
}
