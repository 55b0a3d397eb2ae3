//! Methods that add up marks.

use plenum_kernel::{Threshold, Unit, VotingWeight};
use plenum_voting::elections::{
    Abstentions, Ballot, CandidateAnswer, ChoiceLimits, Count, Cumulative, Details, ElectedBy, Fault, Marks, Method,
    Outcome, PerCandidate, Plurality, Repetition, Requirement, Score, ShareBase, Standing, Tie, TieMatter, Unanswered,
    Vacancies, VacancyReason, YesRanking,
};

use super::profiles::{ballots, candidates, counted, elected, terms, votes};

const LIMITS: ChoiceLimits = ChoiceLimits { least: 1, most: Some(2), repeated: Repetition::CountsOnce };
const PLURALITY: Method = Method::Plurality(Plurality { limits: LIMITS, requirement: None });

const MAJORITY: Requirement = Requirement { base: ShareBase::VotesCast, threshold: Threshold::MORE_THAN_HALF };

fn choices(voters: u64, numbers: &[u32]) -> Ballot {
    ballots(voters, Marks::Choices(candidates(numbers)))
}

fn vacancies(count: &Count) -> Option<Vacancies> {
    let Outcome::Complete { vacancies } = count.outcome else { panic!("{:?}", count.outcome) };
    vacancies
}

#[test]
fn the_most_votes_win_and_equal_votes_for_the_last_seat_tie() {
    let votes = [choices(5, &[1, 2]), choices(3, &[2, 3]), choices(2, &[4]), choices(2, &[3])];
    assert_eq!(elected(&counted(terms(PLURALITY, 4, 1), &votes)), [2]);
    let count = counted(terms(PLURALITY, 4, 2), &votes);
    assert_eq!(elected(&count), [2]);
    let tie = Tie { stage: 1, matter: TieMatter::Seats { candidates: candidates(&[1, 3]), seats: 1 } };
    assert_eq!(count.outcome, Outcome::Tied(tie));
    assert_eq!(elected(&counted(terms(PLURALITY, 4, 3), &votes)), [2, 1, 3]);
}

#[test]
fn a_first_ballot_can_need_a_majority_of_the_votes_cast() {
    let method = Method::Plurality(Plurality { limits: LIMITS, requirement: Some(MAJORITY) });
    let mut votes = vec![choices(6, &[1, 2]), choices(4, &[3]), choices(1, &[2])];
    let count = counted(terms(method.clone(), 3, 3), &votes);
    assert_eq!(elected(&count), [2, 1]);
    assert_eq!(vacancies(&count), Some(Vacancies { seats: 1, why: VacancyReason::RequirementMissed }));
    // Invalid ballots are no votes.
    votes.push(choices(5, &[1, 2, 3]));
    let count = counted(terms(method.clone(), 3, 3), &votes);
    assert_eq!((elected(&count), count.ballots.invalid.voters), (vec![2, 1], 5));
    // An abstention makes 12 votes cast, of which 6 are not more than half.
    votes.push(Ballot::of(Marks::Abstention));
    assert_eq!(elected(&counted(terms(method.clone(), 3, 3), &votes)), [2]);
    let mut without = terms(method, 3, 3);
    without.abstentions = Abstentions::AreNotVotes;
    assert_eq!(elected(&counted(without, &votes)), [2, 1]);
}

#[test]
fn none_of_the_above_keeps_out_those_who_are_not_ahead_of_it() {
    let mut with_none = terms(PLURALITY, 4, 2);
    with_none.candidates[3] = Standing::NoneOfTheAbove;
    let count = counted(with_none, &[choices(5, &[1]), choices(3, &[2]), choices(1, &[3]), choices(3, &[4])]);
    assert_eq!(elected(&count), [1]);
    assert_eq!(vacancies(&count), Some(Vacancies { seats: 1, why: VacancyReason::NoneOfTheAbove }));
}

