//! Blank, incomplete and faulty ballots.

use plenum_kernel::Threshold;
use plenum_voting::elections::{
    Ballot, BallotReport, Blank, CandidateAnswer, ChoiceLimits, Effect, ElectionTerms, Fault, Irv, Marks, Method,
    PerCandidate, Plurality, RankingRules, Repetition, Requirement, ShareBase, Standing, TooManyRanked, Treatment,
    Unanswered, YesRanking,
};

use super::profiles::{STV, ballots, candidates, counted, ranking, terms};

fn plurality(least: u32, most: u32) -> Method {
    let limits = ChoiceLimits { least, most: Some(most), repeated: Repetition::Invalid };
    Method::Plurality(Plurality { limits, requirement: None })
}

fn report(terms: ElectionTerms, marks: Marks) -> (BallotReport, Vec<(Fault, Effect)>) {
    let report = counted(terms, &[Ballot::of(marks), ballots(3, ranking(&[1]))]).ballots;
    let faults = report.faults.iter().map(|sum| (sum.fault, sum.effect));
    let faults = faults.filter(|(fault, _)| *fault != Fault::OtherMethod).collect();
    (report, faults)
}

fn chosen(terms: ElectionTerms, numbers: &[u32]) -> Vec<(Fault, Effect)> {
    report(terms, Marks::Choices(candidates(numbers))).1
}

#[test]
fn exactly_the_required_number_of_choices_is_valid() {
    let exactly = || terms(plurality(2, 2), 4, 2);
    assert_eq!(chosen(exactly(), &[1, 2]), []);
    assert_eq!(chosen(exactly(), &[1]), [(Fault::TooFew, Effect::Invalid)]);
    assert_eq!(chosen(exactly(), &[1, 2, 3]), [(Fault::TooMany, Effect::Invalid)]);
    assert_eq!(chosen(exactly(), &[1, 1]), [(Fault::Repeated, Effect::Invalid)]);
    assert_eq!(chosen(exactly(), &[1, 5]), [(Fault::NoSuchCandidate, Effect::Invalid)]);
    assert_eq!(chosen(exactly(), &[0, 1]), [(Fault::NoSuchCandidate, Effect::Invalid)]);
}

#[test]
fn a_blank_ballot_counts_as_set() {
    let with = |blank| {
        let mut terms = terms(plurality(1, 2), 4, 2);
        terms.blank = blank;
        let (report, faults) = report(terms, Marks::Choices(Vec::new()));
        (report.valid.voters, report.abstentions.voters, faults)
    };
    assert_eq!(with(Blank::Invalid), (0, 0, vec![(Fault::Blank, Effect::Invalid)]));
    assert_eq!(with(Blank::Abstains), (0, 1, vec![(Fault::Blank, Effect::Abstains)]));
    assert_eq!(with(Blank::ValidForNobody), (1, 0, vec![(Fault::Blank, Effect::ValidForNobody)]));
}

#[test]
fn a_ballot_of_another_method_is_invalid() {
    let count = counted(terms(plurality(1, 2), 2, 1), &[ballots(2, ranking(&[1]))]);
    assert_eq!((count.ballots.cast.voters, count.ballots.invalid.voters), (2, 2));
    assert_eq!(count.ballots.faults[0].fault, Fault::OtherMethod);
}

#[test]
fn none_of_the_above_stands_alone_on_a_ballot_of_choices() {
    let mut with_none = terms(plurality(1, 2), 3, 1);
    with_none.candidates[2] = Standing::NoneOfTheAbove;
    assert_eq!(chosen(with_none.clone(), &[3]), []);
    assert_eq!(chosen(with_none, &[1, 3]), [(Fault::NoneAndOthers, Effect::Invalid)]);
}

#[test]
fn none_of_the_above_alone_is_valid_however_many_have_to_be_chosen() {
    let mut with_none = terms(plurality(2, 2), 4, 2);
    with_none.candidates[3] = Standing::NoneOfTheAbove;
    assert_eq!(chosen(with_none.clone(), &[4]), []);
    assert_eq!(chosen(with_none.clone(), &[1]), [(Fault::TooFew, Effect::Invalid)]);
    assert_eq!(chosen(with_none.clone(), &[1, 4]), [(Fault::NoneAndOthers, Effect::Invalid)]);
    with_none.candidates[0] = Standing::Withdrawn;
    assert_eq!(chosen(with_none, &[1, 4]), [(Fault::Withdrawn, Effect::PassedOver)]);
}

