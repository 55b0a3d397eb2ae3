//! For any register, ballots and rule, the recount agrees with the engine.

use std::collections::BTreeSet;

use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{
    Attendance, Base, BlockingMinority, Comparison, Condition, DecisionRule, EachOption, Fraction, GroupId, Joined,
    Majority, Minimum, MinimumAmount, OnTie, OptionRole, PresenceRule, QuestionType, Quorum, Seats, Secrecy, Threshold,
    Unit, Units,
};
use plenum_result_format::ResultsFile;
use plenum_verify::{read, verify};
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::Index;
use rust_decimal::Decimal;

use crate::hall::{Answered, Hall, RATING_MAX, Voter, meeting, without_rare_weights};

/// Common weights, which can lead to equal votes, and any others.
fn weight() -> impl Strategy<Value = Decimal> {
    let steps =
        prop_oneof![Just(0), Just(10_000), (0..=8_i64).prop_map(|quarters| quarters * 2_500), 0..=1_000_000_i64];
    steps.prop_map(|steps| Decimal::new(steps, 4))
}

fn unit() -> impl Strategy<Value = Unit> {
    prop_oneof![Just(Unit::Heads), Just(Unit::Weight)]
}

fn units() -> impl Strategy<Value = Units> {
    prop_oneof![Just(Units::Heads), Just(Units::Weight), Just(Units::Both)]
}

