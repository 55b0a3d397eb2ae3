//! A second count: slow, obvious, in exact fractions, from the voters themselves, and by other ways than the engine's.
//! It shares the rules' values with the engine, and none of its counting.

use std::collections::BTreeSet;

use num_rational::Ratio;
use plenum_kernel::OptionRole;
use plenum_kernel::{
    Attendance, Base, BlockingMinority, Comparison, Condition, DecisionRule, EachOption, Joined, Majority, Minimum,
    OnTie, Quorum, Threshold, Unit, Units,
};

pub(crate) type Exact = Ratio<i128>;

/// A person in the register.
#[derive(Clone, Debug)]
pub(crate) struct Voter {
    /// Their weight, in ten-thousandths.
    pub(crate) weight: u32,
    /// Whether they were connected when voting was opened.
    pub(crate) is_connected: bool,
    /// The positions of the options that they chose; empty if they did not vote.
    pub(crate) choices: BTreeSet<usize>,
    /// The groups to which they belong.
    pub(crate) groups: BTreeSet<u16>,
}

/// A round to count: the roles of its options, and its register.
#[derive(Clone, Debug)]
pub(crate) struct Hall {
    pub(crate) roles: Vec<OptionRole>,
    pub(crate) voters: Vec<Voter>,
}

/// The result of the slow count.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Undecided,
    QuorumMissed,
    Accepted,
    Rejected,
    CastingVoteOpen,
    /// The positions of elected and of tied options, and the number of seats in the tie.
    Election {
        elected: BTreeSet<usize>,
        tied: BTreeSet<usize>,
        left: usize,
    },
}

impl Hall {
    /// The total of the matching voters.
    pub(crate) fn sum(&self, unit: Unit, fits: impl Fn(&Voter) -> bool) -> Exact {
        let one = |voter: &Voter| match unit {
            Unit::Heads => Exact::from_integer(1),
            Unit::Weight => Exact::new(i128::from(voter.weight), 10_000),
        };
        self.voters.iter().filter(|voter| fits(voter)).map(one).sum()
    }

    fn chose(&self, unit: Unit, role: OptionRole) -> Exact {
        self.sum(unit, |voter| voter.choices.iter().any(|place| self.roles[*place] == role))
    }

    fn cast(&self, unit: Unit) -> Exact {
        self.sum(unit, |voter| !voter.choices.is_empty())
    }

    fn present(&self, unit: Unit) -> Exact {
        self.sum(unit, |voter| voter.is_connected || !voter.choices.is_empty())
    }

    fn base(&self, unit: Unit, base: Base) -> Exact {
        match base {
            Base::YesPlusNo => self.chose(unit, OptionRole::Yes) + self.chose(unit, OptionRole::No),
            Base::VotesCast => self.cast(unit),
            Base::VotesWithoutAbstentions => {
                let abstains = |place: &usize| self.roles[*place] == OptionRole::Abstain;
                self.sum(unit, |voter| !voter.choices.is_empty() && !voter.choices.iter().any(abstains))
            }
            Base::WholeRegister => self.sum(unit, |_| true),
            Base::ConnectedAtOpening => self.present(unit),
        }
    }

    /// Decides by the texts of the rules, one by one.
    pub(crate) fn verdict(
        &self,
        rule: Option<&DecisionRule>,
        quorum: Option<Quorum>,
        casting_vote: Option<bool>,
    ) -> Verdict {
        if quorum.is_some_and(|quorum| !self.has_quorum(quorum)) {
            return Verdict::QuorumMissed;
        }
        match rule {
            None => Verdict::Undecided,
            Some(DecisionRule::Majority(majority)) => self.decide_motion(majority, casting_vote),
            Some(DecisionRule::Plurality { unit, seats }) => {
                let all = self.places().filter(|place| self.roles[*place] == OptionRole::Choice).collect();
                self.elect(&all, *unit, seats.get() as usize)
            }
            Some(DecisionRule::EachOption(each)) => self.elect_each(each),
            Some(DecisionRule::Election(_)) => unreachable!("elections have tests of their own"),
        }
    }

