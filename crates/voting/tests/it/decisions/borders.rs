//! Cases in which one vote, or 0.0001 of one, decides.

use plenum_kernel::{
    Attendance, Base, Comparison, Condition, DecisionRule, EachOption, Fraction, Majority, Minimum, OnTie,
    PresenceRule, Quorum, Seats, Threshold, Unit, Units,
};
use plenum_voting::{Count, Decision};
use rust_decimal::Decimal;

use crate::decisions::scene::{Scene, decimal, texts};

fn majority(base: Base, threshold: Threshold, units: Units) -> Majority {
    Majority::new(vec![Condition { units, base, threshold, blocking_minority: None }], OnTie::Rejected).unwrap()
}

#[test]
fn two_thirds_of_three_and_of_604_5_are_exact() {
    let more_than = || majority(Base::YesPlusNo, Threshold::MORE_THAN_TWO_THIRDS, Units::Weight);
    let at_least = || majority(Base::YesPlusNo, Threshold::AT_LEAST_TWO_THIRDS, Units::Weight);
    for (yes, no) in [("2", "1"), ("403", "201.5")] {
        let votes = [(yes, 0), (no, 1)];
        assert_eq!(Scene::motion(more_than()).with_weights(&votes).result().decision, Decision::Rejected, "{yes}");
        assert_eq!(Scene::motion(at_least()).with_weights(&votes).result().decision, Decision::Accepted, "{yes}");
    }
    let above = Scene::motion(more_than()).with_weights(&[("403.0001", 0), ("201.4999", 1)]);
    assert_eq!(above.result().decision, Decision::Accepted);
    let below = Scene::motion(at_least()).with_weights(&[("402.9999", 0), ("201.5001", 1)]);
    assert_eq!(below.result().decision, Decision::Rejected);
}

#[test]
fn a_base_of_zero_never_passes() {
    let lowest = Threshold::new(Comparison::AtLeast, Fraction::new(1, 1_000_000).unwrap()).unwrap();
    for base in [Base::YesPlusNo, Base::VotesCast, Base::WholeRegister, Base::ConnectedAtOpening] {
        for threshold in [Threshold::MORE_THAN_HALF, lowest] {
            let result = Scene::motion(majority(base, threshold, Units::Both)).result();
            assert_eq!(result.decision, Decision::Rejected, "{base:?}");
            assert!(result.arithmetic.checks.iter().all(|check| check.needed.is_none() && !check.is_tie));
        }
    }
}

#[test]
fn votes_without_weight_reach_nothing_by_weight() {
    let motion = |units| Scene::motion(Majority::simple(units)).with_weights(&[("0", 0), ("0", 0)]).result().decision;
    assert_eq!(motion(Units::Heads), Decision::Accepted);
    assert_eq!(motion(Units::Weight), Decision::Rejected);
    assert_eq!(motion(Units::Both), Decision::Rejected);
}

#[test]
fn both_units_must_pass() {
    let motion = |votes: &[(&str, usize)]| Scene::motion(Majority::simple(Units::Both)).with_weights(votes).result();
    assert_eq!(motion(&[("1", 0), ("1", 0), ("1.5", 1)]).decision, Decision::Accepted);
    assert_eq!(motion(&[("1", 0), ("1", 0), ("2", 1)]).decision, Decision::Rejected);
    assert_eq!(motion(&[("3", 0), ("1", 1)]).decision, Decision::Rejected);
}

#[test]
fn a_rule_may_combine_any_shares_in_two_units() {
    let share = Fraction::new(625, 1_000).unwrap();
    let of_weight = Condition {
        units: Units::Weight,
        base: Base::YesPlusNo,
        threshold: Threshold::new(Comparison::AtLeast, share).unwrap(),
        blocking_minority: None,
    };
    let of_heads = Majority::simple(Units::Heads).conditions()[0];
    let rule = || Majority::new(vec![of_heads, of_weight], OnTie::Rejected).unwrap();
    let motion = |votes: &[(&str, usize)]| Scene::motion(rule()).with_weights(votes).result().decision;
    assert_eq!(motion(&[("2.5", 0), ("2.5", 0), ("3", 1)]), Decision::Accepted);
    assert_eq!(motion(&[("2.5", 0), ("2.4999", 0), ("3", 1)]), Decision::Rejected);
    assert_eq!(motion(&[("5", 0), ("3", 1)]), Decision::Rejected);
}

#[test]
fn the_rule_decides_a_tie() {
    let on_tie = |on_tie| {
        let conditions = Majority::simple(Units::Heads).conditions().to_vec();
        let motion = Scene::motion(Majority::new(conditions, on_tie).unwrap());
        motion.with_heads(3, 3, 1, 0).result()
    };
    let (rejected, accepted) = (on_tie(OnTie::Rejected), on_tie(OnTie::Accepted));
    assert_eq!((rejected.decision, accepted.decision), (Decision::Rejected, Decision::Accepted));
    assert!(rejected.arithmetic.checks[0].is_tie && accepted.arithmetic.checks[0].is_tie);
}

#[test]
fn an_accepted_tie_does_not_meet_the_other_condition() {
    let tied = Majority::simple(Units::Heads).conditions()[0];
    let of_all = Majority::of_all_members(Units::Heads).conditions()[0];
    let rule = Majority::new(vec![tied, of_all], OnTie::Accepted).unwrap();
    // 5 of 10 are half of the register as well, but the second condition needs more than half, and a tie does not meet
    // it.
    assert_eq!(Scene::motion(rule).with_heads(5, 5, 0, 0).result().decision, Decision::Rejected);
}

