use super::{Comparison, RuleError, Seats, Threshold, Unit, Units};
use crate::election::ElectionRule;
use crate::{GroupId, Invalid, OptionRole, QuestionType};

/// The whole of which a share is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// The votes for yes and no. Abstentions do not count.
    YesPlusNo,
    /// All votes cast. An abstention has the effect of a no.
    VotesCast,
    /// The votes cast without those for an option that means abstain.
    VotesWithoutAbstentions,
    /// The whole register. A missing vote has the effect of a no.
    WholeRegister,
    /// The present voters: those of the register who were connected at opening, or voted.
    ConnectedAtOpening,
}

/// One requirement of a majority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Condition {
    /// The units of the count.
    pub units: Units,
    /// The whole of which the share is taken.
    pub base: Base,
    /// The required share.
    pub threshold: Threshold,
    /// The smallest number of people who can prevent the condition from being met.
    pub blocking_minority: Option<BlockingMinority>,
}

/// A number of people: if fewer of the base are not in favor, a condition counts as met whatever its share. Treaty on European
/// Union, Article 16(4): "A blocking minority must include at least four Council members, failing which the qualified majority
/// shall be deemed attained."
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockingMinority(u32);

impl BlockingMinority {
    /// The largest number.
    pub const MAX: u32 = 1_000_000;

    /// Checks a number of people. One person is no minority that a rule could ask for: a share would do.
    ///
    /// # Errors
    /// Names the field and the expected value.
    pub fn new(people: u32) -> Result<Self, RuleError> {
        if (2..=Self::MAX).contains(&people) {
            return Ok(Self(people));
        }
        Err(("blockingMinority", Invalid::new("Must be a whole number from 2 to 1,000,000.")))
    }

    /// The number of people.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl Condition {
    /// Whether a tie is possible: if more than half of yes and no is required, equal numbers decide for neither side.
    pub fn can_tie(&self) -> bool {
        self.base == Base::YesPlusNo
            && self.threshold.comparison() == Comparison::MoreThan
            && self.threshold.fraction().is_half()
    }
}

/// The meaning of a tie: equal numbers of yes and no, if more than half of the two is required.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnTie {
    /// It is not a majority.
    #[default]
    Rejected,
    /// It counts as a majority.
    Accepted,
    /// The chair decides by a casting vote, which is noted after the count.
    CastingVote,
}

/// The connection of a condition with the one before it. "And" binds stronger than "or".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Joined {
    /// Both must be met.
    #[default]
    And,
    /// An alternative begins: it is enough if its conditions are met, or those of another alternative.
    Or,
}

/// The conditions under which a yes/no question is accepted: one to three.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Majority {
    conditions: Vec<Condition>,
    /// The connection of each condition with the one before it, from the second on.
    joined: Vec<Joined>,
    in_each: Vec<GroupId>,
    on_tie: OnTie,
}

const MAX_CONDITIONS: usize = 3;

impl Majority {
    /// The largest number of groups that each need the majority.
    pub const MAX_GROUPS: usize = 30;

    /// Checks the conditions. All of them must be met, in total.
    ///
    /// # Errors
    /// Names the field and the expected value.
    pub fn new(conditions: Vec<Condition>, on_tie: OnTie) -> Result<Self, RuleError> {
        if conditions.is_empty() || conditions.len() > MAX_CONDITIONS {
            return Err(("conditions", Invalid::new("Must have one to three conditions.")));
        }
        if on_tie != OnTie::Rejected && !conditions.iter().any(Condition::can_tie) {
            let requirement = match on_tie {
                OnTie::CastingVote => {
                    "A casting vote decides a tie, and a tie is possible only if the rule requires more than 1/2 of yes and no."
                }
                _ => "A tie can be accepted only if the rule requires more than 1/2 of yes and no.",
            };
            return Err(("tie", Invalid::new(requirement)));
        }
        Ok(Self::with(conditions, on_tie))
    }

    /// The same conditions, each connected like this with the one before it, from the second on.
    ///
    /// # Panics
    /// If there are not as many connections as conditions after the first.
    #[must_use]
    pub fn joined_by(self, joined: Vec<Joined>) -> Self {
        assert_eq!(joined.len() + 1, self.conditions.len(), "each condition after the first has a connection");
        Self { joined, ..self }
    }

    /// The same rule, which must also be met among the members of each of these groups.
    ///
    /// # Errors
    /// Refuses too many groups, and the same one twice.
    pub fn in_each_of(self, groups: Vec<GroupId>) -> Result<Self, RuleError> {
        if groups.len() > Self::MAX_GROUPS {
            return Err(("inEach", Invalid::new("Must have at most 30 groups.")));
        }
        if groups.iter().enumerate().any(|(place, group)| groups[..place].contains(group)) {
            return Err(("inEach", Invalid::new("Must name each group once.")));
        }
        Ok(Self { in_each: groups, ..self })
    }

