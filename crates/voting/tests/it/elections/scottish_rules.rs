//! Single rules of the Scottish count, at their borders.

use plenum_kernel::{Unit, VotingWeight};
use plenum_voting::elections::{
    Action, Ballot, Count, Decided, Elected, ElectedBy, Election, Outcome, ResolvedBy, Standing, Tie, TieDecision,
    TieDecisions, TieMatter, Vacancies, VacancyReason,
};

use super::profiles::{STV, ballots, candidates, counted, elected, ranking, terms, votes};

fn profile(groups: &[(u64, &[u32])]) -> Vec<Ballot> {
    groups.iter().map(|(voters, order)| ballots(*voters, ranking(order))).collect()
}

fn stv(candidates: usize, seats: u32, groups: &[(u64, &[u32])]) -> Count {
    counted(terms(STV, candidates, seats), &profile(groups))
}

/// The candidate that each stage moved votes from.
fn moved(count: &Count) -> Vec<u32> {
    let of = |stage: &plenum_voting::elections::Stage| match &stage.action {
        Action::Surplus { of, .. } => Some(of.number()),
        Action::Exclusion { of, .. } => Some(of[0].number()),
        Action::Count | Action::NextSeat => None,
    };
    count.stages.iter().filter_map(of).collect()
}

#[test]
fn the_quota_ignores_decimals_and_adds_one() {
    for (voters, quota) in [(9, "4.00000"), (10, "4.00000"), (11, "4.00000"), (12, "5.00000")] {
        let count = stv(3, 2, &[(voters, &[1])]);
        assert_eq!(count.stages[0].quota.unwrap().votes.text(5), quota, "{voters}");
    }
}

#[test]
fn a_candidate_with_exactly_the_quota_is_elected_and_has_nothing_to_transfer() {
    let count = stv(4, 2, &[(4, &[1, 4]), (3, &[2]), (3, &[3, 2]), (1, &[4, 3])]);
    assert_eq!(moved(&count), [4]);
    assert_eq!(elected(&count), [1, 3]);
}

/// With 7 votes and a quota of 5, the transfer value is 2/7 = 0.285714…
#[test]
fn transfer_values_are_cut_off_after_five_decimals() {
    let count = stv(4, 2, &[(7, &[1, 2]), (4, &[3]), (3, &[2])]);
    assert_eq!(count.stages[0].quota.unwrap().votes.text(0), "5");
    assert_eq!(votes(&count.stages[1], 5), ["5.00000", "4.99997", "4.00000", "0.00000"]);
    let parcel = count.stages[1].parcels[0];
    assert_eq!(
        (parcel.value.text(5), parcel.papers.text(0), parcel.votes.text(5)),
        ("0.28571".into(), "7".into(), "1.99997".into())
    );
    assert_eq!(count.stages[1].remainder.text(5), "0.00003");
}

#[test]
fn a_paper_keeps_the_value_of_a_surplus_and_is_multiplied_at_the_next_one() {
    // Quota 5 of 14. Candidate 1: 10, surplus 5, value 0.5. Candidate 2: 2 + 10 * 0.5 = 7, surplus 2: 0.5 * 2 / 7 =
    // 0.14285, and 2 / 7 = 0.28571.
    let count = stv(4, 2, &[(10, &[1, 2, 3]), (2, &[2, 4]), (2, &[3])]);
    assert_eq!(votes(&count.stages[1], 5), ["5.00000", "7.00000", "2.00000", "0.00000"]);
    assert_eq!(elected(&count), [1, 2]);
    let further = stv(5, 3, &[(10, &[1, 2, 3]), (2, &[2, 4]), (2, &[3]), (2, &[5])]);
    assert_eq!(further.stages[0].quota.unwrap().votes.text(0), "5");
    let values: Vec<String> = further.stages[2].parcels.iter().map(|parcel| parcel.value.text(5)).collect();
    assert_eq!(values, ["0.14285", "0.28571"]);
}

#[test]
fn the_largest_surplus_goes_first_and_nobody_is_excluded_before_it() {
    let count = stv(5, 3, &[(9, &[1, 4]), (11, &[2, 5]), (1, &[3]), (2, &[4]), (3, &[5])]);
    assert_eq!(count.stages[0].quota.unwrap().votes.text(0), "7");
    assert_eq!(moved(&count)[..2], [2, 1]);
    assert_eq!(elected(&count)[..2], [2, 1]);
}

#[test]
fn equal_surpluses_are_ordered_by_the_most_recent_stage_at_which_they_differed() {
    // Quota 7 of 32. Candidate 1 hands on 14 papers at 0.5 each, so that 2 and 3 have 8 votes. At the first stage 3 had
    // more.
    let groups: [(u64, &[u32]); 6] = [(8, &[1, 2]), (6, &[1, 3]), (4, &[2]), (5, &[3]), (4, &[4]), (5, &[5])];
    let count = stv(5, 4, &groups);
    assert_eq!(votes(&count.stages[1], 0), ["7", "8", "8", "4", "5"]);
    assert_eq!(moved(&count), [1, 3, 2, 4]);
    let Action::Surplus { tie: Some(tie), .. } = &count.stages[2].action else { panic!("{:?}", count.stages[2]) };
    assert_eq!(tie.by, ResolvedBy::EarlierStage(1));
    assert_eq!(elected(&count), [1, 2, 3, 5]);
}

