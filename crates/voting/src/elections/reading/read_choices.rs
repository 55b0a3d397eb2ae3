//! Ballots without ranks.

use super::ballot_report::{Effect, Fault};
use super::read_ballots::{Checker, Read, Reading};
use crate::elections::{CandidateAnswer, Marks};
use plenum_kernel::election::{Candidate, ChoiceLimits, Lists, Method, PerCandidate, Repetition, Standing, Unanswered};

/// The marks of a ballot, one for each candidate, without those for withdrawn ones.
struct Sorted<T> {
    marks: Vec<(Candidate, T)>,
    /// The number of different candidates with a mark, withdrawn ones included.
    marked: usize,
    is_repeated: bool,
    faults: Vec<(Fault, Effect)>,
}

/// Sorts marks. Fails with an invalid ballot if a number belongs to no candidate.
fn sort<T: Copy>(checker: Checker<'_>, marks: &[(Candidate, T)]) -> Result<Sorted<T>, Reading> {
    let mut sorted = Sorted { marks: Vec::new(), marked: 0, is_repeated: false, faults: Vec::new() };
    let mut seen: Vec<Candidate> = Vec::new();
    for (candidate, mark) in marks {
        let Some(standing) = checker.standing(*candidate) else {
            return Err(Reading::invalid(sorted.faults, Fault::NoSuchCandidate));
        };
        if seen.contains(candidate) {
            sorted.is_repeated = true;
            continue;
        }
        seen.push(*candidate);
        match standing {
            Standing::Withdrawn => sorted.faults.push((Fault::Withdrawn, Effect::PassedOver)),
            Standing::Stands | Standing::NoneOfTheAbove => sorted.marks.push((*candidate, *mark)),
        }
    }
    sorted.marked = seen.len();
    sorted.marks.sort_by_key(|(candidate, _)| *candidate);
    Ok(sorted)
}

/// Reads chosen or approved candidates.
pub(super) fn read_choices(checker: Checker<'_>, limits: ChoiceLimits, choices: &[Candidate]) -> Reading {
    let marks: Vec<(Candidate, ())> = choices.iter().map(|candidate| (*candidate, ())).collect();
    let mut sorted = match sort(checker, &marks) {
        Ok(sorted) => sorted,
        Err(invalid) => return invalid,
    };
    match limits.repeated {
        Repetition::Invalid if sorted.is_repeated => return Reading::invalid(sorted.faults, Fault::Repeated),
        Repetition::CountsOnce if sorted.is_repeated => sorted.faults.push((Fault::Repeated, Effect::PassedOver)),
        Repetition::Invalid | Repetition::CountsOnce => {}
    }
    if sorted.marks.is_empty() {
        return checker.without_marks(sorted.faults);
    }
    let is_none = |candidate: &Candidate| checker.standing(*candidate) == Some(Standing::NoneOfTheAbove);
    // "None of the above" is an answer of its own, however many candidates have to be chosen.
    let is_none_alone = sorted.marks.iter().all(|(candidate, ())| is_none(candidate));
    if sorted.marked < limits.least as usize && !is_none_alone {
        return Reading::invalid(sorted.faults, Fault::TooFew);
    }
    if limits.most.is_some_and(|most| sorted.marked > most as usize) {
        return Reading::invalid(sorted.faults, Fault::TooMany);
    }
    let chosen: Vec<Candidate> = sorted.marks.into_iter().map(|(candidate, ())| candidate).collect();
    if chosen.len() > 1 && chosen.iter().any(is_none) {
        return Reading::invalid(sorted.faults, Fault::NoneAndOthers);
    }
    Reading { read: Read::Valid(Marks::Choices(chosen)), faults: sorted.faults }
}