    /// More yes than no.
    pub fn simple(units: Units) -> Self {
        Self::of_one(Condition {
            units,
            base: Base::YesPlusNo,
            threshold: Threshold::MORE_THAN_HALF,
            blocking_minority: None,
        })
    }

    /// The absolute majority of all members: more than half of the register.
    pub fn of_all_members(units: Units) -> Self {
        Self::of_one(Condition {
            units,
            base: Base::WholeRegister,
            threshold: Threshold::MORE_THAN_HALF,
            blocking_minority: None,
        })
    }

    /// At least two thirds of yes and no.
    pub fn two_thirds(units: Units) -> Self {
        Self::of_one(Condition {
            units,
            base: Base::YesPlusNo,
            threshold: Threshold::AT_LEAST_TWO_THIRDS,
            blocking_minority: None,
        })
    }

    /// At least three quarters of yes and no.
    pub fn three_quarters(units: Units) -> Self {
        Self::of_one(Condition {
            units,
            base: Base::YesPlusNo,
            threshold: Threshold::AT_LEAST_THREE_QUARTERS,
            blocking_minority: None,
        })
    }

    /// The double majority of German condominium law (WEG § 21 Abs. 2 Satz 1 Nr. 1): more than two thirds of the votes,
    /// and at least half of all shares. The weight of an owner is their share. By law each owner has one vote. If
    /// the shares are also the votes, `votes` is the weight.
    pub fn condominium(votes: Units) -> Self {
        let of_votes = Condition {
            units: votes,
            base: Base::YesPlusNo,
            threshold: Threshold::MORE_THAN_TWO_THIRDS,
            blocking_minority: None,
        };
        let of_shares = Condition {
            units: Units::Weight,
            base: Base::WholeRegister,
            threshold: Threshold::AT_LEAST_HALF,
            blocking_minority: None,
        };
        Self::of_all(vec![of_votes, of_shares])
    }

    fn of_one(condition: Condition) -> Self {
        Self::of_all(vec![condition])
    }

    fn of_all(conditions: Vec<Condition>) -> Self {
        Self::with(conditions, OnTie::default())
    }

    fn with(conditions: Vec<Condition>, on_tie: OnTie) -> Self {
        let joined = vec![Joined::And; conditions.len().saturating_sub(1)];
        Self { conditions, joined, in_each: Vec::new(), on_tie }
    }

    /// One to three conditions, in order.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// The meaning of a tie.
    pub const fn on_tie(&self) -> OnTie {
        self.on_tie
    }

    /// The connection of each condition with the one before it, from the second on.
    pub fn joined(&self) -> &[Joined] {
        &self.joined
    }

    /// The alternatives, of which one is enough. Of each, all conditions must be met.
    pub fn alternatives(&self) -> Vec<&[Condition]> {
        let starts_anew = |place: usize| place > 0 && self.joined[place - 1] == Joined::Or;
        let mut starts: Vec<usize> =
            (0..self.conditions.len()).filter(|place| *place == 0 || starts_anew(*place)).collect();
        starts.push(self.conditions.len());
        starts.windows(2).map(|between| &self.conditions[between[0]..between[1]]).collect()
    }

    /// The groups among whose members the rule must be met as well, in their order.
    pub fn in_each(&self) -> &[GroupId] {
        &self.in_each
    }
}

/// A rule by which each option needs its own majority. With seats, the options with the most votes among them are elected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EachOption {
    condition: Condition,
    seats: Option<Seats>,
}

impl EachOption {
    /// Checks the condition that each option must meet.
    ///
    /// # Errors
    /// Names the field and the expected value.
    pub fn new(condition: Condition, seats: Option<Seats>) -> Result<Self, RuleError> {
        if condition.base == Base::YesPlusNo {
            let requirement = "Options receive no votes against them. Use the votes cast, with or without abstentions, the register or the present voters as the base.";
            return Err(("base", Invalid::new(requirement)));
        }
        if condition.units == Units::SecondWeight {
            let requirement = "Must be heads, weight or both: the second weight is for questions of yes and no.";
            return Err(("unit", Invalid::new(requirement)));
        }
        if condition.units == Units::Both && seats.is_some() {
            let requirement = "Must be heads or weight: with seats, the options are ranked by their votes.";
            return Err(("unit", Invalid::new(requirement)));
        }
        if condition.blocking_minority.is_some() {
            let requirement = "Must be left out: options receive no votes against them.";
            return Err(("blockingMinority", Invalid::new(requirement)));
        }
        Ok(Self { condition, seats })
    }

    /// The condition that each option must meet.
    pub const fn condition(&self) -> Condition {
        self.condition
    }

    /// The number of options to elect among those that meet the condition. `None` elects all of them.
    pub const fn seats(&self) -> Option<Seats> {
        self.seats
    }
}

