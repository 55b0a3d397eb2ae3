use plenum_result_format::{
    AttendanceName, BaseName, CheckFormat, ComparisonName, ConditionFormat, DecisionFormat, DecisionRuleFormat,
    ElectionResult, NeededFormat, OnTieName, OptionResult, OptionRoleName, Outcome, QuorumFormat, QuorumResult,
    RoundResult, TieFormat, TieMatterName, UnitName, UnitsName,
};
use uuid::Uuid;

use crate::exact::{self, Exact, amount, fraction, percent, whole};
use crate::sentence::quorum_sentence;
use crate::tally::{Pair, Tally};

/// The share that a condition or a quorum requires of a base.
pub(crate) struct RequiredShare {
    pub(crate) comparison: ComparisonName,
    pub(crate) numerator: u32,
    pub(crate) denominator: u32,
}

impl RequiredShare {
    fn fraction(&self) -> Exact {
        fraction(self.numerator, self.denominator)
    }

    /// No amount is enough if the base is zero.
    fn is_met(&self, part: &Exact, all: &Exact) -> bool {
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
    fn needed(&self, all: &Exact, unit: UnitName) -> Option<NeededFormat> {
        if *all == exact::zero() {
            return None;
        }
        let share = all * self.fraction();
        let is_beyond = self.comparison == ComparisonName::MoreThan;
        let (least, is_enough, is_rounded_up) = match unit {
            // The smallest sufficient number of people.
            UnitName::Heads if is_beyond => (share.floor() + whole(1_u32), true, false),
            UnitName::Heads => (share.ceil(), true, false),
            // The share itself, if it has at most 4 decimals.
            UnitName::Weight => {
                let steps = &share * whole(10_000_u32);
                let is_exact = steps.is_integer();
                (steps.ceil() / whole(10_000_u32), !(is_exact && is_beyond), !is_exact)
            }
        };
        Some(NeededFormat { amount: amount(&least), is_enough, is_rounded_up })
    }
}

/// The inputs of a decision.
pub(crate) struct DecisionInput<'a> {
    pub(crate) result: &'a RoundResult,
    pub(crate) tally: &'a Tally,
    pub(crate) register: Pair,
    pub(crate) present: Pair,
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
        measure(quorum, &attending, &self.register)
    }

    /// The conditions of a rule, measured.
    pub(crate) fn checks(&self, rule: &DecisionRuleFormat) -> Vec<CheckFormat> {
        match rule {
            DecisionRuleFormat::Majority { conditions, on_tie } => {
                let yes = self.of_role(OptionRoleName::Yes);
                conditions.iter().flat_map(|condition| self.check(condition, None, &yes, Some(*on_tie))).collect()
            }
            DecisionRuleFormat::Plurality { .. } | DecisionRuleFormat::Election { .. } => Vec::new(),
            DecisionRuleFormat::EachOption { condition, .. } => {
                let options = self.electable();
                options
                    .flat_map(|option| self.check(condition, Some(option.id), &self.tally.option(option.id), None))
                    .collect()
            }
        }
    }

    fn check(
        &self,
        condition: &ConditionFormat,
        option: Option<Uuid>,
        votes: &Pair,
        on_tie: Option<OnTieName>,
    ) -> Vec<CheckFormat> {
        let ConditionFormat { units, base, comparison, numerator, denominator } = *condition;
        let of_base = self.base(base);
        let required = RequiredShare { comparison, numerator, denominator };
        let in_unit = |unit: UnitName| {
            let (part, all) = (votes.in_unit(unit), of_base.in_unit(unit));
            let is_majority = comparison == ComparisonName::MoreThan
                && base == BaseName::YesPlusNo
                && required.fraction() == fraction(1, 2);
            let is_even = all != exact::zero() && &part + &part == all;
            let is_tie = on_tie.is_some() && is_majority && is_even;
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
                is_tie,
                is_met: required.is_met(&part, &all) || is_tie && on_tie == Some(OnTieName::Accepted),
            }
        };
        let units: &[UnitName] = match units {
            UnitsName::Heads => &[UnitName::Heads],
            UnitsName::Weight => &[UnitName::Weight],
            UnitsName::Both => &[UnitName::Heads, UnitName::Weight],
        };
        units.iter().map(|unit| in_unit(*unit)).collect()
    }

    /// The decision.
    pub(crate) fn decide(
        &self,
        rule: Option<&DecisionRuleFormat>,
        checks: &[CheckFormat],
        quorum: Option<&QuorumResult>,
    ) -> DecisionFormat {
        let plain = |outcome| DecisionFormat { outcome, elected: Vec::new(), tie: None };
        if quorum.is_some_and(|quorum| !quorum.is_met) {
            return plain(Outcome::QuorumMissed);
        }
        match rule {
            None => plain(Outcome::Undecided),
            Some(DecisionRuleFormat::Majority { .. }) if checks.iter().all(|check| check.is_met) => {
                plain(Outcome::Accepted)
            }
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

/// The unit in which options with their own majority are ranked.
pub(crate) const fn ranking_unit(units: UnitsName) -> UnitName {
    match units {
        UnitsName::Heads | UnitsName::Both => UnitName::Heads,
        UnitsName::Weight => UnitName::Weight,
    }
}

/// Compares the participating voters with the register.
pub(crate) fn measure(quorum: QuorumFormat, attending: &Pair, register: &Pair) -> QuorumResult {
    let (attending, all) = (attending.in_unit(quorum.unit), register.in_unit(quorum.unit));
    let QuorumFormat { comparison, numerator, denominator, unit, .. } = quorum;
    let required = RequiredShare { comparison, numerator, denominator };
    let mut result = QuorumResult {
        quorum,
        attending: amount(&attending),
        register: amount(&all),
        percent: percent(&attending, &all),
        needed: required.needed(&all, unit),
        is_met: required.is_met(&attending, &all),
        sentence: String::new(),
    };
    result.sentence = quorum_sentence(&result);
    result
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