#[test]
fn none_of_the_above_is_no_reason_for_a_seat_without_a_candidate_behind_it() {
    let mut with_none = terms(PLURALITY, 4, 3);
    with_none.candidates[3] = Standing::NoneOfTheAbove;
    let count = counted(with_none.clone(), &[choices(5, &[1]), choices(3, &[2]), choices(1, &[4])]);
    assert_eq!(elected(&count), [1, 2]);
    assert_eq!(vacancies(&count), Some(Vacancies { seats: 1, why: VacancyReason::NoVotes }), "for candidate 3");
    let count = counted(with_none, &[choices(5, &[1, 3]), choices(3, &[2]), choices(1, &[4])]);
    assert_eq!((elected(&count), vacancies(&count)), (vec![1, 3, 2], None));
    let mut more_seats = terms(PLURALITY, 3, 3);
    more_seats.candidates[2] = Standing::NoneOfTheAbove;
    let count = counted(more_seats, &[choices(5, &[1]), choices(3, &[2]), choices(1, &[3])]);
    assert_eq!(vacancies(&count), Some(Vacancies { seats: 1, why: VacancyReason::TooFewCandidates }));
}

#[test]
fn weights_multiply_every_mark() {
    let weighed = |weight: &str, marks: Marks| Ballot {
        marks,
        weight: VotingWeight::new(weight.parse().unwrap()).unwrap(),
        voters: 1,
    };
    let chosen = |numbers: &[u32]| Marks::Choices(candidates(numbers));
    let ballots = [weighed("2.5", chosen(&[1])), weighed("0.3333", chosen(&[1, 2])), weighed("2.9", chosen(&[2]))];
    let mut by_weight = terms(PLURALITY, 2, 1);
    by_weight.unit = Unit::Weight;
    let count = counted(by_weight, &ballots);
    assert_eq!(votes(&count.stages[0], 0), ["2.8333", "3.2333"]);
    assert_eq!(elected(&count), [2]);
    assert_eq!(votes(&counted(terms(PLURALITY, 2, 2), &ballots).stages[0], 0), ["2", "2"]);
}

#[test]
fn cumulated_votes_and_scores_add_up() {
    let points = |voters: u64, points: &[(u32, u32)]| {
        let given = points.iter().map(|(number, points)| (candidates(&[*number])[0], *points));
        ballots(voters, Marks::Points(given.collect()))
    };
    let cumulative = Method::Cumulative(Cumulative { votes: 5, most_for_one: 3, needs_all_votes: false });
    let given =
        [points(2, &[(1, 3), (2, 2)]), points(1, &[(2, 3)]), points(1, &[(3, 4)]), points(1, &[(1, 3), (2, 3)])];
    let count = counted(terms(cumulative, 3, 1), &given);
    assert_eq!(votes(&count.stages[0], 0), ["6", "7", "0"]);
    assert_eq!((elected(&count), count.ballots.invalid.voters), (vec![2], 2));
    let score = Method::Score(Score { most: 5, least_marked: 1 });
    let count = counted(terms(score, 3, 2), &given);
    assert_eq!(votes(&count.stages[0], 0), ["9", "10", "4"]);
    assert_eq!(count.support.iter().map(|votes| votes.text(0)).collect::<Vec<_>>(), ["3", "4", "1"]);
}

