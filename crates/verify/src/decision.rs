use plenum_result_format::{
    AttendanceName, BaseName, BlockingFormat, CheckFormat, ComparisonName, ConditionFormat, DecisionFormat,
    DecisionRuleFormat, ElectionResult, JoinedName, MeasureName, NeededFormat, OnTieName, OptionResult, OptionRoleName,
    Outcome, QuorumFormat, QuorumResult, RoundResult, TieFormat, TieMatterName, UnitName, UnitsName,
};
use std::collections::BTreeMap;

use uuid::Uuid;

use crate::exact::{self, Exact, amount, fraction, percent, whole};
use crate::second_weight::unit_word;
use crate::sentence::{Words, quorum_sentence};
use crate::tally::{Pair, Tally};

/// The share that a condition or a quorum requires of a base.
pub(crate) struct RequiredShare {
    pub(crate) comparison: ComparisonName,
    pub(crate) numerator: u32,
    pub(crate) denominator: u32,
}

impl RequiredShare {
    /// The share that a quorum requires. `None` if it requires a number.
    pub(crate) fn of(quorum: &QuorumFormat) -> Option<Self> {
        let QuorumFormat { comparison, numerator, denominator, .. } = *quorum;
        Some(Self { comparison: comparison?, numerator: numerator?, denominator: denominator? })
    }

    fn fraction(&self) -> Exact {
        fraction(self.numerator, self.denominator)
    }

    /// No amount is enough if the base is zero.
    pub(crate) fn is_met(&self, part: &Exact, all: &Exact) -> bool {
        if *all == exact::zero() {
            return false;
        }
        let (share, required) = (part / all, self.fraction());
        match self.comparison {
            ComparisonName::MoreThan => share > required,
            ComparisonName::AtLeast => share >= required,
        }
    }

    /// The smallest sufficient amount. `None` if the base is zero.
    fn needed(&self, all: &Exact, unit: MeasureName) -> Option<NeededFormat> {
        if *all == exact::zero() {
            return None;
        }
        let share = all * self.fraction();
        let is_beyond = self.comparison == ComparisonName::MoreThan;
        let (least, is_enough, is_rounded_up) = match unit {
            // The smallest sufficient number of people.
            MeasureName::Heads if is_beyond => (share.floor() + whole(1_u32), true, false),
            MeasureName::Heads => (share.ceil(), true, false),
            // The share itself, if it has at most 4 decimals, or 6 if the whole has more than 4.
            MeasureName::Weight | MeasureName::SecondWeight => {
                let has_few = (all * whole(10_000_u32)).is_integer();
                let finest = whole(if has_few { 10_000_u32 } else { 1_000_000 });
                let steps = &share * &finest;
                let is_exact = steps.is_integer();
                (steps.ceil() / finest, !(is_exact && is_beyond), !is_exact)
            }
        };
        Some(NeededFormat { amount: amount(&least), is_enough, is_rounded_up })
    }
}

/// The inputs of a decision: of all voters, or of those in a group.
pub(crate) struct DecisionInput<'a> {
    pub(crate) result: &'a RoundResult,
    pub(crate) tally: &'a Tally,
    pub(crate) register: Pair,
    pub(crate) present: Pair,
    /// The name of the group. `None` for all voters.
    pub(crate) group: Option<&'a str>,
    /// The same inputs by the second weight.
    pub(crate) second: Option<&'a DecisionInput<'a>>,
}

