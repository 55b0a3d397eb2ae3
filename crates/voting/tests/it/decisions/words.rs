//! The arithmetic in words.

use plenum_kernel::{
    Attendance, Base, BlockingMinority, Comparison, Condition, DecisionRule, EachOption, Fraction, GroupId, Joined,
    Majority, Minimum, OnTie, Quorum, Seats, Threshold, Unit, Units,
};

use plenum_kernel::testkit::CountingIds;

use crate::decisions::scene::Scene;

fn majority(base: Base, threshold: Threshold) -> Majority {
    Majority::new(vec![Condition { units: Units::Weight, base, threshold, blocking_minority: None }], OnTie::Rejected)
        .unwrap()
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
fn a_casting_vote_is_named_or_open() {
    let rule = || Majority::new(Majority::simple(Units::Heads).conditions().to_vec(), OnTie::CastingVote).unwrap();
    let tied = || Scene::motion(rule()).with_heads(10, 10, 0, 0);
    let share = "10 of 20 votes by heads are yes, 50.00 %; more than 1/2, that is at least 11, were needed; a tie, and";
    assert_eq!(sentence(tied()), format!("Not decided yet: {share} the casting vote is open"));
    assert_eq!(
        sentence(tied().with_casting_vote(true)),
        format!("Accepted: {share} the casting vote of Ada Young is yes")
    );
    assert_eq!(
        sentence(tied().with_casting_vote(false)),
        format!("Rejected: {share} the casting vote of Ada Young is no")
    );
}

#[test]
fn a_casting_vote_that_changes_nothing_is_not_open() {
    let rule = |conditions: Vec<Condition>| Majority::new(conditions, OnTie::CastingVote).unwrap();
    let half = Majority::simple(Units::Heads).conditions().to_vec();
    let tie = "10 of 20 votes by heads are yes, 50.00 %; more than 1/2, that is at least 11, were needed; \
               a tie, and a casting vote would not change the result (not met)";
    // A group is against it.
    let in_each = rule(vec![half[0]]).in_each_of(vec![GroupId::new(&CountingIds::new())]).unwrap();
    let mut motion = Scene::motion(in_each);
    motion.add_to_group((0, "Tenants"), 1, &[0]);
    motion.add_to_group((0, "Tenants"), 3, &[1]);
    motion.add(9, "1", &[0]);
    motion.add(7, "1", &[1]);
    assert_eq!(
        sentence(motion),
        format!(
            "Rejected: in total, {tie}; and among Tenants, 1 of 4 votes by heads is yes, 25.00 %; \
             more than 1/2, that is at least 3, were needed (not met)"
        )
    );
    // An alternative is met.
    let third = Threshold::new(Comparison::AtLeast, Fraction::new(1, 3).unwrap()).unwrap();
    let alternatives = rule(vec![half[0], Condition { threshold: third, ..half[0] }]).joined_by(vec![Joined::Or]);
    assert_eq!(
        sentence(Scene::motion(alternatives).with_heads(10, 10, 0, 0)),
        format!(
            "Accepted: {tie}; or 10 of 20 votes by heads are yes, 50.00 %; \
             at least 1/3, that is 7, were needed (met)"
        )
    );
}

#[test]
fn of_alternatives_one_is_enough() {
    let conditions = [Majority::two_thirds(Units::Heads), Majority::simple(Units::Weight)];
    let conditions = conditions.iter().flat_map(|majority| majority.conditions().to_vec()).collect();
    let rule = Majority::new(conditions, OnTie::Rejected).unwrap().joined_by(vec![Joined::Or]);
    assert_eq!(
        sentence(Scene::motion(rule).with_weights(&[("6", 0), ("2", 1)])),
        "Accepted: 1 of 2 votes by heads is yes, 50.00 %; at least 2/3, that is 2, were needed (not met); \
         or 6 of 8 votes by weight are yes, 75.00 %; more than 1/2, that is 4, were needed (met)"
    );
}

#[test]
fn a_blocking_minority_is_named_where_it_matters() {
    let condition = Condition {
        blocking_minority: BlockingMinority::new(4).ok(),
        ..Majority::two_thirds(Units::Heads).conditions()[0]
    };
    let motion = |yes, no| {
        let rule = Majority::new(vec![condition], OnTie::Rejected).unwrap();
        sentence(Scene::motion(rule).with_heads(yes, no, 0, 0))
    };
    assert_eq!(
        motion(3, 3),
        "Accepted: 3 of 6 votes by heads are yes, 50.00 %; at least 2/3, that is 4, were needed; \
         3 people are not in favor, fewer than the 4 of a blocking minority"
    );
    assert_eq!(
        motion(4, 4),
        "Rejected: 4 of 8 votes by heads are yes, 50.00 %; at least 2/3, that is 6, were needed; \
         4 people are not in favor, and a blocking minority has 4"
    );
    assert_eq!(motion(8, 4), "Accepted: 8 of 12 votes by heads are yes, 66.67 %; at least 2/3, that is 8, were needed");
}

#[test]
fn groups_are_named_with_their_conditions() {
    let ids = CountingIds::new();
    let groups = vec![GroupId::new(&ids), GroupId::new(&ids)];
    let rule = Majority::simple(Units::Heads).in_each_of(groups).unwrap();
    let mut motion = Scene::motion(rule);
    motion.add_to_group((0, "Tenants"), 9, &[0]);
    motion.add_to_group((1, "Owners"), 1, &[0]);
    motion.add_to_group((1, "Owners"), 2, &[1]);
    assert_eq!(
        sentence(motion),
        "Rejected: in total, 10 of 12 votes by heads are yes, 83.33 %; \
         more than 1/2, that is at least 7, were needed (met); \
         and among Tenants, 9 of 9 votes by heads are yes, 100.00 %; \
         more than 1/2, that is at least 5, were needed (met); \
         and among Owners, 1 of 3 votes by heads is yes, 33.33 %; \
         more than 1/2, that is at least 2, were needed (not met)"
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
        scene.terms.quorum =
            Some(Quorum { minimum: Minimum::Share(Threshold::AT_LEAST_HALF), unit: Unit::Heads, attendance });
        scene.result().arithmetic
    };
    let present = with(Attendance::Present);
    assert_eq!(
        present.quorum.unwrap(),
        "Quorum met: 2 of 4 in the register by heads were present, 50.00 %; at least 1/2, that is 2, were needed"
    );
    assert!(present.sentence.starts_with("Accepted: 1 of 1 vote by heads is yes"));
    let voted = with(Attendance::Voted);
    let missed = "Quorum missed: 1 of 4 in the register by heads voted, 25.00 %; at least 1/2, that is 2, were needed";
    assert_eq!((voted.quorum.as_deref(), voted.sentence.as_str()), (Some(missed), missed));
}

#[test]
fn one_is_told_from_several() {
    let mut scene = Scene::motion(Majority::simple(Units::Heads)).with_heads(1, 0, 0, 1).with_connected(1);
    let minimum = Minimum::Share(Threshold::AT_LEAST_HALF);
    scene.terms.quorum = Some(Quorum { minimum, unit: Unit::Heads, attendance: Attendance::Present });
    let told = scene.result().arithmetic;
    assert_eq!(
        told.quorum.unwrap(),
        "Quorum met: 1 of 2 in the register by heads was present, 50.00 %; at least 1/2, that is 1, was needed"
    );
    assert_eq!(
        told.sentence,
        "Accepted: 1 of 1 vote by heads is yes, 100.00 %; more than 1/2, that is at least 1, was needed"
    );
    let none = Scene::motion(majority(Base::VotesCast, Threshold::AT_LEAST_HALF)).with_heads(0, 1, 0, 0);
    assert_eq!(
        sentence(none),
        "Rejected: 0 of 1 vote by weight, abstentions included, are yes, 0.00 %; at least 1/2, that is 0.5, were needed"
    );
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
    assert_eq!(plurality(1, [1, 0, 0, 0]), "Elected: Anna with 1 vote by heads");
    assert_eq!(
        plurality(1, [1, 1, 0, 0]),
        "None is elected; a tie for the last seat between Anna and Ben with 1 vote by heads each"
    );
}

#[test]
fn options_with_their_own_majority_name_their_requirement() {
    let with = |units, votes: &[(&str, &[usize])]| {
        let condition =
            Condition { units, base: Base::VotesCast, threshold: Threshold::MORE_THAN_HALF, blocking_minority: None };
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
