//! Schulze's method (M. Schulze, "A new monotonic, clone-independent, reversal symmetric, and Condorcet-consistent
//! single-winner election method", Social Choice and Welfare 36, 2011).

use super::fill_seats::{Filled, STAGE, complete, elected_at};
use crate::elections::counting::{Counted, Counting};
use crate::elections::{
    Action, Details, Elected, ElectedBy, Marks, Outcome, Pairwise, Stage, Tie, TieMatter, VacancyReason, Votes,
};
use plenum_kernel::election::{Candidate, Schulze, Strength};

/// Compares all candidates by their strongest paths.
pub(in crate::elections) fn count_schulze(counting: &mut Counting<'_>, settings: Schulze) -> Counted {
    let candidates: Vec<usize> = counting.election.standing().collect();
    let rankings = Rankings::of(counting, &candidates);
    let preferred = rankings.preferred();
    let paths = strongest_paths(&preferred, settings.strength);
    let bars = bars(counting, &candidates, (&rankings.support, &paths));
    let order = Order { candidates: &candidates, paths: &paths };
    let filled = fill(counting, &order, &bars);
    let names: Vec<Candidate> = candidates.iter().copied().map(Candidate::at).collect();
    let stage = Stage {
        number: STAGE,
        action: Action::Count,
        quota: None,
        votes: names.iter().copied().zip(rankings.first).collect(),
        parcels: Vec::new(),
        non_transferable: Votes::ZERO,
        remainder: Votes::ZERO,
    };
    let Filled { elected, outcome, seat_ties } = filled;
    let groups = order.groups();
    let details = Details::Pairwise(Pairwise { candidates: names, preferred, paths });
    Counted { stages: vec![stage], elected, outcome, seat_ties, order: groups, support: rankings.support, details }
}

/// The ballots as ranks of all candidates that stand. Positions in these lists are those among them.
struct Rankings {
    /// The rank of each candidate on a ballot, 0 for the best. Candidates who are not ranked share a last rank.
    ballots: Vec<(Vec<usize>, Votes)>,
    /// The votes of the ballots that rank each candidate.
    support: Vec<Votes>,
    /// The votes of the ballots that rank each candidate first, alone or with others.
    first: Vec<Votes>,
}

impl Rankings {
    fn of(counting: &Counting<'_>, candidates: &[usize]) -> Self {
        let none = vec![Votes::ZERO; candidates.len()];
        let mut rankings = Self { ballots: Vec::new(), support: none.clone(), first: none };
        let mut positions = vec![usize::MAX; counting.election.size()];
        for (position, place) in candidates.iter().enumerate() {
            positions[*place] = position;
        }
        for paper in counting.papers {
            let Marks::Ranking(ranks) = &paper.marks else { continue };
            let mut ballot = vec![ranks.len(); candidates.len()];
            for (rank, tied) in ranks.iter().enumerate() {
                for position in tied.iter().filter_map(|candidate| candidate.place()).map(|place| positions[place]) {
                    ballot[position] = rank;
                    rankings.support[position] += paper.votes;
                    if rank == 0 {
                        rankings.first[position] += paper.votes;
                    }
                }
            }
            rankings.ballots.push((ballot, paper.votes));
        }
        rankings
    }

    /// The votes of those who prefer one candidate to another.
    fn preferred(&self) -> Vec<Vec<Votes>> {
        let size = self.support.len();
        let mut preferred = vec![vec![Votes::ZERO; size]; size];
        for (ballot, votes) in &self.ballots {
            for (row, rank) in preferred.iter_mut().zip(ballot) {
                for (cell, other) in row.iter_mut().zip(ballot) {
                    if rank < other {
                        *cell += *votes;
                    }
                }
            }
        }
        preferred
    }
}

/// The strengths of the strongest paths, by the algorithm of Floyd and Warshall. Only
/// victories are part of a path.
fn strongest_paths(preferred: &[Vec<Votes>], strength: Strength) -> Vec<Vec<Votes>> {
    let size = preferred.len();
    let victory = |one: usize, other: usize| {
        let (votes, against) = (preferred[one][other], preferred[other][one]);
        match strength {
            _ if votes <= against => Votes::ZERO,
            Strength::WinningVotes => votes,
            Strength::Margins => votes - against,
        }
    };
    let row = |one: usize| (0..size).map(|other| victory(one, other)).collect();
    let mut paths: Vec<Vec<Votes>> = (0..size).map(row).collect();
    for through in 0..size {
        let from_there = paths[through].clone();
        for (from, row) in paths.iter_mut().enumerate().filter(|(from, _)| *from != through) {
            let to_there = row[through];
            for (to, cell) in row.iter_mut().enumerate().filter(|(to, _)| *to != from) {
                *cell = (*cell).max(to_there.min(from_there[to]));
            }
        }
    }
    paths
}