impl DecisionInput<'_> {
    fn of_role(&self, role: OptionRoleName) -> Pair {
        let options = self.result.options.iter().filter(|option| option.role == role);
        options.fold(Pair::none(), |sum, option| sum.plus(&self.tally.option(option.id)))
    }

    /// Options other than an abstention, which elects nobody.
    fn electable(&self) -> impl Iterator<Item = &OptionResult> {
        self.result.options.iter().filter(|option| option.role != OptionRoleName::Abstain)
    }

    fn base(&self, base: BaseName) -> Pair {
        match base {
            BaseName::YesPlusNo => self.of_role(OptionRoleName::Yes).plus(&self.of_role(OptionRoleName::No)),
            BaseName::VotesCast => self.tally.cast.clone(),
            BaseName::VotesWithoutAbstentions => self.tally.cast.minus(&self.of_role(OptionRoleName::Abstain)),
            BaseName::WholeRegister => self.register.clone(),
            BaseName::ConnectedAtOpening => self.present.clone(),
        }
    }

    /// The quorum, measured.
    pub(crate) fn quorum(&self, quorum: QuorumFormat) -> QuorumResult {
        let attending = match quorum.attendance {
            AttendanceName::Present => self.present.clone(),
            AttendanceName::Voted => self.tally.cast.clone(),
        };
        let mut result = measure(quorum, &attending, &self.register);
        let given = self.result.arithmetic.quorum.as_ref().map_or("", |given| given.sentence.as_str());
        let unit = unit_word(self.result, quorum.unit.into());
        result.sentence = Words::of_file(given, |words| quorum_sentence(&result, unit, words));
        result
    }

    /// The conditions of a rule, measured, with this casting vote.
    pub(crate) fn checks(&self, rule: Option<&DecisionRuleFormat>, casting_vote: Option<bool>) -> Vec<CheckFormat> {
        match rule {
            Some(DecisionRuleFormat::Majority { conditions, on_tie, .. }) => {
                self.majority(conditions, *on_tie, casting_vote == Some(true))
            }
            None | Some(DecisionRuleFormat::Plurality { .. } | DecisionRuleFormat::Election { .. }) => Vec::new(),
            Some(DecisionRuleFormat::EachOption { condition, .. }) => {
                self.electable().flat_map(|option| self.check(condition, Some(option.id))).collect()
            }
        }
    }

    /// The conditions of a majority, with or without a casting vote in favor.
    fn majority(&self, conditions: &[ConditionFormat], on_tie: OnTieName, casts_in_favor: bool) -> Vec<CheckFormat> {
        let is_tie_met = match on_tie {
            OnTieName::Rejected => false,
            OnTieName::Accepted => true,
            OnTieName::CastingVote => self.group.is_none() && casts_in_favor,
        };
        let mut alternative = 0;
        let mut checks = Vec::new();
        for condition in conditions {
            alternative += u32::from(condition.joined == Some(JoinedName::Or));
            let measured = self.check(condition, None);
            checks.extend(measured.into_iter().map(|check| {
                let is_tie = is_even_majority(condition, &check);
                CheckFormat { alternative, is_tie, is_met: check.is_met || is_tie && is_tie_met, ..check }
            }));
        }
        checks
    }

    fn votes_for(&self, option: Option<Uuid>) -> Pair {
        option.map_or_else(|| self.of_role(OptionRoleName::Yes), |id| self.tally.option(id))
    }

    /// The votes for an option, or for yes, and the base, in a unit: numbers of people, and an amount. Both are nothing by a
    /// second weight that is not there.
    fn measured(&self, option: Option<Uuid>, base: BaseName, measure: MeasureName) -> [(u64, Exact); 2] {
        let (input, unit) = match measure {
            MeasureName::Heads => (Some(self), UnitName::Heads),
            MeasureName::Weight => (Some(self), UnitName::Weight),
            MeasureName::SecondWeight => (self.second, UnitName::Weight),
        };
        let pairs = input.map(|input| [input.votes_for(option), input.base(base)]);
        let pairs = pairs.unwrap_or_else(|| [Pair::none(), Pair::none()]);
        pairs.map(|pair| (pair.heads, pair.in_unit(unit)))
    }

    fn check(&self, condition: &ConditionFormat, option: Option<Uuid>) -> Vec<CheckFormat> {
        let ConditionFormat { units, base, comparison, numerator, denominator, blocking_minority, joined: _ } =
            *condition;
        let required = RequiredShare { comparison, numerator, denominator };
        let in_unit = |unit: MeasureName| {
            let [(in_favor, part), (people, all)] = self.measured(option, base, unit);
            let against = people.saturating_sub(in_favor);
            let blocking = blocking_minority.map(|minority| BlockingFormat { minority, against });
            let cannot_block = in_favor > 0 && blocking.is_some_and(|of| of.against < u64::from(of.minority));
            CheckFormat {
                option,
                unit,
                base,
                comparison,
                numerator,
                denominator,
                part: amount(&part),
                whole: amount(&all),
                percent: percent(&part, &all),
                needed: required.needed(&all, unit),
                group: self.group.map(ToOwned::to_owned),
                alternative: 0,
                blocking,
                is_tie: false,
                is_met: required.is_met(&part, &all) || cannot_block,
            }
        };
        let units: &[MeasureName] = match units {
            UnitsName::Heads => &[MeasureName::Heads],
            UnitsName::Weight => &[MeasureName::Weight],
            UnitsName::Both => &[MeasureName::Heads, MeasureName::Weight],
            UnitsName::SecondWeight => &[MeasureName::SecondWeight],
        };
        units.iter().map(|unit| in_unit(*unit)).collect()
    }

    /// The decision. `would_cast` says whether a casting vote is missing that could decide otherwise.
    pub(crate) fn decide(
        &self,
        rule: Option<&DecisionRuleFormat>,
        (checks, would_cast): (&[CheckFormat], bool),
        quorum: Option<&QuorumResult>,
    ) -> DecisionFormat {
        let plain = |outcome| DecisionFormat { outcome, elected: Vec::new(), tie: None };
        if quorum.is_some_and(|quorum| !quorum.is_met) {
            return plain(Outcome::QuorumMissed);
        }
        match rule {
            None => plain(Outcome::Undecided),
            Some(DecisionRuleFormat::Majority { .. }) if is_accepted(checks) => plain(Outcome::Accepted),
            Some(DecisionRuleFormat::Majority { .. }) if would_cast => plain(Outcome::CastingVoteOpen),
            Some(DecisionRuleFormat::Majority { .. }) => plain(Outcome::Rejected),
            Some(DecisionRuleFormat::Plurality { unit, seats }) => {
                let ids = self.electable().map(|option| option.id);
                elect(*seats, &ids.map(|id| (id, self.tally.option(id).in_unit(*unit))).collect::<Vec<_>>())
            }
            // Its recount decides.
            Some(DecisionRuleFormat::Election { .. }) => plain(Outcome::NotElected),
            Some(DecisionRuleFormat::EachOption { condition, seats }) => {
                let unit = ranking_unit(condition.units);
                let ids = self.electable().map(|option| option.id);
                let reach =
                    |id: &Uuid| checks.iter().filter(|check| check.option == Some(*id)).all(|check| check.is_met);
                let passed: Vec<(Uuid, Exact)> =
                    ids.filter(reach).map(|id| (id, self.tally.option(id).in_unit(unit))).collect();
                match seats {
                    Some(seats) => elect(*seats, &passed),
                    None => election(passed.into_iter().map(|(id, _)| id).collect(), None),
                }
            }
        }
    }
}

