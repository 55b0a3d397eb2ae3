//! Seats for the candidates with the most votes or points.

use std::cmp::Reverse;

use crate::elections::counting::{Counted, Counting};
use crate::elections::{
    Action, Details, Elected, ElectedBy, Outcome, ResolvedTie, Stage, Tie, TieMatter, Vacancies, VacancyReason, Votes,
};
use plenum_kernel::election::Candidate;

/// The result of a candidate in a method that ranks by one number.
pub(super) struct CandidateResult {
    pub(super) place: usize,
    /// Votes or points.
    pub(super) points: Votes,
    /// The votes of the ballots that support the candidate.
    pub(super) support: Votes,
    /// The reason why the candidate cannot be elected.
    pub(super) bar: Option<VacancyReason>,
}

/// The seats of an election.
pub(super) struct Filled {
    pub(super) elected: Vec<Elected>,
    pub(super) outcome: Outcome,
    pub(super) seat_ties: Vec<ResolvedTie>,
}

/// The only stage of a method without transfers.
pub(super) const STAGE: u32 = 1;

/// Bars persons without enough support, and those who are not ahead of "none of the above". Other bars stay.
pub(super) fn bar(counting: &Counting<'_>, results: &mut [CandidateResult]) {
    let none = counting.election.none_of_the_above();
    let to_beat = results.iter().find(|result| Some(result.place) == none).map(|result| result.points);
    for result in results {
        let is_behind = to_beat.is_some_and(|to_beat| result.points <= to_beat);
        let behind = is_behind.then_some(VacancyReason::NoneOfTheAbove);
        result.bar = counting.lacks_support(result.support).or(result.bar).or(behind);
    }
}

/// Gives the seats to the candidates with the most points. Equal points for the last seats are a tie.
pub(super) fn fill_seats(counting: &mut Counting<'_>, results: &[CandidateResult], by: ElectedBy) -> Filled {
    let election = counting.election;
    let seats = election.seats();
    let mut free: Vec<&CandidateResult> =
        results.iter().filter(|result| result.bar.is_none() && election.is_person(result.place)).collect();
    free.sort_by_key(|result| (Reverse(result.points), result.place));
    let border = if free.len() > seats { free.get(seats).map(|result| result.points) } else { None };
    let is_sure = |result: &&&CandidateResult| border.is_none_or(|border| result.points > border);
    let mut elected: Vec<Elected> = free.iter().filter(is_sure).map(|result| elected_at(result.place, by)).collect();
    let tied: Vec<Candidate> =
        free.iter().filter(|result| Some(result.points) == border).map(|result| Candidate::at(result.place)).collect();
    let left = seats - elected.len();
    let mut seat_ties = Vec::new();
    if left > 0 && !tied.is_empty() {
        let matter = TieMatter::Seats { candidates: tied, seats: left as u32 };
        let tie = Tie { stage: STAGE, matter };
        let Some(resolved) = counting.resolve(&tie) else {
            return Filled { elected, outcome: Outcome::Tied(tie), seat_ties };
        };
        let by = ElectedBy::TieDecision(resolved.by);
        elected.extend(resolved.places().take(left).map(|place| elected_at(place, by)));
        seat_ties.push(resolved.record);
    }
    // "None of the above" takes no seat, so its own bar is no reason.
    let persons = results.iter().filter(|result| election.is_person(result.place));
    let outcome = complete(counting, elected.len(), persons.filter_map(|result| result.bar));
    Filled { elected, outcome, seat_ties }
}

/// A candidate elected in the only stage.
pub(super) fn elected_at(place: usize, by: ElectedBy) -> Elected {
    Elected { candidate: Candidate::at(place), stage: STAGE, by }
}

/// A complete count, with the vacant seats and the gravest reason.
pub(super) fn complete(counting: &Counting<'_>, elected: usize, bars: impl Iterator<Item = VacancyReason>) -> Outcome {
    let seats = counting.election.terms().seats.map_or(elected, |seats| seats.get() as usize);
    let vacant = seats.saturating_sub(elected);
    let why = bars.max().unwrap_or(VacancyReason::TooFewCandidates);
    let vacancies = (vacant > 0).then_some(Vacancies { seats: vacant as u32, why });
    Outcome::Complete { vacancies }
}

/// The count of a method that ranks by one number.
pub(super) fn counted(filled: Filled, results: &[CandidateResult], details: Details) -> Counted {
    let Filled { elected, outcome, seat_ties } = filled;
    let votes = results.iter().map(|result| (Candidate::at(result.place), result.points)).collect();
    let stage = Stage {
        number: STAGE,
        action: Action::Count,
        quota: None,
        votes,
        parcels: Vec::new(),
        non_transferable: Votes::ZERO,
        remainder: Votes::ZERO,
    };
    let support = results.iter().map(|result| result.support).collect();
    Counted { stages: vec![stage], elected, outcome, seat_ties, order: order(results), support, details }
}

/// All candidates in groups of equal points, the most points first.
fn order(results: &[CandidateResult]) -> Vec<Vec<Candidate>> {
    let mut sorted: Vec<&CandidateResult> = results.iter().collect();
    sorted.sort_by_key(|result| (Reverse(result.points), result.place));
    let groups = sorted.chunk_by(|one, other| one.points == other.points);
    groups.map(|group| group.iter().map(|result| Candidate::at(result.place)).collect()).collect()
}