#[test]
fn equal_candidates_are_excluded_by_the_most_recent_stage_at_which_they_differed() {
    // Stage 1: 1 has 5, 2 has 4, 3 has 2, 4 has 3, 5 has 1. Stage 2: candidate 5 is excluded for 3, who has 3 now, as
    // candidate 4.
    let groups: [(u64, &[u32]); 5] = [(5, &[1]), (4, &[2]), (2, &[3, 1]), (3, &[4, 2]), (1, &[5, 3])];
    let count = stv(5, 1, &groups);
    let Action::Exclusion { of, tie: Some(tie), .. } = &count.stages[2].action else { panic!("{:?}", count.stages[2]) };
    assert_eq!((of, tie.by), (&candidates(&[3]), ResolvedBy::EarlierStage(1)));
    // At the end 1 and 2 have 7 votes each, and 2 had fewer at the stage before.
    assert_eq!(moved(&count), [5, 3, 4, 2]);
}

#[test]
fn a_tie_at_all_stages_ends_the_count_and_a_decision_goes_on() {
    let groups: [(u64, &[u32]); 4] = [(4, &[1]), (3, &[2]), (2, &[3, 2]), (2, &[4, 1])];
    let count = stv(4, 1, &groups);
    let tie = Tie { stage: 2, matter: TieMatter::Exclusion { candidates: candidates(&[3, 4]) } };
    assert_eq!((count.outcome, count.stages.len()), (Outcome::Tied(tie.clone()), 1));
    let election = Election::new(terms(STV, 4, 1)).unwrap();
    let decided = |decided: Decided| {
        let decisions =
            TieDecisions { made: vec![TieDecision { tie: tie.clone(), decided }], ..TieDecisions::default() };
        plenum_voting::elections::count(&election, &profile(&groups), &decisions).unwrap()
    };
    assert_eq!(moved(&decided(Decided::LotByHand { order: vec![4] })), [4]);
    assert_eq!(moved(&decided(Decided::RunOff { order: vec![3] })), [3, 4]);
}

#[test]
fn the_last_places_are_filled_without_a_further_transfer() {
    // Quota 4 of 11. Candidate 2 is elected with a surplus of one, which moves nothing to 1 or 3. After the exclusion
    // of 3 one candidate is left for one seat. The papers of 3 still move in its stage, and nothing moves after it.
    let count = stv(4, 2, &[(3, &[1]), (5, &[2, 4]), (2, &[3, 1]), (1, &[4, 3])]);
    assert_eq!(count.stages[0].quota.unwrap().votes.text(0), "4");
    assert_eq!(moved(&count), [2, 4, 3]);
    assert_eq!(votes(count.stages.last().unwrap(), 0), ["5", "4", "0", "0"]);
    let by = |elected: &Elected| (elected.candidate.number(), elected.stage, elected.by);
    let expected = [(2, 1, ElectedBy::Quota), (1, 4, ElectedBy::LastVacancies)];
    assert_eq!(count.elected.iter().map(by).collect::<Vec<_>>(), expected);
}

#[test]
fn as_many_candidates_as_seats_are_elected_at_once() {
    let count = stv(2, 3, &[(3, &[2])]);
    assert_eq!(elected(&count), [2, 1]);
    let vacancies = Some(Vacancies { seats: 1, why: VacancyReason::TooFewCandidates });
    assert_eq!(count.outcome, Outcome::Complete { vacancies });
}

#[test]
fn candidates_without_a_vote_are_excluded_one_after_the_other_without_a_lot() {
    let count = stv(5, 1, &[(4, &[1]), (5, &[2])]);
    assert_eq!(elected(&count), [2]);
    let count = stv(6, 1, &[(4, &[1]), (4, &[2]), (1, &[3, 1])]);
    assert_eq!(moved(&count), [4, 5, 6, 3]);
    let Action::Exclusion { tie: Some(tie), .. } = &count.stages[1].action else { panic!("{:?}", count.stages[1]) };
    assert_eq!(tie.by, ResolvedBy::NoDifference);
    // If one of them would be elected in the end, the lot matters.
    let count = stv(3, 2, &[(4, &[1])]);
    assert!(matches!(count.outcome, Outcome::Tied(_)));
}

#[test]
fn a_seat_that_none_of_the_above_wins_stays_vacant() {
    let mut with_none = terms(STV, 3, 2);
    with_none.candidates[0] = Standing::NoneOfTheAbove;
    let count = counted(with_none, &profile(&[(6, &[1, 2]), (3, &[2]), (2, &[3])]));
    assert_eq!(elected(&count), [2]);
    let vacancies = Some(Vacancies { seats: 1, why: VacancyReason::NoneOfTheAbove });
    assert_eq!(count.outcome, Outcome::Complete { vacancies });
}

#[test]
fn weights_are_multiplied_with_transfer_values_exactly() {
    let weighed = |weight: &str, order: &[u32]| Ballot {
        marks: ranking(order),
        weight: VotingWeight::new(weight.parse().unwrap()).unwrap(),
        voters: 1,
    };
    let mut by_weight = terms(STV, 3, 1);
    by_weight.unit = Unit::Weight;
    by_weight.seats = Some(plenum_kernel::Seats::new(2).unwrap());
    let count = counted(by_weight, &[weighed("7.5001", &[1, 3]), weighed("2.25", &[2]), weighed("1.5", &[3])]);
    // 11.2501 / 3 + 1 = 4. The surplus of 3.5001 of 7.5001 gives the value 0.46667.
    assert_eq!(count.stages[0].quota.unwrap().votes.text(5), "4.00000");
    assert_eq!(votes(&count.stages[1], 5), ["4.00000", "2.25000", "5.000071667"]);
}
