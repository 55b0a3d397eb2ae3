//! Schulze's method, by the definition of paths: victories are added from the strongest to the weakest, and the
//! strength of the path between two candidates is that of the victory which first connects them.

use std::collections::{BTreeMap, BTreeSet};

use super::contest::{Amounts, Contest, seat_tie, text, texts};
use super::papers::{CountMethod, ElectionTie};
use super::read::Says;
use super::recounted::{MethodNumbers, RecountedElection, RecountedStage};
use super::transfers::ranked_support;
use crate::exact::{self, Exact};

/// Amounts of ordered pairs.
type Pairs = BTreeMap<(u32, u32), Exact>;

/// Counts by Schulze's method.
pub(super) fn count_schulze(contest: &Contest<'_>) -> RecountedElection {
    let by_margin = matches!(contest.papers.method, CountMethod::Schulze { by_margin: true, .. });
    let preferred = preferences(contest);
    let paths = paths(&contest.standing(), &preferred, by_margin);
    let support = ranked_support(contest);
    let ahead = Ahead::of(&contest.standing(), &paths);
    let is_free = |number: &u32| {
        let is_ahead = contest.nobody().is_none_or(|nobody| ahead.is_ahead(*number, nobody));
        is_ahead && contest.is_supported(&support[number])
    };
    let free: BTreeSet<u32> = contest.persons().into_iter().filter(is_free).collect();
    let (elected, tie) = fill(contest, &ahead, &free);
    let pairs = preferred.iter().map(|(pair, votes)| (*pair, [text(votes), text(&paths[pair])])).collect();
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

/// The votes of those who prefer the first of a pair: it has a rank, and the second has a later one or none.
fn preferences(contest: &Contest<'_>) -> Pairs {
    let standing = contest.standing();
    let mut pairs: Pairs = BTreeMap::new();
    for one in &standing {
        for other in standing.iter().filter(|other| *other != one) {
            pairs.insert((*one, *other), exact::zero());
        }
    }
    for ballot in &contest.read.ballots {
        let Says::Ranks(ranks) = &ballot.says else { continue };
        let mut worse = standing.clone();
        for rank in ranks {
            worse.retain(|number| !rank.contains(number));
            for one in rank {
                for other in &worse {
                    *pairs.entry((*one, *other)).or_insert_with(exact::zero) += &ballot.votes;
                }
            }
        }
    }
    pairs
}

fn paths(standing: &BTreeSet<u32>, preferred: &Pairs, by_margin: bool) -> Pairs {
    let mut victories: Vec<(Exact, (u32, u32))> = Vec::new();
    for ((one, other), votes) in preferred {
        let against = &preferred[&(*other, *one)];
        if votes > against {
            victories.push((if by_margin { votes - against } else { votes.clone() }, (*one, *other)));
        }
    }
    victories.sort_by(|one, other| other.0.cmp(&one.0));
    let mut paths: Pairs = preferred.keys().map(|pair| (*pair, exact::zero())).collect();
    let mut reach: BTreeMap<u32, BTreeSet<u32>> =
        standing.iter().map(|number| (*number, BTreeSet::from([*number]))).collect();
    for (strength, (one, other)) in victories {
        let beyond = reach[&other].clone();
        for (from, reached) in reach.iter_mut().filter(|(_, reached)| reached.contains(&one)) {
            for to in beyond.difference(&reached.clone()) {
                reached.insert(*to);
                paths.insert((*from, *to), strength.clone());
            }
        }
    }
    paths
}

/// The candidates that each candidate is ahead of.
struct Ahead(BTreeMap<u32, BTreeSet<u32>>);

impl Ahead {
    fn of(standing: &BTreeSet<u32>, paths: &Pairs) -> Self {
        let behind = |one: u32| {
            let is_behind = |other: &u32| *other != one && paths[&(one, *other)] > paths[&(*other, one)];
            standing.iter().copied().filter(is_behind).collect()
        };
        Self(standing.iter().map(|one| (*one, behind(*one))).collect())
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