/// The way from a tally to a decision. A question without a rule is counted but not decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DecisionRule {
    /// A yes/no question is accepted or rejected.
    Majority(Majority),
    /// The options with the most votes are elected: a relative majority.
    Plurality {
        /// The unit of the count.
        unit: Unit,
        /// The number of options to elect.
        seats: Seats,
    },
    /// Each option needs a majority of its own.
    EachOption(EachOption),
    /// An election of persons is counted by its method.
    Election(Box<ElectionRule>),
}

impl DecisionRule {
    /// Whether the rule can decide a question of this type, with options of these roles.
    ///
    /// # Errors
    /// Names the field, by its path in a question, and the expected value.
    pub fn check_for(&self, question_type: QuestionType, roles: &[OptionRole]) -> Result<(), RuleError> {
        match (self, question_type) {
            (Self::Majority(_), QuestionType::YesNo) => check_yes_and_no(roles),
            (Self::Plurality { seats, .. }, QuestionType::MultipleChoice) => check_seats(Some(*seats), roles),
            (Self::EachOption(each), QuestionType::MultipleChoice) => check_seats(each.seats, roles),
            (Self::Election(election), QuestionType::Election) => election.check_for(roles.len()),
            _ => Err(("decisionRule", Invalid::new("This rule cannot decide a question of this type."))),
        }
    }

    /// Whether a condition is measured in the second weight of the question.
    pub fn needs_second_weight(&self) -> bool {
        let Self::Majority(majority) = self else { return false };
        majority.conditions().iter().any(|condition| condition.units == Units::SecondWeight)
    }

    /// The groups that the rule names, in its order. A round keeps their names, and its register who is in them.
    pub fn groups(&self) -> Vec<GroupId> {
        match self {
            Self::Majority(majority) => majority.in_each().to_vec(),
            Self::Plurality { .. } | Self::EachOption(_) | Self::Election(_) => Vec::new(),
        }
    }
}

fn check_yes_and_no(roles: &[OptionRole]) -> Result<(), RuleError> {
    if roles.contains(&OptionRole::Yes) && roles.contains(&OptionRole::No) {
        return Ok(());
    }
    Err(("options", Invalid::new("A decision needs an option that means yes and one that means no.")))
}

