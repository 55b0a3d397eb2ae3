//! For any register, ballots and rule, the engine agrees with the slow count.

use std::collections::BTreeSet;

use chrono::DateTime;
use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{
    Attendance, Base, BlockingMinority, Comparison, Condition, DecisionRule, EachOption, Fraction, GroupId, Joined,
    Majority, Minimum, MinimumAmount, OnTie, Quorum, Seats, Threshold, Unit, Units,
};
use plenum_kernel::{OptionId, OptionRole, QuestionType};
use plenum_voting::{
    Answer, CastingVote, Check, Count, CountedVote, Decision, RegisteredGroup, RoundResult, Tally, WeightNames,
    Wording, decide, is_met, needed,
};
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use rust_decimal::Decimal;

use crate::decisions::scene::Scene;
use crate::decisions::slow_count::{Exact, Hall, Verdict, Voter, reaches, weighted_median};

/// Two of them mean yes, and one means nothing to a decision.
const MOTION: [OptionRole; 5] =
    [OptionRole::Yes, OptionRole::No, OptionRole::Abstain, OptionRole::Choice, OptionRole::Yes];

/// Common weights, which can lead to equal votes, and any others.
fn weight() -> impl Strategy<Value = u32> {
    prop_oneof![Just(0), Just(10_000), (0..=8_u32).prop_map(|quarters| quarters * 2_500), 0..=1_000_000_u32]
}

fn unit() -> impl Strategy<Value = Unit> {
    prop_oneof![Just(Unit::Heads), Just(Unit::Weight)]
}

fn units() -> impl Strategy<Value = Units> {
    prop_oneof![Just(Units::Heads), Just(Units::Weight), Just(Units::Both)]
}

fn fraction() -> impl Strategy<Value = Fraction> {
    let of = |denominator: u32| (1..=denominator).prop_map(move |numerator| (numerator, denominator));
    let any = prop_oneof![(1..=12_u32).prop_flat_map(of), (1..=1_000_000_u32).prop_flat_map(of)];
    let made = any.prop_map(|(numerator, denominator)| Fraction::new(numerator, denominator).unwrap());
    prop_oneof![Just(Fraction::HALF), Just(Fraction::TWO_THIRDS), Just(Fraction::THREE_QUARTERS), made]
}

fn threshold() -> impl Strategy<Value = Threshold> {
    (fraction(), any::<bool>()).prop_map(|(fraction, is_beyond)| {
        let comparison = if is_beyond { Comparison::MoreThan } else { Comparison::AtLeast };
        let all = |_| Threshold::new(Comparison::AtLeast, fraction).unwrap();
        Threshold::new(comparison, fraction).unwrap_or_else(all)
    })
}

fn option_base() -> impl Strategy<Value = Base> {
    prop_oneof![
        Just(Base::VotesCast),
        Just(Base::VotesWithoutAbstentions),
        Just(Base::WholeRegister),
        Just(Base::ConnectedAtOpening),
    ]
}

fn condition() -> impl Strategy<Value = Condition> {
    let base = prop_oneof![Just(Base::YesPlusNo), option_base()];
    let minority = option::weighted(0.2, (2..=5_u32).prop_map(|people| BlockingMinority::new(people).unwrap()));
    (units(), base, threshold(), minority).prop_map(|(units, base, threshold, blocking_minority)| Condition {
        units,
        base,
        threshold,
        blocking_minority,
    })
}

fn on_tie() -> impl Strategy<Value = OnTie> {
    prop_oneof![Just(OnTie::Rejected), Just(OnTie::Accepted), Just(OnTie::CastingVote)]
}

/// The groups of a rule, if it is to be met in each of them.
const GROUPS: usize = 2;

/// The connection of the conditions and the groups, as far as the rule allows them.
fn widened(majority: Majority, are_alternatives: [bool; 2], groups: usize) -> DecisionRule {
    let ids = CountingIds::new();
    let joined = are_alternatives.map(|is_alternative| if is_alternative { Joined::Or } else { Joined::And });
    let number = majority.conditions().len() - 1;
    let majority = majority.joined_by(joined[..number].to_vec());
    let groups = (0..groups).map(|_| GroupId::new(&ids)).collect();
    DecisionRule::Majority(majority.in_each_of(groups).unwrap())
}

fn majority() -> impl Strategy<Value = DecisionRule> {
    let widening = (any::<[bool; 2]>(), prop_oneof![2 => Just(0), 1 => Just(GROUPS)]);
    (vec(condition(), 1..=3), on_tie(), widening).prop_map(|(conditions, on_tie, (are_alternatives, groups))| {
        let fitting = Majority::new(conditions.clone(), on_tie).ok();
        let rejecting = || Majority::new(conditions, OnTie::Rejected).unwrap();
        widened(fitting.unwrap_or_else(rejecting), are_alternatives, groups)
    })
}