#[test]
fn zero_yes_and_zero_no_is_not_a_tie() {
    let conditions = Majority::simple(Units::Heads).conditions().to_vec();
    let motion = Scene::motion(Majority::new(conditions, OnTie::Accepted).unwrap());
    assert_eq!(motion.with_heads(0, 0, 9, 0).result().decision, Decision::Rejected);
}

#[test]
fn present_is_the_set_of_those_who_were_connected_or_voted() {
    let mut scene = Scene::motion(majority(Base::ConnectedAtOpening, Threshold::MORE_THAN_HALF, Units::Both));
    let quorum = Quorum {
        minimum: Minimum::Share(Threshold::AT_LEAST_HALF),
        unit: Unit::Heads,
        attendance: Attendance::Present,
    };
    scene.terms.quorum = Some(quorum);
    // Ten people vote. Four spectators were connected, with two of the voters.
    let mut scene = scene.with_heads(6, 4, 0, 10).with_connected(2);
    scene.terms.connected_at_opening = Count { heads: 6, weight: decimal("6") };
    let result = scene.result();
    assert_eq!(result.present, Count { heads: 14, weight: decimal("14") });
    assert_eq!(result.decision, Decision::Rejected);
    assert_eq!(result.arithmetic.checks[0].whole, decimal("14"));
    assert_eq!(result.quorum.unwrap().attending, decimal("14"));
}

#[test]
fn a_round_that_was_opened_before_keeps_the_larger_number() {
    let mut scene = Scene::motion(majority(Base::ConnectedAtOpening, Threshold::MORE_THAN_HALF, Units::Both));
    scene.terms.presence = PresenceRule::LargerNumber;
    let mut scene = scene.with_heads(6, 4, 0, 10).with_connected(2);
    scene.terms.connected_at_opening = Count { heads: 6, weight: decimal("6") };
    let result = scene.result();
    assert_eq!(result.present, Count { heads: 10, weight: decimal("10") });
    assert_eq!(result.decision, Decision::Accepted);
}

#[test]
fn a_missed_quorum_takes_precedence_over_majority_and_missing_rule() {
    let quorum =
        Quorum { minimum: Minimum::Share(Threshold::AT_LEAST_HALF), unit: Unit::Weight, attendance: Attendance::Voted };
    let mut scene = Scene::motion(Majority::simple(Units::Heads)).with_heads(4, 0, 0, 5);
    scene.terms.quorum = Some(quorum);
    let result = scene.result();
    assert_eq!(result.decision, Decision::QuorumMissed);
    assert!(result.arithmetic.checks[0].is_met);
    let mut scene = Scene::motion(Majority::simple(Units::Heads)).with_heads(4, 0, 0, 5);
    scene.terms.quorum = Some(quorum);
    scene.terms.rule = None;
    assert_eq!(scene.result().decision, Decision::QuorumMissed);
}

#[test]
fn without_a_rule_nothing_is_decided() {
    let mut scene = Scene::motion(Majority::simple(Units::Heads)).with_heads(4, 0, 0, 5);
    scene.terms.rule = None;
    assert_eq!(scene.result().decision, Decision::Undecided);
}

#[test]
fn voters_without_a_vote_are_counted_in_heads_and_in_weight() {
    let mut scene = Scene::motion(Majority::simple(Units::Heads)).with_weights(&[("1.5", 0), ("0.25", 2)]);
    scene.add(2, "0.1", &[]);
    let result = scene.result();
    assert_eq!(result.not_voted, Count { heads: 2, weight: decimal("0.2") });
    assert_eq!(result.invalid, Count { heads: 0, weight: Decimal::ZERO });
}

fn election(seats: Option<u32>, base: Base) -> Scene {
    let condition =
        Condition { units: Units::Heads, base, threshold: Threshold::MORE_THAN_HALF, blocking_minority: None };
    let seats = seats.map(|seats| Seats::new(seats).unwrap());
    Scene::election(&["Anna", "Ben", "Cleo"], DecisionRule::EachOption(EachOption::new(condition, seats).unwrap()))
}

#[test]
fn only_options_with_a_majority_of_their_own_take_seats() {
    // Anna has 6 of 10, Ben 5, Cleo 7.
    let ballots = |mut scene: Scene| {
        scene.add(5, "1", &[0, 1]);
        scene.add(1, "1", &[0, 2]);
        scene.add(4, "1", &[2]);
        scene.add(2, "1", &[2]);
        scene
    };
    let elected = |scene: Scene| {
        let result = ballots(scene).result();
        match &result.decision {
            Decision::Elected { options, tie: None } => texts(&result, options).join(" "),
            other => format!("{other:?}"),
        }
    };
    // 12 votes were cast: 6 are half, and 7 are more.
    assert_eq!(elected(election(None, Base::VotesCast)), "Cleo");
    assert_eq!(elected(election(Some(2), Base::VotesCast)), "Cleo");
    assert_eq!(elected(election(Some(1), Base::WholeRegister)), "Cleo");
}

#[test]
fn a_majority_of_all_does_not_end_a_tie_for_the_last_seat() {
    let mut scene = election(Some(1), Base::VotesCast);
    scene.add(3, "1", &[0, 1]);
    scene.add(1, "1", &[2]);
    let result = scene.result();
    let Decision::NotElected { tie: Some(tie) } = &result.decision else { panic!("{:?}", result.decision) };
    assert_eq!((texts(&result, &tie.options), tie.seats, tie.votes), (vec!["Anna", "Ben"], 1, decimal("3")));
}