/// Reads the answers for each candidate. "None of the above" never needs one.
pub(super) fn read_answers(
    checker: Checker<'_>,
    settings: &PerCandidate,
    answers: &[(Candidate, CandidateAnswer)],
) -> Reading {
    let sorted = match sort(checker, answers) {
        Ok(sorted) => sorted,
        Err(invalid) => return invalid,
    };
    if sorted.is_repeated {
        return Reading::invalid(sorted.faults, Fault::Repeated);
    }
    if sorted.marks.is_empty() {
        return checker.without_marks(sorted.faults);
    }
    let is_person = |place: &usize| checker.election.is_person(*place);
    let answered = sorted.marks.iter().filter_map(|(candidate, _)| candidate.place()).filter(is_person).count();
    let persons = checker.election.standing().filter(is_person).count();
    if settings.unanswered == Unanswered::Invalid && answered < persons {
        return Reading::invalid(sorted.faults, Fault::TooFew);
    }
    Reading { read: Read::Valid(Marks::Answers(sorted.marks)), faults: sorted.faults }
}

/// Reads votes or points for candidates.
pub(super) fn read_points(checker: Checker<'_>, points: &[(Candidate, u32)]) -> Reading {
    match sort(checker, points) {
        Err(invalid) => return invalid,
        Ok(all) if all.is_repeated => return Reading::invalid(all.faults, Fault::Repeated),
        Ok(_) => {}
    }
    // No points and 0 points are the same.
    let given: Vec<(Candidate, u32)> = points.iter().copied().filter(|(_, points)| *points > 0).collect();
    let sorted = match sort(checker, &given) {
        Ok(sorted) => sorted,
        Err(invalid) => return invalid,
    };
    if sorted.marks.is_empty() {
        return checker.without_marks(sorted.faults);
    }
    match points_fault(checker, &given) {
        Some(fault) => Reading::invalid(sorted.faults, fault),
        None => Reading { read: Read::Valid(Marks::Points(sorted.marks)), faults: sorted.faults },
    }
}

/// The limit that the votes or points of a ballot break. Each mark has at least one. Those for withdrawn candidates
/// count, because the voter has used them.
fn points_fault(checker: Checker<'_>, points: &[(Candidate, u32)]) -> Option<Fault> {
    let given = || points.iter().map(|(_, points)| *points);
    match &checker.election.terms().method {
        Method::Cumulative(cumulative) => {
            let all: u64 = given().map(u64::from).sum();
            match all.cmp(&u64::from(cumulative.votes)) {
                _ if given().any(|points| points > cumulative.most_for_one) => Some(Fault::TooManyForOne),
                std::cmp::Ordering::Greater => Some(Fault::TooMany),
                std::cmp::Ordering::Less if cumulative.needs_all_votes => Some(Fault::TooFew),
                std::cmp::Ordering::Less | std::cmp::Ordering::Equal => None,
            }
        }
        Method::Score(score) if given().any(|points| points > score.most) => Some(Fault::TooManyForOne),
        Method::Score(score) if points.len() < score.least_marked as usize => Some(Fault::TooFew),
        _ => None,
    }
}

/// Reads a list and the candidates chosen on it.
pub(super) fn read_list(checker: Checker<'_>, lists: &Lists, (list, chosen): (u32, &[Candidate])) -> Reading {
    let on_list = list.checked_sub(1).and_then(|place| lists.lists.get(place as usize));
    let Some(on_list) = on_list else {
        return Reading::invalid(Vec::new(), Fault::NoSuchCandidate);
    };
    let marks: Vec<(Candidate, ())> = chosen.iter().map(|candidate| (*candidate, ())).collect();
    let sorted = match sort(checker, &marks) {
        Ok(sorted) => sorted,
        Err(invalid) => return invalid,
    };
    if sorted.is_repeated {
        return Reading::invalid(sorted.faults, Fault::Repeated);
    }
    if !chosen.iter().all(|candidate| on_list.contains(candidate)) {
        return Reading::invalid(sorted.faults, Fault::OtherList);
    }
    if sorted.marked > lists.most_choices as usize {
        return Reading::invalid(sorted.faults, Fault::TooMany);
    }
    let candidates = sorted.marks.into_iter().map(|(candidate, ())| candidate).collect();
    Reading { read: Read::Valid(Marks::List { list, candidates }), faults: sorted.faults }
}
