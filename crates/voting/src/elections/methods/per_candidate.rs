//! A vote on each candidate.

use super::fill_seats::{CandidateResult, bar, counted, fill_seats};
use crate::elections::counting::{Counted, Counting};
use crate::elections::{CandidateAnswer, CandidateAnswers, Details, ElectedBy, Marks, VacancyReason, Votes};
use plenum_kernel::election::{Candidate, PerCandidate, ShareBase, YesRanking};

/// Counts the answers for each candidate, and elects those whose share of yes meets the requirement. If they are more
/// than the seats, those with the most yes, or the largest difference between yes and no, are elected.
pub(in crate::elections) fn count_per_candidate(counting: &mut Counting<'_>, settings: PerCandidate) -> Counted {
    let answers = sum_answers(counting, settings);
    let result = |answers: &CandidateAnswers| CandidateResult {
        place: answers.candidate.place().unwrap_or_default(),
        points: match settings.ranking {
            YesRanking::Yes => answers.yes,
            YesRanking::YesLessNo => answers.yes - answers.no,
        },
        support: answers.yes,
        bar: (!answers.is_met).then_some(VacancyReason::RequirementMissed),
    };
    let mut results: Vec<CandidateResult> = answers.iter().map(result).collect();
    bar(counting, &mut results);
    let free = results.iter().filter(|result| result.bar.is_none()).count();
    let by = if free > counting.election.seats() { ElectedBy::MostVotes } else { ElectedBy::RequiredShare };
    let filled = fill_seats(counting, &results, by);
    counted(filled, &results, Details::Answers(answers))
}

fn sum_answers(counting: &Counting<'_>, settings: PerCandidate) -> Vec<CandidateAnswers> {
    let size = counting.election.size();
    let (mut yes, mut no) = (vec![Votes::ZERO; size], vec![Votes::ZERO; size]);
    for paper in counting.papers {
        let Marks::Answers(answers) = &paper.marks else { continue };
        for (candidate, answer) in answers {
            match (candidate.place(), answer) {
                (Some(place), CandidateAnswer::Yes) => yes[place] += paper.votes,
                (Some(place), CandidateAnswer::No) => no[place] += paper.votes,
                (_, CandidateAnswer::Abstain) | (None, _) => {}
            }
        }
    }
    let answers = |place: usize| {
        let (yes, no) = (yes[place], no[place]);
        let requirement = settings.requirement;
        let whole = if requirement.base == ShareBase::YesAndNo { yes + no } else { counting.whole(requirement.base) };
        CandidateAnswers {
            candidate: Candidate::at(place),
            yes,
            no,
            abstain: counting.report.valid.votes - yes - no,
            is_met: yes.meet(requirement.threshold, whole),
        }
    };
    counting.election.standing().map(answers).collect()
}