fn threshold() -> impl Strategy<Value = Threshold> {
    let of = |denominator: u32| (1..=denominator).prop_map(move |numerator| (numerator, denominator));
    let made = prop_oneof![Just((1, 2)), (1..=12_u32).prop_flat_map(of), (1..=1_000_000_u32).prop_flat_map(of)];
    (made, any::<bool>()).prop_map(|((numerator, denominator), is_beyond)| {
        let fraction = Fraction::new(numerator, denominator).unwrap();
        let comparison = if is_beyond { Comparison::MoreThan } else { Comparison::AtLeast };
        Threshold::new(comparison, fraction).unwrap_or_else(|_| Threshold::new(Comparison::AtLeast, fraction).unwrap())
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

fn majority() -> impl Strategy<Value = DecisionRule> {
    let base = prop_oneof![Just(Base::YesPlusNo), Just(Base::YesPlusNo), option_base()];
    let threshold = prop_oneof![Just(Threshold::MORE_THAN_HALF), threshold()];
    let minority = option::weighted(0.2, (2..=5_u32).prop_map(|people| BlockingMinority::new(people).unwrap()));
    let units = prop_oneof![3 => units(), 1 => Just(Units::SecondWeight)];
    let condition = (units, base, threshold, minority);
    let condition = condition.prop_map(|(units, base, threshold, blocking_minority)| Condition {
        units,
        base,
        threshold,
        blocking_minority,
    });
    let on_tie = prop_oneof![Just(OnTie::Rejected), Just(OnTie::Accepted), Just(OnTie::CastingVote)];
    let groups = prop_oneof![2 => Just(0), 1 => Just(GROUPS)];
    (vec(condition, 1..=3), on_tie, any::<[bool; 2]>(), groups).prop_map(|(conditions, on_tie, or, groups)| {
        let fitting = Majority::new(conditions.clone(), on_tie).ok();
        let majority = fitting.unwrap_or_else(|| Majority::new(conditions, OnTie::Rejected).unwrap());
        let joined = or.map(|is_or| if is_or { Joined::Or } else { Joined::And });
        let joined = joined[..majority.conditions().len() - 1].to_vec();
        let ids = CountingIds::new();
        let groups = (0..groups).map(|_| GroupId::new(&ids)).collect();
        DecisionRule::Majority(majority.joined_by(joined).in_each_of(groups).unwrap())
    })
}

/// The groups of a rule, if it is to be met in each of them.
const GROUPS: u16 = 2;

fn election(options: u32) -> impl Strategy<Value = DecisionRule> {
    let plurality = (unit(), 1..=options)
        .prop_map(|(unit, seats)| DecisionRule::Plurality { unit, seats: Seats::new(seats).unwrap() });
    let each = (units(), option_base(), threshold(), option::of(1..=options));
    let each = each.prop_map(|(units, base, threshold, seats)| {
        let seats = seats.filter(|_| units != Units::Both).map(|seats| Seats::new(seats).unwrap());
        DecisionRule::EachOption(
            EachOption::new(Condition { units, base, threshold, blocking_minority: None }, seats).unwrap(),
        )
    });
    prop_oneof![plurality, each]
}

fn quorum() -> impl Strategy<Value = Quorum> {
    let attendance = prop_oneof![Just(Attendance::Present), Just(Attendance::Voted)];
    let amount = (1..=14_u32).prop_map(|people| MinimumAmount::new(people.into(), Unit::Heads).unwrap());
    let minimum = prop_oneof![3 => threshold().prop_map(Minimum::Share), 1 => amount.prop_map(Minimum::Amount)];
    (minimum, unit(), attendance).prop_map(|(minimum, unit, attendance)| Quorum { minimum, unit, attendance })
}

fn hall(
    question_type: QuestionType,
    roles: Vec<OptionRole>,
    rule: impl Strategy<Value = Option<DecisionRule>>,
    answer: impl Strategy<Value = Answered>,
) -> impl Strategy<Value = Hall> {
    let groups = btree_set(0..GROUPS, 0..=usize::from(GROUPS));
    let weights = (weight(), prop_oneof![Just(1_500_000), 0..=10_000_000_000_000_000_i64]);
    let voter = (weights, any::<bool>(), option::weighted(0.8, answer), groups, any::<Index>()).prop_map(
        |((weight, second), is_connected, answer, groups, luck)| {
            let (second, groups) = (Some(Decimal::new(second, 6)), groups.into_iter().collect());
            (Voter { weight, second, is_connected, answer, groups }, luck.index(8) == 0)
        },
    );
    let presence = prop_oneof![3 => Just(PresenceRule::ConnectedOrVoted), 1 => Just(PresenceRule::LargerNumber)];
    let secrecy = prop_oneof![1 => Just(Secrecy::Named), 1 => Just(Secrecy::Unshown), 2 => Just(Secrecy::Secret)];
    let terms = (rule, option::weighted(0.3, quorum()), presence, secrecy, any::<[bool; 3]>());
    (vec(voter, 0..=12), terms, any::<bool>()).prop_map(move |(voters, terms, are_equal)| {
        let (rule, quorum, presence, secrecy, [counts_heads, in_favor, by_kinds]) = terms;
        let groups = groups_of(rule.as_ref());
        // Only the sums of a secret round are known, and none of a group.
        let needs_second = rule.as_ref().is_some_and(DecisionRule::needs_second_weight);
        let cannot_be_secret = groups > 0 || needs_second;
        let secrecy = if cannot_be_secret && secrecy.is_secret() { Secrecy::Unshown } else { secrecy };
        let by_kinds = needs_second || by_kinds && !secrecy.is_secret();
        let casting_vote = has_casting_vote(rule.as_ref()).then_some(in_favor);
        let mut voters = voters_of(voters, secrecy, are_equal);
        voters.iter_mut().for_each(|voter| voter.groups.retain(|place| *place < groups));
        voters.iter_mut().filter(|_| !by_kinds).for_each(|voter| voter.second = None);
        let counts_heads = secrecy.counts_heads(question_type, counts_heads);
        Hall {
            question_type,
            roles: roles.clone(),
            rule,
            quorum,
            presence,
            secrecy,
            counts_heads,
            by_kinds,
            casting_vote,
            voters,
        }
    })
}

fn groups_of(rule: Option<&DecisionRule>) -> u16 {
    match rule {
        Some(DecisionRule::Majority(majority)) => majority.in_each().len() as u16,
        _ => 0,
    }
}

fn has_casting_vote(rule: Option<&DecisionRule>) -> bool {
    matches!(rule, Some(DecisionRule::Majority(majority)) if majority.on_tie() == OnTie::CastingVote)
}

/// The voters, some of whose envelopes do not open if the round is secret, and often with the weight of the first one.
fn voters_of(voters: Vec<(Voter, bool)>, secrecy: Secrecy, are_equal: bool) -> Vec<Voter> {
    let first = voters.first().map(|(voter, _)| voter.weight).unwrap_or_default();
    let voter = |(voter, is_unreadable): (Voter, bool)| Voter {
        weight: if are_equal { first } else { voter.weight },
        answer: voter.answer.map(|answer| match is_unreadable && secrecy.is_secret() {
            true => Answered::Unreadable,
            false => answer,
        }),
        ..voter
    };
    voters.into_iter().map(voter).collect()
}

fn choices(options: usize, most: usize) -> impl Strategy<Value = Answered> {
    let places = btree_set(0..options, 1..=most);
    places.prop_map(|places: BTreeSet<usize>| Answered::Options(places.into_iter().collect()))
}

fn any_hall() -> impl Strategy<Value = Hall> {
    let motion = [OptionRole::Yes, OptionRole::No, OptionRole::Abstain, OptionRole::Choice, OptionRole::Yes];
    let motion = hall(QuestionType::YesNo, motion.into(), option::weighted(0.95, majority()), choices(5, 1));
    let elections = (2..=5_usize).prop_flat_map(|options| {
        let rule = option::weighted(0.95, election(options as u32));
        let roles = [vec![OptionRole::Choice; options], vec![OptionRole::Abstain]].concat();
        let abstains = Just(Answered::Options(vec![options]));
        let answer = prop_oneof![4 => choices(options, options), 1 => abstains];
        hall(QuestionType::MultipleChoice, roles, rule, answer)
    });
    let rating = (1..=RATING_MAX).prop_map(|step| Answered::Number(step.into()));
    let share = weight().prop_map(Answered::Number);
    let text = prop_oneof![Just("Trees"), Just("Benches"), Just("ä")].prop_map(|text| Answered::Text(text.to_owned()));
    prop_oneof![
        3 => motion,
        3 => elections,
        1 => hall(QuestionType::Rating, Vec::new(), Just(None), rating),
        1 => hall(QuestionType::Percentage, Vec::new(), Just(None), share),
        1 => hall(QuestionType::OpenText, Vec::new(), Just(None), text),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_recount_agrees_with_the_engine(hall in any_hall()) {
        let file = meeting(vec![hall.file()]);
        let json = serde_json::to_vec_pretty(&file).unwrap();
        let read: ResultsFile = read(&json).unwrap();
        prop_assert_eq!(&read, &file);
        let report = verify(&read);
        prop_assert!(report.agrees(), "{:#?}", report);
        let new = meeting(vec![without_rare_weights(hall.file())]);
        let report = verify(&new);
        prop_assert!(report.agrees(), "{:#?}", report);
    }
}
