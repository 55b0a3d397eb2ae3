//! Methods that add up marks: plurality, approval, cumulative and score.

use super::fill_seats::{CandidateResult, bar, counted, fill_seats};
use crate::elections::counting::{Counted, Counting};
use crate::elections::{Details, ElectedBy, Marks, VacancyReason, Votes};
use plenum_kernel::election::{Candidate, Requirement};

/// Counts chosen or approved candidates: one vote for each. With a requirement, only candidates whose votes meet it are
/// elected.
pub(in crate::elections) fn count_choices(counting: &mut Counting<'_>, requirement: Option<Requirement>) -> Counted {
    let mut votes = vec![Votes::ZERO; counting.election.size()];
    for paper in counting.papers {
        let Marks::Choices(chosen) = &paper.marks else { continue };
        for place in chosen.iter().filter_map(|candidate| candidate.place()) {
            votes[place] += paper.votes;
        }
    }
    let result = |place: usize| CandidateResult { place, points: votes[place], support: votes[place], bar: None };
    let mut results: Vec<CandidateResult> = counting.election.standing().map(result).collect();
    for result in &mut results {
        let is_met = requirement.is_none_or(|requirement| counting.meets(result.points, requirement));
        result.bar = (!is_met).then_some(VacancyReason::RequirementMissed);
    }
    conclude(counting, results)
}

/// Counts votes or points: the sums of what the ballots give.
pub(in crate::elections) fn count_points(counting: &mut Counting<'_>) -> Counted {
    let mut points = vec![Votes::ZERO; counting.election.size()];
    let mut support = points.clone();
    for paper in counting.papers {
        let Marks::Points(given) = &paper.marks else { continue };
        let placed = |(candidate, given): &(Candidate, u32)| candidate.place().map(|place| (place, *given));
        for (place, given) in given.iter().filter_map(placed) {
            points[place] += paper.votes.times(given);
            support[place] += paper.votes;
        }
    }
    let result = |place: usize| CandidateResult { place, points: points[place], support: support[place], bar: None };
    let results = counting.election.standing().map(result).collect();
    conclude(counting, results)
}

fn conclude(counting: &mut Counting<'_>, mut results: Vec<CandidateResult>) -> Counted {
    bar(counting, &mut results);
    let filled = fill_seats(counting, &results, ElectedBy::MostVotes);
    counted(filled, &results, Details::Nothing)
}