#[test]
fn every_person_needs_an_answer_and_none_of_the_above_does_not() {
    let method = Method::PerCandidate(PerCandidate {
        requirement: Requirement { base: ShareBase::YesAndNo, threshold: Threshold::MORE_THAN_HALF },
        ranking: YesRanking::Yes,
        unanswered: Unanswered::Invalid,
    });
    let mut with_none = terms(method, 3, 1);
    with_none.candidates[2] = Standing::NoneOfTheAbove;
    let faults = |numbers: &[u32]| {
        let answers = candidates(numbers).into_iter().map(|candidate| (candidate, CandidateAnswer::Yes));
        report(with_none.clone(), Marks::Answers(answers.collect())).1
    };
    assert_eq!(faults(&[1, 2]), []);
    assert_eq!(faults(&[1, 2, 3]), []);
    assert_eq!(faults(&[1, 3]), [(Fault::TooFew, Effect::Invalid)]);
    assert_eq!(faults(&[3]), [(Fault::TooFew, Effect::Invalid)]);
}

/// The faults of a ranking, and the votes of the candidates.
fn ranked(rules: RankingRules, ranks: &[&[u32]]) -> (Vec<(Fault, Effect)>, Vec<String>) {
    let method = Method::Irv(Irv { ranking: rules, ties_by_earlier_stages: false });
    let marks = Marks::Ranking(ranks.iter().map(|rank| candidates(rank)).collect());
    let count = counted(terms(method, 4, 1), &[Ballot::of(marks)]);
    let faults = count.ballots.faults.iter().map(|sum| (sum.fault, sum.effect)).collect();
    (faults, count.support.iter().map(|votes| votes.text(0)).collect())
}

#[test]
fn the_faults_of_a_ranking_have_the_effect_that_is_set() {
    let with =
        |treatment| RankingRules { skipped: treatment, repeated: treatment, equal: treatment, ..RankingRules::LENIENT };
    let pass = with(Treatment::PassOver);
    let cut = with(Treatment::UpToThere);
    let refuse = with(Treatment::Invalid);
    let of = |numbers: [&str; 4]| numbers.map(str::to_owned).to_vec();
    for (fault, ranks, passed, was_cut) in [
        (Fault::SkippedRank, &[&[1][..], &[], &[2]][..], ["1", "1", "0", "0"], ["1", "0", "0", "0"]),
        (Fault::Repeated, &[&[1], &[1], &[2]], ["1", "1", "0", "0"], ["1", "0", "0", "0"]),
        (Fault::EqualRank, &[&[1], &[2, 3], &[4]], ["1", "0", "0", "1"], ["1", "0", "0", "0"]),
    ] {
        assert_eq!(ranked(pass, ranks), (vec![(fault, Effect::PassedOver)], of(passed)));
        assert_eq!(ranked(cut, ranks), (vec![(fault, Effect::CutThere)], of(was_cut)));
        assert_eq!(ranked(refuse, ranks), (vec![(fault, Effect::Invalid)], of(["0"; 4])));
    }
    // Skipped ranks at the end are none: the ranking just ends.
    assert_eq!(ranked(refuse, &[&[1], &[], &[]]).0, []);
    // A fault at the first rank leaves nothing.
    assert_eq!(ranked(cut, &[&[], &[1]]).0, [(Fault::SkippedRank, Effect::Invalid)]);
    assert_eq!(ranked(pass, &[&[1, 2]]).0, [(Fault::EqualRank, Effect::Invalid)]);
}

#[test]
fn a_ranking_has_limits() {
    let rules = RankingRules { least: 2, most: Some(2), ..RankingRules::LENIENT };
    assert_eq!(ranked(rules, &[&[1]]).0, [(Fault::TooFew, Effect::Invalid)]);
    assert_eq!(ranked(rules, &[&[1], &[2], &[3]]).0, [(Fault::TooMany, Effect::CutThere)]);
    let strict = RankingRules { too_many: TooManyRanked::Invalid, ..rules };
    assert_eq!(ranked(strict, &[&[1], &[2], &[3]]).0, [(Fault::TooMany, Effect::Invalid)]);
}

#[test]
fn withdrawn_candidates_are_passed_over_without_a_gap() {
    let mut withdrawn = terms(STV, 3, 1);
    withdrawn.candidates[1] = Standing::Withdrawn;
    let count = counted(
        withdrawn.clone(),
        &[ballots(2, ranking(&[2, 1])), ballots(1, ranking(&[1, 2, 3])), ballots(1, ranking(&[2]))],
    );
    let faults: Vec<_> = count.ballots.faults.iter().map(|sum| (sum.fault, sum.effect, sum.ballots.voters)).collect();
    assert_eq!(faults, [(Fault::OnlyWithdrawn, Effect::Invalid, 1), (Fault::Withdrawn, Effect::PassedOver, 4)]);
    assert_eq!(count.stages[0].votes.len(), 2);
    assert_eq!(count.stages[0].votes[0].1.text(0), "3");
}