impl DecisionInput<'_> {
    /// The decision of an election, by its recount.
    pub(crate) fn decide_election(&self, recount: &ElectionResult, quorum: Option<&QuorumResult>) -> DecisionFormat {
        if quorum.is_some_and(|quorum| !quorum.is_met) {
            return DecisionFormat { outcome: Outcome::QuorumMissed, elected: Vec::new(), tie: None };
        }
        let option = |number: u32| Some(self.result.options.get((number as usize).checked_sub(1)?)?.id);
        let elected: Vec<Uuid> = recount.elected.iter().filter_map(|elected| option(elected.candidate)).collect();
        let tie = recount.tie.as_ref().map(|tie| {
            let tied = if tie.matter == TieMatterName::ListSeats { Vec::new() } else { tie.numbers.clone() };
            let last = recount.stages.last().into_iter().flat_map(|stage| &stage.votes);
            let of_first = last.clone().find(|votes| tied.first() == Some(&votes.candidate));
            TieFormat {
                options: tied.iter().filter_map(|number| option(*number)).collect(),
                votes: of_first.and_then(|votes| votes.votes.parse().ok()).unwrap_or_default(),
                seats: tie.wanted,
            }
        });
        election(elected, tie)
    }
}

/// Whether yes and no are equal, where more than half of the two is required.
fn is_even_majority(condition: &ConditionFormat, check: &CheckFormat) -> bool {
    let is_majority = condition.comparison == ComparisonName::MoreThan
        && condition.base == BaseName::YesPlusNo
        && fraction(condition.numerator, condition.denominator) == fraction(1, 2);
    is_majority && !check.whole.is_zero() && exact::of(check.part) * whole(2_u32) == exact::of(check.whole)
}

