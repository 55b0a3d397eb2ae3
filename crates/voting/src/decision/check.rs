use plenum_kernel::{Base, BlockingMinority, Condition, OnTie, OptionId, OptionRole, Threshold, Unit};
use rust_decimal::Decimal;

use crate::decision::threshold::{is_met, needed, percent};
use crate::{CastingVote, Count, GroupTally, Needed, OptionTally, Tally};

/// The counts from which a decision follows.
#[derive(Clone, Copy, Debug)]
pub struct DecisionInput<'a> {
    /// The votes.
    pub tally: &'a Tally,
    /// The voters.
    pub register: Count,
    /// The present voters.
    pub present: Count,
    /// The same for each group of the rule, in its order.
    pub groups: &'a [GroupTally],
    /// The casting vote, if one was noted.
    pub casting_vote: Option<&'a CastingVote>,
}

impl<'a> DecisionInput<'a> {
    /// The counts of all voters.
    pub(crate) fn total(&self) -> Scope<'a> {
        let Self { tally, register, present, .. } = *self;
        Scope { group: None, options: &tally.options, votes_cast: tally.votes_cast, register, present }
    }

    /// The counts of each group.
    pub(crate) fn each_group(&self) -> impl Iterator<Item = Scope<'a>> {
        self.groups.iter().enumerate().map(|(place, group)| Scope {
            group: Some(place),
            options: &group.options,
            votes_cast: group.votes_cast,
            register: group.register,
            present: group.present,
        })
    }
}

/// The people among whom a condition is measured: all voters, or those of one group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'a> {
    group: Option<usize>,
    options: &'a [OptionTally],
    votes_cast: Count,
    register: Count,
    present: Count,
}

impl Scope<'_> {
    fn of_role(&self, role: OptionRole) -> Count {
        let options = self.options.iter().filter(|option| option.option.role == role);
        options.fold(Count::default(), |sum, option| sum.plus(option.count))
    }

    fn base(&self, base: Base) -> Count {
        match base {
            Base::YesPlusNo => self.of_role(OptionRole::Yes).plus(self.of_role(OptionRole::No)),
            Base::VotesCast => self.votes_cast,
            Base::VotesWithoutAbstentions => self.votes_cast.minus(self.of_role(OptionRole::Abstain)),
            Base::WholeRegister => self.register,
            Base::ConnectedAtOpening => self.present,
        }
    }
}

/// The people who are not in favor, compared with a blocking minority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocking {
    /// The smallest number of people who can prevent the decision.
    pub minority: BlockingMinority,
    /// The people of the base who are not in favor.
    pub against: u64,
}

impl Blocking {
    /// Whether they are too few to prevent the decision.
    pub(crate) fn is_too_small(self) -> bool {
        self.against < u64::from(self.minority.get())
    }
}

/// A condition in one unit, with its numbers and outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// The option. `None` for the yes of a question.
    pub option: Option<OptionId>,
    /// The place of the group among whose members it was measured. `None` for all voters.
    pub group: Option<usize>,
    /// The place of the alternative to which the condition belongs.
    pub alternative: usize,
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
    /// Those who are not in favor, if the condition has a blocking minority. If they are too few, it is met.
    pub blocking: Option<Blocking>,
    /// Whether yes and no were equal, if more than half of the two is required.
    pub is_tie: bool,
    /// Whether it was met, also by a tie that counts as a majority, or because too few people are not in favor.
    pub is_met: bool,
}

/// Measures the yes of a question. A tie counts as the rule says. The casting vote of the chair decides a tie of all voters, and
/// none within a group.
pub(crate) fn check_yes(condition: &Condition, ties: Ties, scope: &Scope<'_>) -> Vec<Check> {
    let yes = scope.of_role(OptionRole::Yes);
    let mut checks = check(condition, None, yes, scope);
    for check in &mut checks {
        check.is_tie = condition.can_tie() && !check.whole.is_zero() && check.part * Decimal::TWO == check.whole;
        check.is_met |= check.is_tie && ties.accepts(scope.group);
    }
    checks
}

/// The meaning of ties, with the casting vote if one was noted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ties {
    pub(crate) on_tie: OnTie,
    pub(crate) casting_vote: Option<bool>,
}

impl Ties {
    fn accepts(self, group: Option<usize>) -> bool {
        match self.on_tie {
            OnTie::Rejected => false,
            OnTie::Accepted => true,
            OnTie::CastingVote => group.is_none() && self.casting_vote == Some(true),
        }
    }
}

/// Measures the votes for an option.
pub(crate) fn check_option(condition: &Condition, option: OptionId, votes: Count, scope: &Scope<'_>) -> Vec<Check> {
    check(condition, Some(option), votes, scope)
}

fn check(condition: &Condition, option: Option<OptionId>, votes: Count, scope: &Scope<'_>) -> Vec<Check> {
    let base = scope.base(condition.base);
    let against = base.heads.saturating_sub(votes.heads);
    let blocking = condition.blocking_minority.map(|minority| Blocking { minority, against });
    let in_unit = |unit: Unit| {
        let (part, whole) = (votes.in_unit(unit), base.in_unit(unit));
        let is_deemed_met = blocking.is_some_and(Blocking::is_too_small) && votes.heads > 0;
        Check {
            option,
            group: scope.group,
            alternative: 0,
            unit,
            base: condition.base,
            threshold: condition.threshold,
            part,
            whole,
            percent: percent(part, whole),
            needed: needed(condition.threshold, whole, unit),
            blocking,
            is_tie: false,
            is_met: is_met(condition.threshold, part, whole) || is_deemed_met,
        }
    };
    condition.units.each().iter().copied().map(in_unit).collect()
}
