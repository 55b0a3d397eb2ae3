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
}

/// The conditions under which a yes/no question is accepted: one, or two that must both be met.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Majority {
    conditions: Vec<Condition>,
    on_tie: OnTie,
}

const MAX_CONDITIONS: usize = 2;

impl Majority {
    /// Checks the conditions.
    ///
    /// # Errors
    /// Names the field and the expected value.
    pub fn new(conditions: Vec<Condition>, on_tie: OnTie) -> Result<Self, RuleError> {
        if conditions.is_empty() || conditions.len() > MAX_CONDITIONS {
            return Err(("conditions", Invalid::new("Must have one or two conditions.")));
        }
        if on_tie == OnTie::Accepted && !conditions.iter().any(Condition::can_tie) {
            let requirement = "A tie can be accepted only if the rule requires more than 1/2 of yes and no.";
            return Err(("tie", Invalid::new(requirement)));
        }
        Ok(Self { conditions, on_tie })
    }

    /// More yes than no.
    pub fn simple(units: Units) -> Self {
        Self::of_one(Condition { units, base: Base::YesPlusNo, threshold: Threshold::MORE_THAN_HALF })
    }

    /// The absolute majority of all members: more than half of the register.
    pub fn of_all_members(units: Units) -> Self {
        Self::of_one(Condition { units, base: Base::WholeRegister, threshold: Threshold::MORE_THAN_HALF })
    }

    /// At least two thirds of yes and no.
    pub fn two_thirds(units: Units) -> Self {
        Self::of_one(Condition { units, base: Base::YesPlusNo, threshold: Threshold::AT_LEAST_TWO_THIRDS })
    }

    /// At least three quarters of yes and no.
    pub fn three_quarters(units: Units) -> Self {
        Self::of_one(Condition { units, base: Base::YesPlusNo, threshold: Threshold::AT_LEAST_THREE_QUARTERS })
    }

    /// The double majority of German condominium law (WEG § 21 Abs. 2 Satz 1 Nr. 1): more than two thirds of the votes,
    /// and at least half of all shares. The weight of an owner is their share. By law each owner has one vote. If
    /// the shares are also the votes, `votes` is the weight.
    pub fn condominium(votes: Units) -> Self {
        let of_votes = Condition { units: votes, base: Base::YesPlusNo, threshold: Threshold::MORE_THAN_TWO_THIRDS };
        let of_shares =
            Condition { units: Units::Weight, base: Base::WholeRegister, threshold: Threshold::AT_LEAST_HALF };
        Self { conditions: vec![of_votes, of_shares], on_tie: OnTie::default() }
    }

    fn of_one(condition: Condition) -> Self {
        Self { conditions: vec![condition], on_tie: OnTie::default() }
    }

    /// One or two conditions. All must be met.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// The meaning of a tie.
    pub const fn on_tie(&self) -> OnTie {
        self.on_tie
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
        if condition.units == Units::Both && seats.is_some() {
            let requirement = "Must be heads or weight: with seats, the options are ranked by their votes.";
            return Err(("unit", Invalid::new(requirement)));
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

    /// The groups that the rule names, in its order. A round keeps their names, and its register who is in them.
    pub fn groups(&self) -> Vec<GroupId> {
        match self {
            Self::Majority(_) | Self::Plurality { .. } | Self::EachOption(_) | Self::Election(_) => Vec::new(),
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

    const OF_CAST: Condition =
        Condition { units: Units::Heads, base: Base::VotesCast, threshold: Threshold::MORE_THAN_HALF };

    fn field<T: std::fmt::Debug>(refused: Result<T, RuleError>) -> &'static str {
        refused.unwrap_err().0
    }

    #[test]
    fn a_majority_has_one_or_two_conditions() {
        assert!(Majority::new(vec![OF_CAST; 2], OnTie::Rejected).is_ok());
        assert_eq!(field(Majority::new(vec![], OnTie::Rejected)), "conditions");
        assert_eq!(field(Majority::new(vec![OF_CAST; 3], OnTie::Rejected)), "conditions");
    }

    #[test]
    fn a_tie_is_accepted_only_if_it_is_possible() {
        let simple = Majority::simple(Units::Weight).conditions()[0];
        assert!(Majority::new(vec![OF_CAST, simple], OnTie::Accepted).is_ok());
        let two_thirds = Majority::two_thirds(Units::Weight).conditions()[0];
        let at_least_half = Condition { threshold: Threshold::AT_LEAST_HALF, ..simple };
        for condition in [OF_CAST, two_thirds, at_least_half] {
            assert_eq!(field(Majority::new(vec![condition], OnTie::Accepted)), "tie", "{condition:?}");
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