/// Whether one of the alternatives is met, for all voters and in each group.
pub(crate) fn is_accepted(checks: &[CheckFormat]) -> bool {
    let mut scopes: BTreeMap<Option<&str>, BTreeMap<u32, bool>> = BTreeMap::new();
    for check in checks {
        let alternatives = scopes.entry(check.group.as_deref()).or_default();
        let is_met = alternatives.entry(check.alternative).or_insert(true);
        *is_met &= check.is_met;
    }
    !scopes.is_empty() && scopes.values().all(|alternatives| alternatives.values().any(|is_met| *is_met))
}

/// The unit in which options with their own majority are ranked.
pub(crate) const fn ranking_unit(units: UnitsName) -> UnitName {
    match units {
        // No option is ranked by the second weight: such a rule is refused.
        UnitsName::Heads | UnitsName::Both | UnitsName::SecondWeight => UnitName::Heads,
        UnitsName::Weight => UnitName::Weight,
    }
}

/// Compares the participating voters with the register. The sentence is left empty.
pub(crate) fn measure(quorum: QuorumFormat, attending: &Pair, register: &Pair) -> QuorumResult {
    let (attending, all) = (attending.in_unit(quorum.unit), register.in_unit(quorum.unit));
    let (needed, is_met) = match RequiredShare::of(&quorum) {
        Some(share) => (share.needed(&all, quorum.unit.into()), share.is_met(&attending, &all)),
        None => {
            let minimum = quorum.minimum.map(|minimum| minimum.0).unwrap_or_default();
            let needed = NeededFormat { amount: minimum.normalize(), is_enough: true, is_rounded_up: false };
            let is_nobody = all == exact::zero();
            ((!is_nobody).then_some(needed), !is_nobody && attending >= exact::of(minimum))
        }
    };
    QuorumResult {
        quorum,
        attending: amount(&attending),
        register: amount(&all),
        percent: percent(&attending, &all),
        needed,
        is_met,
        sentence: String::new(),
    }
}

/// Gives seats by rank. An option is elected if it and all options with equal votes get seats. If only some of them could
/// get seats, they tie.
fn elect(seats: u32, candidates: &[(Uuid, Exact)]) -> DecisionFormat {
    let candidates: Vec<&(Uuid, Exact)> = candidates.iter().filter(|(_, votes)| *votes != exact::zero()).collect();
    let seats = seats as usize;
    let mut elected: Vec<&(Uuid, Exact)> = Vec::new();
    let (mut tied, mut tie) = (Vec::new(), None);
    for candidate in &candidates {
        let ahead = candidates.iter().filter(|other| other.1 > candidate.1).count();
        let not_behind = candidates.iter().filter(|other| other.1 >= candidate.1).count();
        if not_behind <= seats {
            elected.push(candidate);
        } else if ahead < seats {
            tied.push(candidate.0);
            tie = Some((amount(&candidate.1), u32::try_from(seats - ahead).unwrap_or(u32::MAX)));
        }
    }
    elected.sort_by(|left, right| right.1.cmp(&left.1));
    let tie = tie.map(|(votes, seats)| TieFormat { options: tied, votes, seats });
    election(elected.into_iter().map(|(id, _)| *id).collect(), tie)
}

fn election(elected: Vec<Uuid>, tie: Option<TieFormat>) -> DecisionFormat {
    let outcome = if elected.is_empty() { Outcome::NotElected } else { Outcome::Elected };
    DecisionFormat { outcome, elected, tie }
}
