use plenum_kernel::{Base, Condition, OnTie, OptionId, OptionRole, Threshold, Unit};
use rust_decimal::Decimal;

use crate::decision::threshold::{is_met, needed, percent};
use crate::{Count, Needed, Tally};

/// The counts by which a round is decided.
#[derive(Clone, Copy, Debug)]
pub struct Figures<'a> {
    /// The votes.
    pub tally: &'a Tally,
    /// The voters.
    pub register: Count,
    /// Registered voters who were connected when voting was opened.
    pub connected_at_opening: Count,
}

impl Figures<'_> {
    /// Those who were there. A person who voted was, also if they connected later.
    pub fn present(&self) -> Count {
        self.connected_at_opening.at_least(self.tally.votes_cast)
    }

    fn of_role(&self, role: OptionRole) -> Count {
        let options = self.tally.options.iter().filter(|option| option.option.role == role);
        options.fold(Count::default(), |sum, option| sum.plus(option.count))
    }

    fn base(&self, base: Base) -> Count {
        match base {
            Base::YesPlusNo => self.of_role(OptionRole::Yes).plus(self.of_role(OptionRole::No)),
            Base::VotesCast => self.tally.votes_cast,
            Base::WholeRegister => self.register,
            Base::ConnectedAtOpening => self.present(),
        }
    }
}

/// A condition in one unit, with the figures by which it was met or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// The option that was measured; none where it was the yes of a question.
    pub option: Option<OptionId>,
    /// In what it was counted.
    pub unit: Unit,
    /// Of what the share was taken.
    pub base: Base,
    /// What was wanted.
    pub threshold: Threshold,
    /// The votes for it.
    pub part: Decimal,
    /// The base.
    pub whole: Decimal,
    /// The share, in percent to 2 decimals; none of nothing.
    pub percent: Option<Decimal>,
    /// How much was needed; none of nothing, where nothing is enough.
    pub needed: Option<Needed>,
    /// Whether yes and no were even where more than half of the two is wanted.
    pub is_tie: bool,
    /// Whether it was met, also by a tie that is as good as a majority.
    pub is_met: bool,
}

/// Measures the yes of a question.
pub(crate) fn check_yes(condition: &Condition, on_tie: OnTie, figures: &Figures<'_>) -> Vec<Check> {
    let yes = figures.of_role(OptionRole::Yes);
    let mut checks = check(condition, None, yes, figures);
    for check in &mut checks {
        check.is_tie = condition.knows_ties() && !check.whole.is_zero() && check.part * Decimal::TWO == check.whole;
        check.is_met |= check.is_tie && on_tie == OnTie::Accepted;
    }
    checks
}

/// Measures the votes for an option.
pub(crate) fn check_option(condition: &Condition, option: OptionId, votes: Count, figures: &Figures<'_>) -> Vec<Check> {
    check(condition, Some(option), votes, figures)
}

fn check(condition: &Condition, option: Option<OptionId>, votes: Count, figures: &Figures<'_>) -> Vec<Check> {
    let base = figures.base(condition.base);
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