fn simple_majority() -> impl Strategy<Value = DecisionRule> {
    (units(), on_tie()).prop_map(|(units, on_tie)| {
        let conditions = Majority::simple(units).conditions().to_vec();
        DecisionRule::Majority(Majority::new(conditions, on_tie).unwrap())
    })
}

fn plurality(options: u32) -> impl Strategy<Value = DecisionRule> {
    (unit(), 1..=options).prop_map(|(unit, seats)| DecisionRule::Plurality { unit, seats: Seats::new(seats).unwrap() })
}

fn each_option(options: u32) -> impl Strategy<Value = DecisionRule> {
    (units(), option_base(), threshold(), option::of(1..=options)).prop_map(|(units, base, threshold, seats)| {
        let seats = seats.filter(|_| units != Units::Both).map(|seats| Seats::new(seats).unwrap());
        DecisionRule::EachOption(
            EachOption::new(Condition { units, base, threshold, blocking_minority: None }, seats).unwrap(),
        )
    })
}

fn quorum() -> impl Strategy<Value = Quorum> {
    let attendance = prop_oneof![Just(Attendance::Present), Just(Attendance::Voted)];
    let amount = (1..=14_u32).prop_map(|people| MinimumAmount::new(people.into(), Unit::Heads).unwrap());
    let minimum = prop_oneof![3 => threshold().prop_map(Minimum::Share), 1 => amount.prop_map(Minimum::Amount)];
    (minimum, unit(), attendance).prop_map(|(minimum, unit, attendance)| Quorum { minimum, unit, attendance })
}

fn hall(roles: Vec<OptionRole>, most_choices: usize) -> impl Strategy<Value = Hall> {
    let choices = btree_set(0..roles.len(), 0..=most_choices);
    let groups = btree_set(0..GROUPS as u16, 0..=GROUPS);
    let voter = (weight(), any::<bool>(), choices, groups).prop_map(|(weight, is_connected, choices, groups)| Voter {
        weight,
        is_connected,
        choices,
        groups,
    });
    vec(voter, 0..=14).prop_map(move |voters| Hall { roles: roles.clone(), voters })
}

fn motion() -> impl Strategy<Value = (Hall, Option<DecisionRule>, Option<Quorum>)> {
    let rule = option::weighted(0.95, prop_oneof![majority(), simple_majority()]);
    (hall(MOTION.to_vec(), 1), rule, option::weighted(0.3, quorum()))
}

fn election() -> impl Strategy<Value = (Hall, Option<DecisionRule>, Option<Quorum>)> {
    (2..=6_u32, any::<bool>()).prop_flat_map(|(options, has_abstention)| {
        let mut roles = vec![OptionRole::Choice; options as usize];
        roles.extend(has_abstention.then_some(OptionRole::Abstain));
        let hall = hall(roles, options as usize).prop_map(with_lone_abstentions);
        let rule = option::weighted(0.95, prop_oneof![plurality(options), each_option(options)]);
        (hall, rule, option::weighted(0.3, quorum()))
    })
}

/// A ballot cannot abstain and choose.
fn with_lone_abstentions(mut hall: Hall) -> Hall {
    for voter in &mut hall.voters {
        if voter.choices.iter().any(|place| hall.roles[*place] == OptionRole::Abstain) {
            voter.choices.retain(|place| hall.roles[*place] == OptionRole::Abstain);
        }
    }
    hall
}

fn weighing(ten_thousandths: u32) -> Decimal {
    Decimal::new(i64::from(ten_thousandths), 4)
}

