//! The arithmetic in words.

use plenum_kernel::{
    Attendance, Base, Condition, DecisionRule, EachOption, Majority, OnTie, Quorum, Seats, Threshold, Unit, Units,
};

use crate::decisions::scene::Scene;

fn majority(base: Base, threshold: Threshold) -> Majority {
    Majority::new(vec![Condition { units: Units::Weight, base, threshold }], OnTie::Rejected).unwrap()
}

fn sentence(scene: Scene) -> String {
    scene.result().arithmetic.sentence
}

#[test]
fn a_majority_names_its_votes_and_its_requirement() {
    let rule = || majority(Base::YesPlusNo, Threshold::MORE_THAN_TWO_THIRDS);
    assert_eq!(
        sentence(Scene::motion(rule()).with_weights(&[("412.5", 0), ("192", 1), ("30", 2)])),
        "Accepted: 412.5 of 604.5 votes by weight are yes, 68.24 %; more than 2/3, that is 403, were needed"
    );
    assert_eq!(
        sentence(Scene::motion(rule()).with_weights(&[("60", 0), ("40", 1)])),
        "Rejected: 60 of 100 votes by weight are yes, 60.00 %; \
         more than 2/3, that is at least 66.6667 (rounded up), were needed"
    );
}

#[test]
fn each_base_has_its_words() {
    let with = |base| {
        sentence(Scene::motion(majority(base, Threshold::AT_LEAST_HALF)).with_heads(3, 1, 1, 5).with_connected(8))
    };
    assert_eq!(
        with(Base::VotesCast),
        "Accepted: 3 of 5 votes by weight, abstentions included, are yes, 60.00 %; at least 1/2, that is 2.5, were needed"
    );
    assert_eq!(
        with(Base::WholeRegister),
        "Rejected: 3 of 10 in the whole register by weight are yes, 30.00 %; at least 1/2, that is 5, were needed"
    );
    assert_eq!(
        with(Base::ConnectedAtOpening),
        "Rejected: 3 of 8 present by weight are yes, 37.50 %; at least 1/2, that is 4, were needed"
    );
}

#[test]
fn a_tie_is_named() {
    let motion = Scene::motion(Majority::simple(Units::Heads));
    assert_eq!(
        sentence(motion.with_heads(10, 10, 0, 0)),
        "Rejected: 10 of 20 votes by heads are yes, 50.00 %; \
         more than 1/2, that is at least 11, were needed; a tie is rejected"
    );
}

#[test]
fn of_several_conditions_each_says_whether_it_was_met() {
    let mut scene = Scene::motion(Majority::condominium(Units::Heads));
    scene.add(7, "6", &[0]);
    scene.add(3, "6", &[1]);
    scene.add(4, "10", &[]);
    assert_eq!(
        sentence(scene),
        "Rejected: 7 of 10 votes by heads are yes, 70.00 %; more than 2/3, that is at least 7, were needed (met); \
         and 42 of 100 in the whole register by weight are yes, 42.00 %; \
         at least 1/2, that is 50, were needed (not met)"
    );
}

#[test]
fn a_share_of_zero_has_no_percentage() {
    assert_eq!(
        sentence(Scene::motion(Majority::simple(Units::Heads)).with_heads(0, 0, 2, 0)),
        "Rejected: 0 of 0 votes by heads are yes; no share of nothing is enough"
    );
}

#[test]
fn a_quorum_has_a_sentence_of_its_own() {
    let with = |attendance| {
        let mut scene = Scene::motion(Majority::simple(Units::Heads)).with_heads(1, 0, 0, 3).with_connected(2);
        scene.terms.quorum = Some(Quorum { threshold: Threshold::AT_LEAST_HALF, unit: Unit::Heads, attendance });
        scene.result().arithmetic
    };
    let present = with(Attendance::Present);
    assert_eq!(
        present.quorum.unwrap(),
        "Quorum met: 2 of 4 in the register by heads were present, 50.00 %; at least 1/2, that is 2, were needed"
    );
    assert!(present.sentence.starts_with("Accepted: 1 of 1 votes by heads"));
    let voted = with(Attendance::Voted);
    let missed = "Quorum missed: 1 of 4 in the register by heads voted, 25.00 %; at least 1/2, that is 2, were needed";
    assert_eq!((voted.quorum.as_deref(), voted.sentence.as_str()), (Some(missed), missed));
}

#[test]
fn without_a_rule_the_sentence_says_so() {
    let mut scene = Scene::motion(Majority::simple(Units::Heads));
    scene.terms.rule = None;
    assert_eq!(sentence(scene), "Not decided: the question has no decision rule");
}

fn plurality(seats: u32, votes: [u32; 4]) -> String {
    let rule = DecisionRule::Plurality { unit: Unit::Heads, seats: Seats::new(seats).unwrap() };
    let mut scene = Scene::election(&["Anna", "Ben", "Cleo", "Dora"], rule);
    for (place, people) in votes.into_iter().enumerate() {
        scene.add(people, "1", &[place]);
    }
    sentence(scene)
}

#[test]
fn an_election_names_the_elected_options_and_the_tied_ones() {
    assert_eq!(plurality(2, [7, 12, 3, 1]), "Elected: Ben with 12 votes by heads; Anna with 7 votes by heads");
    assert_eq!(
        plurality(2, [7, 12, 7, 7]),
        "Elected: Ben with 12 votes by heads; \
         a tie for the last seat between Anna, Cleo and Dora with 7 votes by heads each"
    );
    assert_eq!(
        plurality(2, [7, 1, 7, 7]),
        "None is elected; a tie for the last 2 seats between Anna, Cleo and Dora with 7 votes by heads each"
    );
    assert_eq!(plurality(2, [0; 4]), "None is elected; no option has votes by heads");
}

#[test]
fn options_with_their_own_majority_name_their_requirement() {
    let with = |units, votes: &[(&str, &[usize])]| {
        let condition = Condition { units, base: Base::VotesCast, threshold: Threshold::MORE_THAN_HALF };
        let rule = DecisionRule::EachOption(EachOption::new(condition, None).unwrap());
        let mut scene = Scene::election(&["Anna", "Ben"], rule);
        for (weight, places) in votes {
            scene.add(1, weight, places);
        }
        sentence(scene)
    };
    assert_eq!(
        with(Units::Heads, &[("1", &[0]), ("1", &[0, 1]), ("1", &[0])]),
        "Elected: Anna with 3 of 3 votes by heads, 100.00 %; \
         of 3 votes by heads, more than 1/2, that is at least 2, were needed"
    );
    assert_eq!(
        with(Units::Both, &[("2.5", &[0]), ("1", &[0]), ("1.5", &[1])]),
        "Elected: Anna with 2 of 3 votes by heads, 66.67 % and 3.5 of 5 votes by weight, 70.00 %; \
         of 3 votes by heads, more than 1/2, that is at least 2, were needed; \
         of 5 votes by weight, more than 1/2, that is 2.5, were needed"
    );
    assert_eq!(
        with(Units::Heads, &[("1", &[0]), ("1", &[1])]),
        "None is elected; of 2 votes by heads, more than 1/2, that is at least 2, were needed"
    );
}
