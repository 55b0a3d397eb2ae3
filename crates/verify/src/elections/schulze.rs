//! Schulze's method, by the definition of paths: victories are added from the strongest to the weakest, and the
//! strength of the path between two candidates is that of the victory which first connects them.

use std::collections::{BTreeMap, BTreeSet};

use super::contest::{Amounts, Contest, seat_tie, text, texts};
use super::pairs::Pairs;
use super::papers::{CountMethod, ElectionTie};
use super::read::Says;
use super::recounted::{MethodNumbers, RecountedElection, RecountedStage};
use super::transfers::ranked_support;
use crate::exact::{self, Exact};

/// Counts by Schulze's method.
pub(super) fn count_schulze(contest: &Contest<'_>) -> RecountedElection {
    let by_margin = matches!(contest.papers.method, CountMethod::Schulze { by_margin: true, .. });
    let preferred = Pairs::preferred(contest);
    let paths = preferred.paths(by_margin);
    let support = ranked_support(contest);
    let ahead = Ahead::of(&paths);
    let is_free = |number: &u32| {
        let is_ahead = contest.nobody().is_none_or(|nobody| ahead.is_ahead(*number, nobody));
        is_ahead && contest.is_supported(&support[number])
    };
    let free: BTreeSet<u32> = contest.persons().into_iter().filter(is_free).collect();
    let (elected, tie) = fill(contest, &ahead, &free);
    let pairs = preferred
        .iter()
        .zip(paths.iter())
        .map(|((pair, votes), (_, path))| (pair, [text(votes), text(path)]))
        .collect();
    let stage = RecountedStage {
        votes: texts(&first(contest)),
        non_transferable: "0".to_owned(),
        remainder: "0".to_owned(),
        ..RecountedStage::default()
    };
    RecountedElection {
        stages: vec![stage],
        vacant: if tie.is_some() { 0 } else { contest.vacant(elected.len()) },
        elected: elected.into_iter().map(|number| (number, 1)).collect(),
        tie,
        support: texts(&support),
        order: ahead.groups(),
        numbers: MethodNumbers::Pairs(pairs),
        ..RecountedElection::default()
    }
}

/// The votes of those who rank each candidate first.
fn first(contest: &Contest<'_>) -> Amounts {
    let mut first = contest.zeros();
    for ballot in &contest.read.ballots {
        let Says::Ranks(ranks) = &ballot.says else { continue };
        for number in ranks.first().into_iter().flatten() {
            *first.entry(*number).or_insert_with(exact::zero) += &ballot.votes;
        }
    }
    first
}

/// The candidates that each candidate is ahead of.
struct Ahead(BTreeMap<u32, BTreeSet<u32>>);

impl Ahead {
    fn of(paths: &Pairs) -> Self {
        let strengths: BTreeMap<(u32, u32), &Exact> = paths.iter().collect();
        let mut ahead: BTreeMap<u32, BTreeSet<u32>> =
            paths.numbers().iter().map(|number| (*number, BTreeSet::new())).collect();
        for ((one, other), strength) in paths.iter() {
            if *strength > *strengths[&(other, one)] {
                ahead.entry(one).or_default().insert(other);
            }
        }
        Self(ahead)
    }

    fn is_ahead(&self, one: u32, other: u32) -> bool {
        self.0.get(&one).is_some_and(|behind| behind.contains(&other))
    }

    /// Groups of candidates with equally many others ahead of them.
    fn groups(&self) -> Vec<BTreeSet<u32>> {
        let mut groups: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
        for number in self.0.keys() {
            let ahead = self.0.values().filter(|behind| behind.contains(number)).count();
            groups.entry(ahead).or_default().insert(*number);
        }
        groups.into_values().collect()
    }

    /// The best and the worst place that a candidate can have in a ranking of these.
    fn places(&self, number: u32, among: &BTreeSet<u32>) -> (usize, usize) {
        let ahead = among.iter().filter(|other| self.is_ahead(**other, number)).count();
        let behind = among.iter().filter(|other| self.is_ahead(number, **other)).count();
        (ahead + 1, among.len() - behind)
    }
}

/// Elects those whose worst place is within the seats. Others whose best place is within the seats are tied.
fn fill(contest: &Contest<'_>, ahead: &Ahead, free: &BTreeSet<u32>) -> (Vec<u32>, Option<ElectionTie>) {
    let seats = contest.seats();
    let all_ahead = |number: &u32| ahead.0.values().filter(|behind| behind.contains(number)).count();
    let (mut elected, mut tied) = (Vec::new(), Vec::new());
    for number in free {
        let (best, worst) = ahead.places(*number, free);
        if worst <= seats {
            elected.push(*number);
        } else if best <= seats {
            tied.push(*number);
        }
    }
    elected.sort_by_key(|number| (all_ahead(number), *number));
    if tied.is_empty() {
        return (elected, None);
    }
    let left = seats - elected.len();
    let tie = seat_tie(1, tied, left);
    let Some(mut order) = contest.decided(&tie) else { return (elected, Some(tie)) };
    for _ in 0..left {
        let next = order.iter().copied().find(|one| order.iter().all(|other| !ahead.is_ahead(*other, *one)));
        let Some(next) = next else { break };
        order.retain(|number| *number != next);
        elected.push(next);
    }
    (elected, None)
}
