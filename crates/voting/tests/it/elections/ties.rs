//! Decisions of ties.

use plenum_voting::elections::{
    Ballot, ChoiceLimits, CountError, Decided, DecidedBy, DecisionError, ElectedBy, Election, Irv, Marks, Method,
    Outcome, RankingRules, Repetition, ResolvedBy, Tie, TieDecision, TieDecisions, TieMatter, count, draw,
};

use super::profiles::{STV, ballots, candidates, counted, elected, ranking, terms};

/// Four candidates with equal votes for two seats.
fn approval() -> (Election, Vec<Ballot>) {
    let limits = ChoiceLimits { least: 1, most: None, repeated: Repetition::Invalid };
    let election = Election::new(terms(Method::Approval(limits), 4, 2)).unwrap();
    (election, vec![ballots(2, Marks::Choices(candidates(&[1, 2, 3, 4])))])
}

fn tie(numbers: &[u32], seats: u32) -> Tie {
    Tie { stage: 1, matter: TieMatter::Seats { candidates: candidates(numbers), seats } }
}

fn decided(tie: Tie, decided: Decided) -> TieDecisions {
    TieDecisions { made: vec![TieDecision { tie, decided }], ..TieDecisions::default() }
}

#[test]
fn each_kind_of_decision_gives_the_seats_in_its_order() {
    let (election, ballots) = approval();
    let all = tie(&[1, 2, 3, 4], 2);
    let by_hand = decided(all.clone(), Decided::LotByHand { order: vec![3, 1] });
    let result = count(&election, &ballots, &by_hand).unwrap();
    assert_eq!(elected(&result), [3, 1]);
    assert_eq!(result.elected[0].by, ElectedBy::TieDecision(DecidedBy::LotByHand));
    assert_eq!(result.seat_ties[0].by, ResolvedBy::Decision(DecidedBy::LotByHand));
    let run_off = decided(all.clone(), Decided::RunOff { order: vec![4, 2, 1, 3] });
    assert_eq!(elected(&count(&election, &ballots, &run_off).unwrap()), [4, 2]);
    let lot = decided(all.clone(), Decided::Lot { seed: "blue sky".to_owned() });
    let drawn = draw("blue sky", &all);
    assert_eq!(elected(&count(&election, &ballots, &lot).unwrap()), drawn[..2]);
    let seed = TieDecisions { seed: Some("blue sky".to_owned()), ..TieDecisions::default() };
    assert_eq!(elected(&count(&election, &ballots, &seed).unwrap()), drawn[..2]);
}

#[test]
fn a_decision_that_does_not_belong_to_the_count_is_refused() {
    let (election, ballots) = approval();
    let refused = |decisions: TieDecisions| match count(&election, &ballots, &decisions) {
        Err(CountError::Decision(error)) => error,
        other => panic!("{other:?}"),
    };
    let other = tie(&[1, 2, 3], 2);
    let lot = Decided::Lot { seed: String::new() };
    assert_eq!(refused(decided(other.clone(), lot)), DecisionError::NoSuchTie(other));
    for order in [vec![1], vec![1, 1], vec![1, 5]] {
        let all = tie(&[1, 2, 3, 4], 2);
        let wrong = decided(all.clone(), Decided::LotByHand { order });
        assert_eq!(refused(wrong), DecisionError::WrongOrder(all));
    }
}

/// Two candidates at the end with three votes each. At the first stage candidate 1 had more.
fn last_two() -> Vec<Ballot> {
    vec![ballots(3, ranking(&[1])), ballots(2, ranking(&[2])), ballots(1, ranking(&[3, 2]))]
}

#[test]
fn the_last_two_of_an_instant_runoff_tie_for_the_seat() {
    let method = |ties_by_earlier_stages| Method::Irv(Irv { ranking: RankingRules::LENIENT, ties_by_earlier_stages });
    let open = counted(terms(method(false), 3, 1), &last_two());
    let seat = Tie { stage: 2, matter: TieMatter::Seats { candidates: candidates(&[1, 2]), seats: 1 } };
    assert_eq!(open.outcome, Outcome::Tied(seat));
    let by_law = counted(terms(method(true), 3, 1), &last_two());
    assert_eq!((elected(&by_law), by_law.seat_ties[0].by), (vec![1], ResolvedBy::EarlierStage(1)));
}

#[test]
fn a_seed_decides_every_tie_of_a_count() {
    let election = Election::new(terms(STV, 5, 1)).unwrap();
    let groups: Vec<Ballot> = (1..=5).map(|number| ballots(2, ranking(&[number]))).collect();
    let seed = |seed: &str| TieDecisions { seed: Some(seed.to_owned()), ..TieDecisions::default() };
    let first = count(&election, &groups, &seed("one")).unwrap();
    assert_eq!(first, count(&election, &groups, &seed("one")).unwrap());
    assert_eq!(first.stages.len(), 5);
    let winners: std::collections::BTreeSet<u32> =
        (0..40).map(|number| elected(&count(&election, &groups, &seed(&number.to_string())).unwrap())[0]).collect();
    assert_eq!(winners, (1..=5).collect());
}