/// The reason why each candidate cannot be elected.
fn bars(
    counting: &Counting<'_>,
    candidates: &[usize],
    (support, paths): (&[Votes], &[Vec<Votes>]),
) -> Vec<Option<VacancyReason>> {
    let none = counting.election.none_of_the_above();
    let none = candidates.iter().position(|place| Some(*place) == none);
    let bar = |(position, support): (usize, &Votes)| {
        let is_ahead = none.is_none_or(|none| paths[position][none] > paths[none][position]);
        counting.lacks_support(*support).or((!is_ahead).then_some(VacancyReason::NoneOfTheAbove))
    };
    support.iter().enumerate().map(bar).collect()
}

/// The order of the candidates: one is ahead of another if its strongest path to the other is stronger than the way
/// back. That is transitive, but some candidates may be ahead of neither.
struct Order<'a> {
    candidates: &'a [usize],
    paths: &'a [Vec<Votes>],
}

impl Order<'_> {
    fn is_ahead(&self, one: usize, other: usize) -> bool {
        self.paths[one][other] > self.paths[other][one]
    }

    /// The number of candidates ahead of this one.
    fn ahead_of(&self, position: usize) -> usize {
        (0..self.candidates.len()).filter(|other| self.is_ahead(*other, position)).count()
    }

    /// All candidates, those with the fewest others ahead of them first, in groups of equal numbers.
    fn groups(&self) -> Vec<Vec<Candidate>> {
        let mut sorted: Vec<(usize, usize)> =
            (0..self.candidates.len()).map(|position| (self.ahead_of(position), position)).collect();
        sorted.sort_unstable();
        let groups = sorted.chunk_by(|one, other| one.0 == other.0);
        groups
            .map(|group| group.iter().map(|(_, position)| Candidate::at(self.candidates[*position])).collect())
            .collect()
    }
}

/// Gives the seats to the candidates who have one in every ranking that respects the order. Those who have one in some
/// of these rankings only are tied for the seats that are left.
fn fill(counting: &mut Counting<'_>, order: &Order<'_>, bars: &[Option<VacancyReason>]) -> Filled {
    let election = counting.election;
    let seats = election.seats();
    let is_free = |position: &usize| bars[*position].is_none() && election.is_person(order.candidates[*position]);
    let mut free: Vec<usize> = (0..bars.len()).filter(is_free).collect();
    free.sort_by_key(|position| (order.ahead_of(*position), *position));
    let not_behind = |one: usize| free.iter().filter(|other| **other != one && !order.is_ahead(one, **other)).count();
    let ahead_of = |one: usize| free.iter().filter(|other| order.is_ahead(**other, one)).count();
    let sure: Vec<usize> = free.iter().copied().filter(|position| not_behind(*position) < seats).collect();
    let mut tied: Vec<usize> =
        free.iter().copied().filter(|position| not_behind(*position) >= seats && ahead_of(*position) < seats).collect();
    let elected_by = |position: usize, by: ElectedBy| elected_at(order.candidates[position], by);
    let mut elected: Vec<Elected> = sure.into_iter().map(|position| elected_by(position, ElectedBy::Order)).collect();
    let left = seats - elected.len();
    let mut seat_ties = Vec::new();
    if left > 0 && !tied.is_empty() {
        tied.sort_unstable();
        let names = tied.iter().map(|position| Candidate::at(order.candidates[*position])).collect();
        let tie = Tie { stage: STAGE, matter: TieMatter::Seats { candidates: names, seats: left as u32 } };
        let Some(resolved) = counting.resolve(&tie) else {
            return Filled { elected, outcome: Outcome::Tied(tie), seat_ties };
        };
        let drawn = resolved.places().filter_map(|place| order.candidates.iter().position(|other| *other == place));
        let winners = completed(order, drawn.collect(), left);
        let by = ElectedBy::TieDecision(resolved.by);
        elected.extend(winners.into_iter().map(|position| elected_by(position, by)));
        seat_ties.push(resolved.record);
    }
    // "None of the above" takes no seat, so its own bar is no reason.
    let persons = (0..bars.len()).filter(|position| election.is_person(order.candidates[*position]));
    let outcome = complete(counting, elected.len(), persons.filter_map(|position| bars[position]));
    Filled { elected, outcome, seat_ties }
}

/// The first of the decided candidates, where nobody comes before a candidate who is ahead.
fn completed(order: &Order<'_>, decided: Vec<usize>, wanted: usize) -> Vec<usize> {
    let mut rest = decided;
    let mut winners = Vec::new();
    while winners.len() < wanted && !rest.is_empty() {
        let is_first = |one: &usize| !rest.iter().any(|other| order.is_ahead(*other, *one));
        let next = rest.iter().position(is_first).unwrap_or_default();
        winners.push(rest.remove(next));
    }
    winners
}
