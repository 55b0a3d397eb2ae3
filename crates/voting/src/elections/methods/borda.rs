//! The Borda count (J.-C. de Borda, "Mémoire sur les élections au scrutin", 1781).

use super::fill_seats::{CandidateResult, bar, counted, fill_seats};
use crate::elections::counting::{Counted, Counting};
use crate::elections::{Details, ElectedBy, Marks, Votes};
use plenum_kernel::election::{Borda, BordaScale, Candidate, Unranked};

/// Counts the points of the places. Candidates of one rank share the points of the places that they take, in equal
/// parts.
pub(in crate::elections) fn count_borda(counting: &mut Counting<'_>, settings: Borda) -> Counted {
    let standing: Vec<usize> = counting.election.standing().collect();
    let mut points = vec![Votes::ZERO; counting.election.size()];
    let mut support = points.clone();
    for paper in counting.papers {
        let Marks::Ranking(ranks) = &paper.marks else { continue };
        let mut is_ranked = vec![false; points.len()];
        let mut places = Places::new(settings, standing.len(), ranks);
        for rank in ranks {
            let each = places.next(rank.len());
            for place in rank.iter().filter_map(|candidate| candidate.place()) {
                is_ranked[place] = true;
                support[place] += paper.votes;
                points[place] += paper.votes.times(each).half();
            }
        }
        if settings.unranked == Unranked::MeanOfRest {
            let rest: Vec<usize> = standing.iter().copied().filter(|place| !is_ranked[*place]).collect();
            let each = places.next(rest.len());
            for place in rest {
                points[place] += paper.votes.times(each).half();
            }
        }
    }
    let result = |place: usize| CandidateResult { place, points: points[place], support: support[place], bar: None };
    let mut results: Vec<CandidateResult> = standing.iter().copied().map(result).collect();
    bar(counting, &mut results);
    let filled = fill_seats(counting, &results, ElectedBy::MostVotes);
    counted(filled, &results, Details::Nothing)
}

/// The points of the places of one ballot, from the first place on.
struct Places {
    /// The points of the next place.
    next: u32,
}

impl Places {
    fn new(settings: Borda, candidates: usize, ranks: &[Vec<Candidate>]) -> Self {
        let next = match settings.scale {
            BordaScale::ToZero => candidates.saturating_sub(1),
            BordaScale::ToOne => candidates,
            BordaScale::OfRanked => ranks.iter().map(Vec::len).sum(),
        };
        Self { next: next as u32 }
    }

    /// Twice the points for each of the candidates who share the next places: the first and the last of the places
    /// together.
    fn next(&mut self, sharing: usize) -> u32 {
        let first = self.next;
        self.next = first.saturating_sub(sharing as u32);
        let last = (first + 1).saturating_sub(sharing as u32);
        first + last
    }
}
