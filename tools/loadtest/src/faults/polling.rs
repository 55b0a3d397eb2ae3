use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use super::acks::Acks;
use super::guest::Guest;
use crate::chance::Chance;
use crate::hall::{Hall, Voter, sign_in_request};
use crate::http::{Connection, Request, Target};
use crate::journal::{Entry, Handed, Repeats};

/// For how long a voter hands the same ballot in again.
const PATIENCE: Duration = Duration::from_secs(120);
/// For how long a voter waits for one answer.
const ANSWER_PATIENCE: Duration = Duration::from_secs(20);
/// One of so many changes their mind, and hands in another ballot after the first was taken. It must be refused.
const SECOND_THOUGHTS_OF: usize = 25;

/// The voters of a round.
#[derive(Debug)]
pub(super) struct Polling {
    voters: JoinSet<Voted>,
    pub(super) acks: Arc<Acks>,
    entries: Vec<Entry>,
    outcome: Outcome,
}

/// What came of a round, beside the journal.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) longest_wait: Duration,
    pub(super) repeats: Repeats,
    pub(super) second_ballots: u64,
    pub(super) problems: Vec<String>,
}

/// Which round it is.
#[derive(Clone, Debug)]
pub(super) struct Ballots {
    pub(super) question: usize,
    pub(super) round: String,
    pub(super) seed: u64,
    /// Whether somebody may come too late without having meant to.
    pub(super) may_be_late: bool,
}

struct Voted {
    entry: Entry,
    waited: Duration,
    repeats: Repeats,
    second: Option<Handed>,
}

/// A voter with a ballot.
struct Ready {
    guest: Guest,
    target: Arc<Target>,
    number: usize,
    voter: Voter,
    ballot: Request,
    answers: Vec<String>,
    second: Option<Request>,
    is_late: bool,
    round: String,
    acks: Arc<Acks>,
}

impl Polling {
    pub(super) fn new() -> Self {
        Self { voters: JoinSet::new(), acks: Arc::default(), entries: Vec::new(), outcome: Outcome::default() }
    }

    /// Sends voters to vote, each at a time of their own from now on.
    pub(super) fn send(&mut self, hall: &Hall, ballots: &Ballots, numbers: Range<usize>, within: Duration) {
        let begun = Instant::now();
        for number in numbers {
            let mut chance = Chance::of(ballots.seed.wrapping_add(ballots.question as u64), number);
            let at = begun + within.mul_f64(chance.share());
            let ready = ready(hall, ballots, number, &mut chance, &self.acks);
            self.voters.spawn(async move {
                sleep_until(at).await;
                ready.vote().await
            });
        }
    }

    /// Waits until everybody knows what became of their ballot.
    pub(super) async fn finish(&mut self) {
        while let Some(voted) = self.voters.join_next().await {
            // A voter who panicked has lost an entry, and a journal with holes proves nothing.
            self.note(voted.expect("a simulated voter does not panic"));
        }
    }

    /// The journal of the round, and the rest.
    pub(super) fn close(self) -> (Vec<Entry>, Outcome) {
        (self.entries, self.outcome)
    }

    fn note(&mut self, voted: Voted) {
        let Voted { entry, waited, repeats, second } = voted;
        self.outcome.longest_wait = self.outcome.longest_wait.max(waited);
        self.outcome.repeats.add(repeats);
        match second {
            Some(Handed::Refused { status: 409, .. }) => self.outcome.second_ballots += 1,
            Some(Handed::Acknowledged { .. }) => {
                self.outcome.problems.push(format!("a second ballot of {} was taken", entry.voter));
            }
            Some(Handed::Refused { status, text }) => {
                self.outcome.problems.push(format!("a second ballot of {} got {status} {text}", entry.voter));
            }
            Some(Handed::Unknown) | None => {}
        }
        self.entries.push(entry);
    }
}

fn ready(hall: &Hall, ballots: &Ballots, number: usize, chance: &mut Chance, acks: &Arc<Acks>) -> Ready {
    let kind = hall.questions[ballots.question].kind;
    let voter = &hall.voters[number];
    let answers = kind.answer(chance);
    let changes_mind = chance.below(SECOND_THOUGHTS_OF) == 0;
    let others = changes_mind.then(|| {
        let mut others = kind.answer(chance);
        while others.iter().any(|answer| answers.contains(answer)) {
            others = kind.answer(chance);
        }
        hall.ballot(ballots.question, &ballots.round, &others)
    });
    Ready {
        guest: Guest { pass: voter.pass.clone(), sign_in: sign_in_request(&hall.target, &hall.client_code, voter) },
        target: Arc::clone(&hall.target),
        number,
        voter: voter.clone(),
        ballot: hall.ballot(ballots.question, &ballots.round, &answers),
        answers,
        second: others,
        is_late: ballots.may_be_late,
        round: ballots.round.clone(),
        acks: Arc::clone(acks),
    }
}

impl Ready {
    async fn vote(self) -> Voted {
        let mut connection = Connection::new(self.target, self.number).with_patience(ANSWER_PATIENCE);
        let begun = Instant::now();
        let (handed, repeats) = self.guest.vote(&mut connection, &self.ballot, PATIENCE).await;
        let waited = begun.elapsed();
        let is_taken = matches!(handed, Handed::Acknowledged { .. });
        if is_taken {
            self.acks.note(Instant::now());
        }
        let second = match self.second.filter(|_| is_taken) {
            Some(ballot) => Some(self.guest.vote(&mut connection, &ballot, PATIENCE).await.0),
            None => None,
        };
        let (round, voter, answers, is_late) = (self.round, self.voter.username, self.answers, self.is_late);
        Voted { entry: Entry { round, voter, answers, is_late, handed }, waited, repeats, second }
    }
}