/// The same hall for the engine.
fn scene(hall: &Hall, question_type: QuestionType, quorum: Option<Quorum>) -> Scene {
    let texts: Vec<String> = (0..hall.roles.len()).map(|place| format!("Option {place}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut scene = Scene::of(question_type, &texts, &hall.roles, None);
    scene.terms.quorum = quorum;
    for voter in &hall.voters {
        let places: Vec<usize> = voter.choices.iter().copied().collect();
        let votes_before = scene.votes.len();
        scene.add(1, &weighing(voter.weight).to_string(), &places);
        let groups: Vec<u16> = voter.groups.iter().copied().collect();
        scene.votes[votes_before..].iter_mut().for_each(|vote| vote.groups.clone_from(&groups));
        if voter.is_connected {
            scene.votes[votes_before..].iter_mut().for_each(|vote| vote.was_connected = true);
            scene.terms.connected_at_opening.add(weighing(voter.weight));
        }
    }
    scene
}

fn verdict(result: &RoundResult) -> Verdict {
    let place = |id: &OptionId| result.round.wording.options.iter().position(|option| option.id == *id).unwrap();
    let places = |options: &[OptionId]| options.iter().map(place).collect::<BTreeSet<usize>>();
    let election = |options: &[OptionId], tie: &Option<plenum_voting::SeatTie>| Verdict::Election {
        elected: places(options),
        tied: tie.as_ref().map(|tie| places(&tie.options)).unwrap_or_default(),
        left: tie.as_ref().map_or(0, |tie| tie.seats as usize),
    };
    match &result.decision {
        Decision::Undecided => Verdict::Undecided,
        Decision::QuorumMissed => Verdict::QuorumMissed,
        Decision::Accepted => Verdict::Accepted,
        Decision::Rejected => Verdict::Rejected,
        Decision::CastingVoteOpen => Verdict::CastingVoteOpen,
        Decision::Elected { options, tie } => election(options, tie),
        Decision::NotElected { tie } => election(&[], tie),
    }
}

fn exact(decimal: Decimal) -> Exact {
    Exact::new(decimal.mantissa(), 10_i128.pow(decimal.scale()))
}

/// `value` rounded half away from zero to this many decimals.
fn rounded(value: Exact, decimals: u32) -> Exact {
    let scale = Exact::from_integer(10_i128.pow(decimals));
    (value * scale).round() / scale
}

fn check_figures(check: &Check) -> Result<(), TestCaseError> {
    let (part, whole) = (exact(check.part), exact(check.whole));
    if check.blocking.is_none() {
        prop_assert_eq!(check.is_met && !check.is_tie, reaches(part, whole, check.threshold));
    }
    let percent = (check.whole != Decimal::ZERO).then(|| rounded(part / whole * Exact::from_integer(100), 2));
    prop_assert_eq!(check.percent.map(exact), percent);
    Ok(())
}

fn agree(hall: &Hall, scene: Scene, rule: Option<DecisionRule>) -> Result<(), TestCaseError> {
    let quorum = scene.terms.quorum;
    let is_fitting = |rule: &DecisionRule| rule.check_for(scene.wording.question_type, &hall.roles).is_ok();
    prop_assert!(rule.iter().all(is_fitting));
    let casting_vote = scene.terms.casting_vote.as_ref().map(|cast| cast.in_favor);
    let result = with_rule(scene, hall, rule);
    prop_assert_eq!(verdict(&result), hall.verdict(result.rule.as_ref(), quorum, casting_vote));
    for check in &result.arithmetic.checks {
        check_figures(check)?;
    }
    for unit in [Unit::Heads, Unit::Weight] {
        let silent = hall.sum(unit, |voter| voter.choices.is_empty());
        prop_assert_eq!(exact(result.not_voted.in_unit(unit)), silent);
        for (place, option) in result.tally.options.iter().enumerate() {
            let votes = hall.sum(unit, |voter| voter.choices.contains(&place));
            prop_assert_eq!(exact(option.count.in_unit(unit)), votes);
        }
    }
    Ok(())
}

fn with_rule(mut scene: Scene, hall: &Hall, rule: Option<DecisionRule>) -> RoundResult {
    if let Some(DecisionRule::Majority(majority)) = &rule {
        scene.terms.groups = (0..majority.in_each().len()).map(|place| registered_group(hall, place)).collect();
    }
    scene.terms.rule = rule;
    scene.result()
}

fn registered_group(hall: &Hall, place: usize) -> RegisteredGroup {
    let (mut register, mut connected) = (Count::default(), Count::default());
    for voter in hall.voters.iter().filter(|voter| voter.groups.contains(&(place as u16))) {
        register.add(weighing(voter.weight));
        if voter.is_connected {
            connected.add(weighing(voter.weight));
        }
    }
    RegisteredGroup { name: format!("Group {place}"), register, connected, represented: Count::default() }
}

fn cast(in_favor: bool) -> CastingVote {
    CastingVote { in_favor, cast_by: "The chair".to_owned(), at: DateTime::UNIX_EPOCH, noted_by: None }
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn motions_are_decided_as_the_slow_count_does(
        (hall, rule, quorum) in motion(),
        casting_vote in option::of(any::<bool>()),
    ) {
        let mut scene = scene(&hall, QuestionType::YesNo, quorum);
        scene.terms.casting_vote = casting_vote.map(cast);
        agree(&hall, scene, rule)?;
    }

    #[test]
    fn elections_are_decided_as_the_slow_count_does((hall, rule, quorum) in election()) {
        agree(&hall, scene(&hall, QuestionType::MultipleChoice, quorum), rule)?;
    }

    #[test]
    fn the_order_of_the_votes_changes_nothing((hall, rule, quorum) in election()) {
        let forth = with_rule(scene(&hall, QuestionType::MultipleChoice, quorum), &hall, rule.clone());
        let mut turned = hall.clone();
        turned.voters.reverse();
        let back = with_rule(scene(&turned, QuestionType::MultipleChoice, quorum), &turned, rule);
        prop_assert_eq!(verdict(&forth), verdict(&back));
        prop_assert_eq!(forth.arithmetic.sentence, back.arithmetic.sentence);
    }

    #[test]
    fn an_exact_share_is_enough_only_for_at_least(threshold in threshold(), times in 1..=1_000_000_i64) {
        let fraction = threshold.fraction();
        let whole = Decimal::new(times * i64::from(fraction.denominator()), 4);
        let share = Decimal::new(times * i64::from(fraction.numerator()), 4);
        let least = Decimal::new(1, 4);
        prop_assert_eq!(is_met(threshold, share, whole), threshold.comparison() == Comparison::AtLeast);
        prop_assert!(is_met(threshold, share + least, whole));
        prop_assert!(!is_met(threshold, share - least, whole));
    }

    #[test]
    fn the_needed_amount_is_the_least_sufficient_one(threshold in threshold(), unit in unit(), whole in 1..=10_000_000_i64) {
        let (whole, step) = match unit {
            Unit::Heads => (Decimal::from(whole), Decimal::ONE),
            Unit::Weight => (Decimal::new(whole, 4), Decimal::new(1, 4)),
        };
        let needed = needed(threshold, whole, unit.into()).unwrap();
        prop_assert_eq!(is_met(threshold, needed.amount, whole), needed.is_enough);
        prop_assert!(is_met(threshold, needed.amount + step, whole));
        prop_assert!(!is_met(threshold, needed.amount - step, whole));
        let fraction = threshold.fraction();
        let share = exact(whole) * Exact::new(fraction.numerator().into(), fraction.denominator().into());
        let is_short = (share * Exact::from_integer(10_000)).is_integer();
        prop_assert_eq!(needed.is_rounded_up, unit == Unit::Weight && !is_short);
        if unit == Unit::Weight && is_short {
            prop_assert_eq!(exact(needed.amount), share);
        }
    }

    #[test]
    fn means_and_medians_are_those_of_the_slow_count(votes in vec((0..=1_000_000_u32, weight()), 0..=12)) {
        let wording = Wording {
            text: "?".to_owned(),
            question_type: QuestionType::Percentage,
            options: Vec::new(),
            rating_max: None,
            max_choices: None,
            election: None,
        };
        let cast = |(value, weight): &(u32, u32)| CountedVote {
            answer: Answer::Number(weighing(*value)),
            weight: weighing(*weight),
            second_weight: None,
            was_connected: false,
            groups: Vec::new(), cast_on: None,
        };
        let cast: Vec<CountedVote> = votes.iter().map(cast).collect();
        let numbers = Tally::count(&wording, &cast).numbers.unwrap();
        let by_weight: Vec<(Exact, Exact)> =
            cast.iter().zip(&votes).map(|(vote, (value, _))| (exact(weighing(*value)), exact(vote.weight))).collect();
        let by_heads: Vec<(Exact, Exact)> =
            by_weight.iter().map(|(value, _)| (*value, Exact::from_integer(1))).collect();
        prop_assert_eq!(numbers.mean.map(exact), mean(&by_heads));
        prop_assert_eq!(numbers.weighted_mean.map(exact), mean(&by_weight));
        prop_assert_eq!(numbers.median.map(exact), weighted_median(&by_heads).map(|median| rounded(median, 4)));
        prop_assert_eq!(
            numbers.weighted_median.map(exact),
            weighted_median(&by_weight).map(|median| rounded(median, 4))
        );
    }
}

fn mean(votes: &[(Exact, Exact)]) -> Option<Exact> {
    let weight: Exact = votes.iter().map(|(_, weight)| weight).sum();
    let sum: Exact = votes.iter().map(|(value, weight)| value * weight).sum();
    (weight != Exact::from_integer(0)).then(|| rounded(sum / weight, 4))
}

/// A rule that does not fit the question, and could only be stored by hand, decides nothing in anybody's favor.
#[test]
fn a_rule_that_does_not_fit_passes_nothing() {
    let hall = Hall { roles: vec![OptionRole::Choice; 2], voters: Vec::new() };
    let mut scene = scene(&hall, QuestionType::MultipleChoice, None);
    scene.add(3, "1", &[0]);
    let tally = Tally::count(&scene.wording, &scene.votes);
    let input = plenum_voting::DecisionInput {
        tally: &tally,
        register: scene.register,
        present: Count::default(),
        groups: &[],
        casting_vote: None,
        second: None,
        weights: WeightNames::default(),
    };
    let rule = DecisionRule::Majority(Majority::of_all_members(Units::Heads));
    assert_eq!(decide(Some(&rule), None, &input), Decision::Rejected);
}