    fn has_quorum(&self, quorum: Quorum) -> bool {
        let attending = match quorum.attendance {
            Attendance::Present => self.present(quorum.unit),
            Attendance::Voted => self.cast(quorum.unit),
        };
        let register = self.sum(quorum.unit, |_| true);
        match quorum.minimum {
            Minimum::Share(threshold) => reaches(attending, register, threshold),
            Minimum::Amount(amount) => {
                let amount = amount.as_decimal();
                let amount = Exact::new(amount.mantissa(), 10_i128.pow(amount.scale()));
                register != Exact::from_integer(0) && attending >= amount
            }
        }
    }

    /// Whether somebody asks the chair is seen from both answers: it matters only if they lead to different decisions.
    fn decide_motion(&self, majority: &Majority, casting_vote: Option<bool>) -> Verdict {
        let with = |is_tie_met: bool| match self.accepts(majority, is_tie_met) {
            true => Verdict::Accepted,
            false => Verdict::Rejected,
        };
        match (majority.on_tie(), casting_vote) {
            (OnTie::Rejected, _) => with(false),
            (OnTie::Accepted, _) => with(true),
            (OnTie::CastingVote, Some(in_favor)) => with(in_favor),
            (OnTie::CastingVote, None) if with(true) == with(false) => with(false),
            (OnTie::CastingVote, None) => Verdict::CastingVoteOpen,
        }
    }

    fn accepts(&self, majority: &Majority, is_tie_met: bool) -> bool {
        let of_group = |group: usize| {
            let voters = self.voters.iter().filter(|voter| voter.groups.contains(&(group as u16)));
            Self { roles: self.roles.clone(), voters: voters.cloned().collect() }
        };
        let is_tie_met_in_groups = majority.on_tie() == OnTie::Accepted;
        self.accepts_alone(majority, is_tie_met)
            && (0..majority.in_each().len()).all(|group| of_group(group).accepts_alone(majority, is_tie_met_in_groups))
    }

    /// Without the groups.
    fn accepts_alone(&self, majority: &Majority, is_tie_met: bool) -> bool {
        let is_met = |condition: &Condition| {
            pairs(*condition).into_iter().all(|(condition, unit)| self.accepts_in(condition, unit, is_tie_met))
        };
        let met: Vec<bool> = majority.conditions().iter().map(is_met).collect();
        match (met.as_slice(), majority.joined()) {
            ([a], []) => *a,
            ([a, b], [Joined::And]) => *a && *b,
            ([a, b], [Joined::Or]) => *a || *b,
            ([a, b, c], [Joined::And, Joined::And]) => *a && *b && *c,
            ([a, b, c], [Joined::And, Joined::Or]) => (*a && *b) || *c,
            ([a, b, c], [Joined::Or, Joined::And]) => *a || (*b && *c),
            ([a, b, c], [Joined::Or, Joined::Or]) => *a || *b || *c,
            _ => unreachable!("a rule has at most three conditions"),
        }
    }

    fn accepts_in(&self, condition: Condition, unit: Unit, is_tie_met: bool) -> bool {
        let in_favor = self.chose(Unit::Heads, OptionRole::Yes);
        let others = self.base(Unit::Heads, condition.base) - in_favor;
        let blocks = |minority: BlockingMinority| others >= Exact::from_integer(i128::from(minority.get()));
        if in_favor > Exact::from_integer(0) && condition.blocking_minority.is_some_and(|minority| !blocks(minority)) {
            return true;
        }
        let (yes, no) = (self.chose(unit, OptionRole::Yes), self.chose(unit, OptionRole::No));
        let asks_for_more_yes_than_no = condition.base == Base::YesPlusNo
            && condition.threshold.comparison() == Comparison::MoreThan
            && share_of(condition.threshold) == Exact::new(1, 2);
        if asks_for_more_yes_than_no {
            let nobody = yes + no == Exact::from_integer(0);
            return yes > no || (yes == no && !nobody && is_tie_met);
        }
        reaches(yes, self.base(unit, condition.base), condition.threshold)
    }