/// Seats are for options that can be elected. An abstention elects nobody.
fn check_seats(seats: Option<Seats>, roles: &[OptionRole]) -> Result<(), RuleError> {
    let electable = roles.iter().filter(|role| **role == OptionRole::Choice).count();
    match seats {
        Some(seats) if seats.get() as usize > electable => {
            Err(("decisionRule.seats", Invalid::new(format!("Must be a whole number from 1 to {electable}."))))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OF_CAST: Condition = Condition {
        units: Units::Heads,
        base: Base::VotesCast,
        threshold: Threshold::MORE_THAN_HALF,
        blocking_minority: None,
    };

    fn field<T: std::fmt::Debug>(refused: Result<T, RuleError>) -> &'static str {
        refused.unwrap_err().0
    }

    #[test]
    fn a_majority_has_one_to_three_conditions() {
        assert!(Majority::new(vec![OF_CAST; 3], OnTie::Rejected).is_ok());
        assert_eq!(field(Majority::new(vec![], OnTie::Rejected)), "conditions");
        assert_eq!(field(Majority::new(vec![OF_CAST; 4], OnTie::Rejected)), "conditions");
    }

    #[test]
    fn and_binds_stronger_than_or() {
        let conditions: Vec<Condition> = [Units::Heads, Units::Weight, Units::Both]
            .into_iter()
            .map(|units| Condition { units, ..OF_CAST })
            .collect();
        let numbers = |joined: [Joined; 2]| {
            let majority = Majority::new(conditions.clone(), OnTie::Rejected).unwrap().joined_by(joined.to_vec());
            majority.alternatives().iter().map(|alternative| alternative.len()).collect::<Vec<_>>()
        };
        assert_eq!(numbers([Joined::And, Joined::And]), [3]);
        assert_eq!(numbers([Joined::And, Joined::Or]), [2, 1]);
        assert_eq!(numbers([Joined::Or, Joined::And]), [1, 2]);
        assert_eq!(numbers([Joined::Or, Joined::Or]), [1, 1, 1]);
        let alone = Majority::simple(Units::Heads);
        assert_eq!(alone.alternatives(), [alone.conditions()]);
    }

    #[test]
    fn each_group_is_named_once() {
        let ids = crate::testkit::CountingIds::new();
        let groups: Vec<GroupId> = (0..=Majority::MAX_GROUPS).map(|_| GroupId::new(&ids)).collect();
        let in_each = |groups: &[GroupId]| Majority::simple(Units::Heads).in_each_of(groups.to_vec());
        assert_eq!(in_each(&groups[..2]).unwrap().in_each(), &groups[..2]);
        assert_eq!(field(in_each(&groups)), "inEach");
        assert_eq!(field(in_each(&[groups[0], groups[1], groups[0]])), "inEach");
    }

    #[test]
    fn a_blocking_minority_has_two_people_or_more_and_is_for_yes_and_no() {
        assert_eq!(BlockingMinority::new(4).unwrap().get(), 4);
        for people in [0, 1, BlockingMinority::MAX + 1] {
            assert_eq!(field(BlockingMinority::new(people)), "blockingMinority");
        }
        let condition = Condition { blocking_minority: BlockingMinority::new(4).ok(), ..OF_CAST };
        assert!(Majority::new(vec![condition], OnTie::Rejected).is_ok());
        assert_eq!(field(EachOption::new(condition, None)), "blockingMinority");
    }

    #[test]
    fn a_tie_is_accepted_only_if_it_is_possible() {
        let simple = Majority::simple(Units::Weight).conditions()[0];
        assert!(Majority::new(vec![OF_CAST, simple], OnTie::Accepted).is_ok());
        let two_thirds = Majority::two_thirds(Units::Weight).conditions()[0];
        let at_least_half = Condition { threshold: Threshold::AT_LEAST_HALF, ..simple };
        for condition in [OF_CAST, two_thirds, at_least_half] {
            for on_tie in [OnTie::Accepted, OnTie::CastingVote] {
                assert_eq!(field(Majority::new(vec![condition], on_tie)), "tie", "{condition:?}");
            }
        }
    }

    #[test]
    fn the_usual_majorities_pass_the_checks() {
        for majority in [
            Majority::simple(Units::Both),
            Majority::of_all_members(Units::Heads),
            Majority::two_thirds(Units::Heads),
            Majority::three_quarters(Units::Weight),
            Majority::condominium(Units::Heads),
        ] {
            assert_eq!(Majority::new(majority.conditions().to_vec(), majority.on_tie()), Ok(majority));
        }
    }

    #[test]
    fn an_option_rule_has_one_unit_and_a_base_without_no() {
        let of_both = Condition { base: Base::YesPlusNo, ..OF_CAST };
        assert_eq!(field(EachOption::new(of_both, None)), "base");
        let in_both = Condition { units: Units::Both, ..OF_CAST };
        assert!(EachOption::new(in_both, None).is_ok());
        let in_second = Condition { units: Units::SecondWeight, ..OF_CAST };
        assert_eq!(field(EachOption::new(in_second, None)), "unit");
        assert_eq!(field(EachOption::new(in_both, Some(Seats::ONE))), "unit");
        assert_eq!(field(Seats::new(0)), "seats");
    }

    #[test]
    fn a_rule_fits_the_type_and_the_options() {
        let majority = DecisionRule::Majority(Majority::simple(Units::Heads));
        let (yes, no, choice) = (OptionRole::Yes, OptionRole::No, OptionRole::Choice);
        assert_eq!(majority.check_for(QuestionType::YesNo, &[choice, no, yes]), Ok(()));
        assert_eq!(field(majority.check_for(QuestionType::YesNo, &[yes, choice])), "options");
        assert_eq!(field(majority.check_for(QuestionType::YesNo, &[no, choice])), "options");
        let plurality = DecisionRule::Plurality { unit: Unit::Heads, seats: Seats::new(2).unwrap() };
        assert_eq!(plurality.check_for(QuestionType::MultipleChoice, &[choice; 2]), Ok(()));
        assert_eq!(field(plurality.check_for(QuestionType::MultipleChoice, &[choice])), "decisionRule.seats");
        let with_abstention = [choice, OptionRole::Abstain];
        assert_eq!(field(plurality.check_for(QuestionType::MultipleChoice, &with_abstention)), "decisionRule.seats");
        let shares = Condition { units: Units::SecondWeight, ..OF_CAST };
        let with_shares = Majority::new(vec![OF_CAST, shares], OnTie::Rejected).map(DecisionRule::Majority).unwrap();
        assert!(with_shares.needs_second_weight() && !majority.needs_second_weight());
        let each = DecisionRule::EachOption(EachOption::new(OF_CAST, Some(Seats::new(3).unwrap())).unwrap());
        assert_eq!(field(each.check_for(QuestionType::MultipleChoice, &[choice; 2])), "decisionRule.seats");
        for (rule, question_type) in [
            (&majority, QuestionType::MultipleChoice),
            (&majority, QuestionType::Rating),
            (&plurality, QuestionType::YesNo),
            (&plurality, QuestionType::OpenText),
            (&each, QuestionType::Percentage),
        ] {
            assert_eq!(field(rule.check_for(question_type, &[yes, no])), "decisionRule");
        }
    }
}