#[test]
fn no_points_and_0_points_are_the_same() {
    let with = |method: Method, given: &[(u32, u32)]| {
        let given = given.iter().map(|(number, points)| (candidates(&[*number])[0], *points));
        let mut some_gone = terms(method, 3, 1);
        some_gone.candidates[2] = Standing::Withdrawn;
        let count = counted(some_gone, &[Ballot::of(Marks::Points(given.collect()))]);
        let faults: Vec<Fault> = count.ballots.faults.iter().map(|sum| sum.fault).collect();
        (count.ballots.valid.voters, faults)
    };
    let score = |least_marked| Method::Score(Score { most: 5, least_marked });
    assert_eq!(with(score(2), &[(1, 5)]), (0, vec![Fault::TooFew]));
    assert_eq!(with(score(2), &[(1, 5), (2, 0)]), (0, vec![Fault::TooFew]));
    assert_eq!(with(score(2), &[(1, 5), (2, 1)]), (1, vec![]));
    assert_eq!(with(score(1), &[(1, 0), (2, 0)]), (0, vec![Fault::Blank]));
    assert_eq!(with(score(1), &[(1, 5), (3, 0)]), (1, vec![]));
    let cumulative = Method::Cumulative(Cumulative { votes: 3, most_for_one: 3, needs_all_votes: false });
    assert_eq!(with(cumulative.clone(), &[(1, 0)]), (0, vec![Fault::Blank]));
    assert_eq!(with(cumulative, &[(1, 1), (2, 0)]), (1, vec![]));
    // Such a mark still has to be one.
    assert_eq!(with(score(1), &[(1, 5), (4, 0)]), (0, vec![Fault::NoSuchCandidate]));
    assert_eq!(with(score(1), &[(1, 5), (1, 0)]), (0, vec![Fault::Repeated]));
}

#[test]
fn everybody_who_has_the_required_share_of_yes_is_elected_unless_seats_are_fewer() {
    let settings = PerCandidate {
        requirement: Requirement { base: ShareBase::YesAndNo, threshold: Threshold::MORE_THAN_HALF },
        ranking: YesRanking::Yes,
        unanswered: Unanswered::Abstains,
    };
    let answer = |voters: u64, letters: &str| {
        let answer = |letter| match letter {
            'y' => CandidateAnswer::Yes,
            'n' => CandidateAnswer::No,
            _ => CandidateAnswer::Abstain,
        };
        let answers = (1..).zip(letters.chars()).map(|(number, letter)| (candidates(&[number])[0], answer(letter)));
        ballots(voters, Marks::Answers(answers.collect()))
    };
    // Candidate 1: 6 yes, 4 no. 2: 3 yes, 1 no. 3: 2 yes, 2 no.
    let votes = [answer(3, "yy"), answer(2, "y-y"), answer(1, "yn"), answer(2, "n-n"), answer(2, "n")];
    let mut unlimited = terms(Method::PerCandidate(settings), 3, 1);
    unlimited.seats = None;
    let count = counted(unlimited, &votes);
    assert_eq!((elected(&count), vacancies(&count)), (vec![1, 2], None));
    assert_eq!(count.elected[0].by, ElectedBy::RequiredShare);
    let Details::Answers(answers) = &count.details else { panic!("{:?}", count.details) };
    assert_eq!(
        (answers[1].yes.text(0), answers[1].no.text(0), answers[1].abstain.text(0)),
        ("3".into(), "1".into(), "6".into())
    );
    assert!(!answers[2].is_met);
    assert_eq!(elected(&counted(terms(Method::PerCandidate(settings), 3, 1), &votes)), [1]);
    let by_difference = PerCandidate { ranking: YesRanking::YesLessNo, ..settings };
    let count = counted(terms(Method::PerCandidate(by_difference), 3, 1), &votes);
    let tie = Tie { stage: 1, matter: TieMatter::Seats { candidates: candidates(&[1, 2]), seats: 1 } };
    assert_eq!(count.outcome, Outcome::Tied(tie));
}

#[test]
fn approvals_have_no_limit_and_can_need_a_least_support() {
    let limits = ChoiceLimits { least: 1, most: None, repeated: Repetition::CountsOnce };
    let mut approval = terms(Method::Approval(limits), 4, 3);
    approval.least_support = Some(Requirement { base: ShareBase::ValidBallots, threshold: Threshold::AT_LEAST_HALF });
    let count = counted(approval, &[choices(2, &[1, 2, 3, 4]), choices(1, &[1, 2]), choices(1, &[1])]);
    assert_eq!(votes(&count.stages[0], 0), ["4", "3", "2", "2"]);
    let tie = Tie { stage: 1, matter: TieMatter::Seats { candidates: candidates(&[3, 4]), seats: 1 } };
    assert_eq!((elected(&count), count.outcome), (vec![1, 2], Outcome::Tied(tie)));
}
