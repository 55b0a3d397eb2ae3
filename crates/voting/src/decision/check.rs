use plenum_kernel::{Base, Condition, OnTie, OptionId, OptionRole, Threshold, Unit};
use rust_decimal::Decimal;

use crate::decision::threshold::{is_met, needed, percent};
use crate::{Count, Needed, Tally};

/// The counts from which a decision follows.
#[derive(Clone, Copy, Debug)]
pub struct DecisionInput<'a> {
    /// The votes.
    pub tally: &'a Tally,
    /// The voters.
    pub register: Count,
    /// The present voters.
    pub present: Count,
}

impl DecisionInput<'_> {
    fn of_role(&self, role: OptionRole) -> Count {
        let options = self.tally.options.iter().filter(|option| option.option.role == role);
        options.fold(Count::default(), |sum, option| sum.plus(option.count))
    }

    fn base(&self, base: Base) -> Count {
        match base {
            Base::YesPlusNo => self.of_role(OptionRole::Yes).plus(self.of_role(OptionRole::No)),
            Base::VotesCast => self.tally.votes_cast,
            Base::VotesWithoutAbstentions => self.tally.votes_cast.minus(self.of_role(OptionRole::Abstain)),
            Base::WholeRegister => self.register,
            Base::ConnectedAtOpening => self.present,
        }
    }
}

/// A condition in one unit, with its numbers and outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// The option. `None` for the yes of a question.
    pub option: Option<OptionId>,
    /// The unit.
    pub unit: Unit,
    /// The base of the share.
    pub base: Base,
    /// The required share.
    pub threshold: Threshold,
    /// The votes for it.
    pub part: Decimal,
    /// The amount of the base.
    pub whole: Decimal,
    /// The share, in percent to 2 decimals. `None` if the base is zero.
    pub percent: Option<Decimal>,
    /// The needed amount. `None` if the base is zero, because then no amount is enough.
    pub needed: Option<Needed>,
    /// Whether yes and no were equal, if more than half of the two is required.
    pub is_tie: bool,
    /// Whether it was met, also by a tie that counts as a majority.
    pub is_met: bool,
}

/// Measures the yes of a question.
pub(crate) fn check_yes(condition: &Condition, on_tie: OnTie, input: &DecisionInput<'_>) -> Vec<Check> {
    let yes = input.of_role(OptionRole::Yes);
    let mut checks = check(condition, None, yes, input);
    for check in &mut checks {
        check.is_tie = condition.can_tie() && !check.whole.is_zero() && check.part * Decimal::TWO == check.whole;
        check.is_met |= check.is_tie && on_tie == OnTie::Accepted;
    }
    checks
}

/// Measures the votes for an option.
pub(crate) fn check_option(
    condition: &Condition,
    option: OptionId,
    votes: Count,
    input: &DecisionInput<'_>,
) -> Vec<Check> {
    check(condition, Some(option), votes, input)
}

fn check(condition: &Condition, option: Option<OptionId>, votes: Count, input: &DecisionInput<'_>) -> Vec<Check> {
    let base = input.base(condition.base);
    let in_unit = |unit: Unit| {
        let (part, whole) = (votes.in_unit(unit), base.in_unit(unit));
        Check {
            option,
            unit,
            base: condition.base,
            threshold: condition.threshold,
            part,
            whole,
            percent: percent(part, whole),
            needed: needed(condition.threshold, whole, unit),
            is_tie: false,
            is_met: is_met(condition.threshold, part, whole),
        }
    };
    condition.units.each().iter().copied().map(in_unit).collect()
}
