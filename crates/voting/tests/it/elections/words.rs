//! The sentences for a count.

use plenum_voting::elections::{
    Action, Ballot, Candidate, ChoiceLimits, Count, DecidedBy, Elected, ElectedBy, ExclusionReason, Marks, Method,
    Outcome, Plurality, Quota, Repetition, ResolvedBy, ResolvedTie, Tie, TieMatter, Vacancies, VacancyReason, Votes,
    Words,
};

use super::profiles::{STV, ballots, candidates, counted, ranking, terms};

fn names() -> Vec<String> {
    ["Anna", "Bert", "Carla", "Dora"].map(str::to_owned).to_vec()
}

fn stv() -> Count {
    let groups: [(u64, &[u32]); 4] = [(7, &[1, 2]), (4, &[3]), (3, &[2]), (2, &[4, 3])];
    counted(terms(STV, 4, 2), &groups.map(|(voters, order)| ballots(voters, ranking(order))))
}

#[test]
fn each_stage_and_each_elected_candidate_has_a_sentence() {
    let names = names();
    let words = Words { names: &names, decimals: 5 };
    let count = stv();
    let actions: Vec<String> = count.stages.iter().map(|stage| words.action(stage)).collect();
    assert_eq!(
        actions,
        [
            "The first preferences were counted.",
            "The surplus of Anna, 1.00000 votes, was transferred.",
            "Dora had the fewest votes and was excluded."
        ]
    );
    assert_eq!(words.quota(count.stages[0].quota.unwrap()), "The quota is 6.00000.");
    let elected: Vec<String> = count.elected.iter().map(|elected| words.elected(elected)).collect();
    assert_eq!(elected, ["Anna has the quota and is elected.", "Carla has the quota and is elected."]);
}

#[test]
fn one_vote_is_told_from_several() {
    let names = names();
    let words = Words { names: &names, decimals: 0 };
    let half = |votes| Quota { votes: Votes::whole(votes), is_enough: false };
    assert_eq!(words.quota(half(1)), "More than 1 vote is needed.");
    assert_eq!(words.quota(half(2)), "More than 2 votes are needed.");
    let mut stage = stv().stages[1].clone();
    stage.action = Action::Surplus { of: Candidate::numbered(1), surplus: Votes::whole(1), tie: None };
    assert_eq!(words.action(&stage), "The surplus of Anna, 1 vote, was transferred.");
}

#[test]
fn ties_and_their_decisions_have_a_sentence() {
    let names = names();
    let words = Words { names: &names, decimals: 0 };
    let tie = Tie { stage: 3, matter: TieMatter::Exclusion { candidates: candidates(&[2, 3, 4]) } };
    assert_eq!(words.tie(&tie), "Bert, Carla and Dora are equal, and one of them must be excluded at stage 3.");
    let seats = Tie { stage: 1, matter: TieMatter::Seats { candidates: candidates(&[1, 2]), seats: 1 } };
    assert_eq!(words.tie(&seats), "Anna and Bert are equal, and 1 seat is left for them.");
    let lists = Tie { stage: 1, matter: TieMatter::ListSeats { lists: vec![1, 2, 3], seats: 2 } };
    assert_eq!(words.tie(&lists), "Lists 1, 2 and 3 have equal quotients, and 2 seats are left for them.");
    let resolved = ResolvedTie { tie, by: ResolvedBy::EarlierStage(2) };
    assert_eq!(words.resolved(&resolved), "Bert, Carla and Dora were equal. Their votes at stage 2 decided.");
    let mut stage = stv().stages[2].clone();
    let by_lot = ResolvedTie { tie: resolved.tie, by: ResolvedBy::Decision(DecidedBy::LotByHand) };
    let of = vec![Candidate::numbered(4)];
    stage.action = Action::Exclusion { of, why: ExclusionReason::FewestVotes, tie: Some(by_lot) };
    let sentence = "Bert, Carla and Dora were equal. The tie was decided by a lot drawn by hand. \
                    Dora had the fewest votes and was excluded.";
    assert_eq!(words.action(&stage), sentence);
    let elected =
        Elected { candidate: Candidate::numbered(2), stage: 1, by: ElectedBy::TieDecision(DecidedBy::RunOff) };
    assert_eq!(words.elected(&elected), "Bert is elected. The tie was decided by another ballot.");
}

#[test]
fn vacancies_and_faults_have_a_sentence() {
    let names = names();
    let words = Words { names: &names, decimals: 0 };
    let vacancies = Vacancies { seats: 2, why: VacancyReason::NoVotes };
    assert_eq!(words.vacancies(vacancies), "2 seats stay vacant: nobody else has votes.");
    let limits = ChoiceLimits { least: 1, most: Some(1), repeated: Repetition::CountsOnce };
    let method = Method::Plurality(Plurality { limits, requirement: None });
    let votes = [Ballot::of(Marks::Choices(candidates(&[1, 2]))), Ballot::of(Marks::Choices(candidates(&[1])))];
    let count = counted(terms(method, 4, 1), &votes);
    assert_eq!(words.fault(&count.ballots.faults[0]), "Ballots with too many marks, invalid: 1");
    assert_eq!(words.action(&count.stages[0]), "The ballots were counted.");
    assert_eq!(words.elected(&count.elected[0]), "Anna is elected.");
    assert_eq!(count.outcome, Outcome::Complete { vacancies: None });
}
