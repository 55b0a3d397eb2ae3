use plenum_kernel::{Base, BlockingMinority, Condition, Measure, OnTie, OptionId, OptionRole, Threshold, Unit};
use rust_decimal::Decimal;

use crate::decision::threshold::{is_met, needed, percent};
use crate::{CastingVote, Count, GroupTally, Needed, OptionTally, SecondTally, Tally, WeightNames};

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
    /// The same counts by the second weight, if there is one.
    pub second: Option<&'a SecondTally>,
    /// The names of the weights.
    pub weights: WeightNames<'a>,
}

impl<'a> DecisionInput<'a> {
    /// The counts of all voters.
    pub(crate) fn total(&self) -> Scope<'a> {
        let Self { tally, register, present, second, .. } = *self;
        let counts = ScopeCounts { options: &tally.options, votes_cast: tally.votes_cast, register, present };
        Scope { group: None, counts, second: second.map(SecondTally::total) }
    }

    /// The counts of each group.
    pub(crate) fn each_group(&self) -> impl Iterator<Item = Scope<'a>> {
        let second = self.second;
        self.groups.iter().enumerate().map(move |(place, group)| Scope {
            group: Some(place),
            counts: ScopeCounts::of_group(group),
            second: second.and_then(|second| second.groups.get(place)).map(ScopeCounts::of_group),
        })
    }
}

/// The people among whom a condition is measured: all voters, or those of one group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'a> {
    group: Option<usize>,
    counts: ScopeCounts<'a>,
    /// The counts by the second weight.
    second: Option<ScopeCounts<'a>>,
}

impl<'a> Scope<'a> {
    /// The counts for this measure, with the unit to read in them. A rule in the second weight without one measures nothing: no
    /// round opens with it.
    fn counts_for(&self, measure: Measure) -> (ScopeCounts<'a>, Unit) {
        match measure {
            Measure::Heads => (self.counts, Unit::Heads),
            Measure::Weight => (self.counts, Unit::Weight),
            Measure::SecondWeight => (self.second.unwrap_or_default(), Unit::Weight),
        }
    }
}

/// Counts by one weight.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ScopeCounts<'a> {
    pub(crate) options: &'a [OptionTally],
    pub(crate) votes_cast: Count,
    pub(crate) register: Count,
    pub(crate) present: Count,
}

impl<'a> ScopeCounts<'a> {
    fn of_group(group: &'a GroupTally) -> Self {
        let GroupTally { options, votes_cast, register, present, .. } = group;
        Self { options, votes_cast: *votes_cast, register: *register, present: *present }
    }

    /// The votes for an option, or for yes.
    fn votes_for(&self, option: Option<OptionId>) -> Count {
        let Some(id) = option else { return self.of_role(OptionRole::Yes) };
        let found = self.options.iter().find(|option| option.option.id == id);
        found.map(|option| option.count).unwrap_or_default()
    }

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
    pub unit: Measure,
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
    let mut checks = check(condition, None, scope);
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
pub(crate) fn check_option(condition: &Condition, option: OptionId, scope: &Scope<'_>) -> Vec<Check> {
    check(condition, Some(option), scope)
}

fn check(condition: &Condition, option: Option<OptionId>, scope: &Scope<'_>) -> Vec<Check> {
    let in_measure = |measure: Measure| {
        let (counts, unit) = scope.counts_for(measure);
        let (votes, base) = (counts.votes_for(option), counts.base(condition.base));
        let against = base.heads.saturating_sub(votes.heads);
        let blocking = condition.blocking_minority.map(|minority| Blocking { minority, against });
        let (part, whole) = (votes.in_unit(unit), base.in_unit(unit));
        let is_deemed_met = blocking.is_some_and(Blocking::is_too_small) && votes.heads > 0;
        Check {
            option,
            group: scope.group,
            alternative: 0,
            unit: measure,
            base: condition.base,
            threshold: condition.threshold,
            part,
            whole,
            percent: percent(part, whole),
            needed: needed(condition.threshold, whole, measure),
            blocking,
            is_tie: false,
            is_met: is_met(condition.threshold, part, whole) || is_deemed_met,
        }
    };
    condition.units.each().iter().copied().map(in_measure).collect()
}
