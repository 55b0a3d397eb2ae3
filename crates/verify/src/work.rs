//! The work of an examination, estimated before it begins. The limits of the product bound each size, and not the products of
//! them: an instant-runoff reads every ballot in each stage for each seat.

use std::collections::HashMap;

use plenum_result_format::{
    BallotAnswer, ElectionRuleFormat, MethodName, NotedSeatAnswerFormat, ResultsFile, RoundFile, SeatAnswerName,
};
use uuid::Uuid;

use crate::elections::names;
use crate::limits::{MAX_SEAT_ANSWERS, exceeded};
use crate::seats::{Refusal, apply};
use crate::tally::election_rule;
use crate::{Exported, Unreadable};

/// An upper bound of the work of [`crate::examine`], in steps. A step is the addition of the votes of one ballot, which takes
/// about a third of a microsecond. Rounds beyond the limits of the product are reported, and take no step.
pub fn work_of(exported: &Exported) -> u64 {
    match exported {
        Exported::Results(results) => work_of_results(results),
        Exported::Archive(archive) => work_of_results(&archive.results),
        Exported::Audit(_) | Exported::Table(_) => 0,
    }
}

/// Refuses a file whose examination can take more steps than this, before it begins.
///
/// # Errors
/// [`Unreadable::TooMuchWork`] if [`work_of`] is more.
pub fn check_work(exported: &Exported, most: u64) -> Result<(), Unreadable> {
    if work_of(exported) > most { Err(Unreadable::TooMuchWork) } else { Ok(()) }
}

fn work_of_results(file: &ResultsFile) -> u64 {
    let mut answers: HashMap<Uuid, Answers> = HashMap::new();
    for answer in file.elections.iter().flat_map(|outcome| &outcome.answers) {
        answers.entry(answer.round_id).or_default().note(answer);
    }
    let rounds = file.rounds.iter().filter(|round| exceeded(round).is_empty()).map(|round| {
        let counts = answers.get(&round.result.round_id).map_or(1, |answers| answers.counts.saturating_add(1));
        entries(round).saturating_add(count(round).saturating_mul(counts))
    });
    // Each closing record seals a beginning of the attendance log, which is hashed.
    let closings = file.closings.iter().flatten().count() as u64;
    let sealed = closings.saturating_mul(file.check_ins.len() as u64).saturating_mul(4);
    rounds.fold(sealed, u64::saturating_add)
}

/// The answers of the elected of a round, and the counts of its ballots that they need.
#[derive(Default)]
struct Answers {
    noted: usize,
    refusals: Vec<Refusal>,
    counts: u64,
}

impl Answers {
    /// A refusal is another count of the same ballots. If one is taken back, each of those that are left is.
    fn note(&mut self, answer: &NotedSeatAnswerFormat) {
        self.noted += 1;
        if self.noted <= MAX_SEAT_ANSWERS && apply(answer, &mut self.refusals) {
            let is_refusal = answer.answer == SeatAnswerName::Declined;
            self.counts += if is_refusal { 1 } else { self.refusals.len().max(1) as u64 };
        }
    }
}

/// The work for each voter and ballot, in each group of the rule.
fn entries(round: &RoundFile) -> u64 {
    let entries = round.register.len() + round.ballots.len();
    entries as u64 * (10 + 4 * round.result.in_each.len() as u64)
}

/// The work of one count of an election.
fn count(round: &RoundFile) -> u64 {
    let Some(rule) = election_rule(&round.result) else { return 0 };
    let (names, ballots) = (names(round, rule) as u64, round.ballots.len() as u64);
    let marks: u64 = round.ballots.iter().map(|ballot| marks(&ballot.answer)).sum();
    // Each mark is read and looked up, and each decision compared with each tie.
    let ties = stages(rule, names).saturating_mul(decisions(round));
    let of_method = match rule.method {
        MethodName::Irv | MethodName::StvScottish => transfers(rule, names, (ballots, marks)),
        MethodName::Schulze => names * marks / 8 + names.pow(3) / 4,
        MethodName::Borda => names * (8 * ballots + marks / 8),
        MethodName::PerCandidate => names * ballots,
        MethodName::Plurality
        | MethodName::Approval
        | MethodName::Cumulative
        | MethodName::Score
        | MethodName::Lists => 0,
    };
    of_method.saturating_add(8 * marks).saturating_add(ties)
}

fn marks(answer: &BallotAnswer) -> u64 {
    match answer {
        BallotAnswer::Text(text) => text.bytes().filter(|byte| *byte == b' ').count() as u64 + 1,
        BallotAnswer::Options(_) | BallotAnswer::Number(_) => 0,
    }
}

/// The most stages of a count: every name is excluded, and every seat has a surplus. An instant-runoff begins again for each
/// seat.
fn stages(rule: &ElectionRuleFormat, names: u64) -> u64 {
    let seats = rule.seats.map_or(names, |seats| names.min(seats.into()));
    match rule.method {
        MethodName::Irv => seats * (names + 1),
        MethodName::StvScottish => names + seats + 1,
        _ => names,
    }
}

/// In each stage the votes of all ballots are added up four times, and each number of the result is compared.
fn transfers(rule: &ElectionRuleFormat, names: u64, (ballots, marks): (u64, u64)) -> u64 {
    let stages = stages(rule, names);
    let looking_back = stages * names * names / 8;
    let moving = (stages / names.max(1) + 1) * marks * names / 16;
    stages * (4 * ballots + 12 * names) + looking_back + moving
}

/// The work of comparing one tie with all decisions.
fn decisions(round: &RoundFile) -> u64 {
    let decisions = round.result.election.iter().flat_map(|election| &election.decisions);
    decisions.map(|decision| 1 + decision.tie.numbers.len() as u64 / 4).sum()
}