    fn elect_each(&self, each: &EachOption) -> Verdict {
        let condition = each.condition();
        let passes = |place: &usize| {
            self.roles[*place] == OptionRole::Choice
                && pairs(condition).into_iter().all(|(condition, unit)| {
                    reaches(self.votes_for(*place, unit), self.base(unit, condition.base), condition.threshold)
                })
        };
        let passed: BTreeSet<usize> = self.places().filter(passes).collect();
        match (each.seats(), condition.units) {
            (None, _) => Verdict::Election { elected: passed, tied: BTreeSet::new(), left: 0 },
            (Some(seats), Units::Heads) => self.elect(&passed, Unit::Heads, seats.get() as usize),
            (Some(seats), Units::Weight) => self.elect(&passed, Unit::Weight, seats.get() as usize),
            (Some(_), Units::Both | Units::SecondWeight) => unreachable!("such a rule cannot be made"),
        }
    }

    fn places(&self) -> std::ops::Range<usize> {
        0..self.roles.len()
    }

    fn votes_for(&self, place: usize, unit: Unit) -> Exact {
        self.sum(unit, |voter| voter.choices.contains(&place))
    }

    /// Without sorting: an option has a seat if all options with at least its votes have seats, and is tied if only all
    /// options with more votes do.
    fn elect(&self, candidates: &BTreeSet<usize>, unit: Unit, seats: usize) -> Verdict {
        let votes = |place: &usize| self.votes_for(*place, unit);
        let with_votes = || candidates.iter().filter(|place| votes(place) > Exact::from_integer(0));
        let as_good = |place: &usize| with_votes().filter(|other| votes(other) >= votes(place)).count();
        let better = |place: &usize| with_votes().filter(|other| votes(other) > votes(place)).count();
        let elected: BTreeSet<usize> = with_votes().filter(|place| as_good(place) <= seats).copied().collect();
        let is_tied = |place: &&usize| as_good(place) > seats && better(place) < seats;
        let tied: BTreeSet<usize> = with_votes().filter(is_tied).copied().collect();
        let left = if tied.is_empty() { 0 } else { seats - elected.len() };
        Verdict::Election { elected, tied, left }
    }
}

/// Whether `part` is the required share of `whole`, by a division.
pub(crate) fn reaches(part: Exact, whole: Exact, threshold: Threshold) -> bool {
    if whole == Exact::from_integer(0) {
        return false;
    }
    match threshold.comparison() {
        Comparison::MoreThan => part / whole > share_of(threshold),
        Comparison::AtLeast => part / whole >= share_of(threshold),
    }
}

fn share_of(threshold: Threshold) -> Exact {
    let fraction = threshold.fraction();
    Exact::new(i128::from(fraction.numerator()), i128::from(fraction.denominator()))
}

fn pairs(condition: Condition) -> Vec<(Condition, Unit)> {
    match condition.units {
        Units::Heads => vec![(condition, Unit::Heads)],
        Units::Weight => vec![(condition, Unit::Weight)],
        Units::Both => vec![(condition, Unit::Heads), (condition, Unit::Weight)],
        Units::SecondWeight => unreachable!("the slow count knows one weight"),
    }
}

/// The number in the middle, searched from both ends; none without weight.
pub(crate) fn weighted_median(votes: &[(Exact, Exact)]) -> Option<Exact> {
    let zero = Exact::from_integer(0);
    let total: Exact = votes.iter().map(|(_, weight)| weight).sum();
    let half = total / Exact::from_integer(2);
    let up_to = |value: Exact| votes.iter().filter(|vote| vote.0 <= value).map(|vote| vote.1).sum::<Exact>();
    let from = |value: Exact| votes.iter().filter(|vote| vote.0 >= value).map(|vote| vote.1).sum::<Exact>();
    let values = || votes.iter().filter(|(_, weight)| *weight > zero).map(|(value, _)| *value);
    let lower = values().filter(|value| up_to(*value) >= half).min()?;
    let upper = values().filter(|value| from(*value) >= half).max()?;
    Some((lower + upper) / Exact::from_integer(2))
}
