//! The shares of options and of checks, as screens show them: of the base of the decision rule, which is named, and with as many
//! decimals as it takes not to contradict the decision.

use std::cmp::Ordering;

use plenum_result_format::{
    BaseName, CheckFormat, Count, DecisionRuleFormat, MeasureName, OptionResult, OptionRoleName, QuorumResult,
    RoundResult, UnitName,
};
use rust_decimal::{Decimal, RoundingStrategy};

use super::labels;

/// The decimals of a percentage.
const USUAL_DECIMALS: u32 = 2;

/// More decimals than these are printed nowhere.
const MOST_DECIMALS: u32 = 8;

/// The shares of the options of a round in this unit, in their order. `None` for an option that the base leaves out.
pub(super) fn percents(result: &RoundResult, unit: UnitName) -> Vec<Option<Decimal>> {
    let base = base_of(result);
    let whole = whole_of(result, base, unit);
    let share_of = |option: &OptionResult| {
        let is_left_out = leaves_out_abstentions(base) && option.role == OptionRoleName::Abstain;
        let whole = whole.filter(|_| !is_left_out)?;
        share(in_unit(Count { heads: option.heads, weight: option.weight }, unit), whole)
    };
    let shares: Vec<Option<Decimal>> = result.options.iter().map(share_of).collect();
    let is_true = |decimals: u32| {
        let in_range = shares.iter().flatten().all(|share| is_on_its_side(*share, Decimal::ONE_HUNDRED, decimals));
        in_range && reaches_needs(result, &shares, (base, unit), decimals) && are_apart(result, &shares, decimals)
    };
    let decimals = (USUAL_DECIMALS..MOST_DECIMALS).find(|decimals| is_true(*decimals)).unwrap_or(MOST_DECIMALS);
    shares.into_iter().map(|share| share.map(|share| rounded(share, decimals))).collect()
}

/// "Percentages are of the yes and no votes. Abstentions do not count."
pub(super) fn base_sentence(result: &RoundResult) -> String {
    let base = base_of(result);
    let of = match base {
        BaseName::YesPlusNo => "the yes and no votes",
        BaseName::VotesCast => "the votes cast",
        BaseName::VotesWithoutAbstentions => "the votes without abstentions",
        BaseName::WholeRegister => "the register",
        BaseName::ConnectedAtOpening if labels::has_proxies(result) => "those present or represented",
        BaseName::ConnectedAtOpening => "those present",
    };
    let has_abstentions = result.options.iter().any(|option| option.role == OptionRoleName::Abstain);
    let rest = if leaves_out_abstentions(base) && has_abstentions { " Abstentions do not count." } else { "" };
    format!("Percentages are of {of}.{rest}")
}

/// The share of a check, on the same side of the needed share as the votes.
pub(super) fn percent_of(check: &CheckFormat) -> Option<Decimal> {
    truthful(share(check.part, check.whole)?, needed(check.numerator, check.denominator))
}

/// The share of those who took part, on the same side of the quorum as they are.
pub(super) fn percent_of_quorum(result: &QuorumResult) -> Option<Decimal> {
    let exact = share(result.attending, result.register)?;
    let needed = result.quorum.numerator.zip(result.quorum.denominator);
    truthful(exact, needed.and_then(|(numerator, denominator)| self::needed(numerator, denominator)))
}

fn truthful(exact: Decimal, needed: Option<Decimal>) -> Option<Decimal> {
    let is_true = |decimals: &u32| {
        let needed = [Some(Decimal::ONE_HUNDRED), needed];
        needed.into_iter().flatten().all(|needed| is_on_its_side(exact, needed, *decimals))
    };
    let decimals = (USUAL_DECIMALS..MOST_DECIMALS).find(is_true).unwrap_or(MOST_DECIMALS);
    Some(rounded(exact, decimals))
}

/// The base of the decision rule; without a majority in it, the votes cast.
fn base_of(result: &RoundResult) -> BaseName {
    match &result.decision_rule {
        Some(DecisionRuleFormat::Majority { conditions, .. }) => {
            conditions.first().map_or(BaseName::VotesCast, |condition| condition.base)
        }
        Some(DecisionRuleFormat::EachOption { condition, .. }) => condition.base,
        Some(DecisionRuleFormat::Plurality { .. } | DecisionRuleFormat::Election { .. }) | None => BaseName::VotesCast,
    }
}

fn leaves_out_abstentions(base: BaseName) -> bool {
    matches!(base, BaseName::YesPlusNo | BaseName::VotesWithoutAbstentions)
}

/// All votes of a base, as they were measured for the decision; of a base that was not checked, from the counts. `None` in files
/// of earlier versions that do not have them.
fn whole_of(result: &RoundResult, base: BaseName, unit: UnitName) -> Option<Decimal> {
    let is_same =
        |check: &&CheckFormat| check.base == base && check.unit == MeasureName::from(unit) && check.group.is_none();
    if let Some(check) = result.arithmetic.checks.iter().find(is_same) {
        return Some(check.whole);
    }
    let votes_for = |roles: &[OptionRoleName]| -> Decimal {
        let options = result.options.iter().filter(|option| roles.contains(&option.role));
        options.map(|option| in_unit(Count { heads: option.heads, weight: option.weight }, unit)).sum()
    };
    let with = |count: Count, more: Option<Count>| in_unit(count, unit) + in_unit(more.unwrap_or_default(), unit);
    match base {
        BaseName::YesPlusNo => Some(votes_for(&[OptionRoleName::Yes, OptionRoleName::No])),
        BaseName::VotesCast => Some(in_unit(result.votes_cast, unit)),
        BaseName::VotesWithoutAbstentions => {
            Some(in_unit(result.votes_cast, unit) - votes_for(&[OptionRoleName::Abstain]))
        }
        BaseName::WholeRegister => Some(with(result.register, result.absent)),
        BaseName::ConnectedAtOpening => result.present.map(|present| with(present, result.represented)),
    }
}

fn in_unit(count: Count, unit: UnitName) -> Decimal {
    match unit {
        UnitName::Heads => Decimal::from(count.heads),
        UnitName::Weight => count.weight,
    }
}

/// A share in percent. `None` of nothing.
fn share(part: Decimal, whole: Decimal) -> Option<Decimal> {
    part.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(whole)
}

/// The needed share in percent.
fn needed(numerator: u32, denominator: u32) -> Option<Decimal> {
    share(Decimal::from(numerator), Decimal::from(denominator))
}

fn rounded(share: Decimal, decimals: u32) -> Decimal {
    share.round_dp_with_strategy(decimals, RoundingStrategy::MidpointAwayFromZero)
}

/// Whether a share that is less or more than the needed one is so when it is rounded. A share that equals it may be rounded.
fn is_on_its_side(share: Decimal, needed: Decimal, decimals: u32) -> bool {
    let side = share.cmp(&needed);
    side == Ordering::Equal || rounded(share, decimals).cmp(&needed) == side
}

/// Whether the rounded shares are on the same side of the shares that their options needed.
fn reaches_needs(
    result: &RoundResult,
    shares: &[Option<Decimal>],
    (base, unit): (BaseName, UnitName),
    decimals: u32,
) -> bool {
    let checks = result.arithmetic.checks.iter().filter(|check| check.group.is_none() && check.base == base);
    checks.filter(|check| check.unit == MeasureName::from(unit)).all(|check| {
        let is_for = |option: &OptionResult| match check.option {
            None => option.role == OptionRoleName::Yes,
            Some(id) => option.id == id,
        };
        let Some(needed) = needed(check.numerator, check.denominator) else { return true };
        let of_options = result.options.iter().zip(shares).filter(|(option, _)| is_for(option));
        of_options.filter_map(|(_, share)| *share).all(|share| is_on_its_side(share, needed, decimals))
    })
}

/// Whether the two leading shares look different, and the last elected one and the first of the others, if they are not equal.
fn are_apart(result: &RoundResult, shares: &[Option<Decimal>], decimals: u32) -> bool {
    let mut sorted: Vec<Decimal> = shares.iter().flatten().copied().collect();
    sorted.sort_unstable_by(|left, right| right.cmp(left));
    let leading = sorted.first().copied().zip(sorted.get(1).copied());
    let (mut elected, mut others): (Vec<Decimal>, Vec<Decimal>) = (Vec::new(), Vec::new());
    for (option, share) in result.options.iter().zip(shares) {
        let is_elected = result.decision.elected.contains(&option.id);
        let side = if is_elected { &mut elected } else { &mut others };
        side.extend(*share);
    }
    let border = elected.into_iter().min().zip(others.into_iter().max());
    let is_told_apart =
        |(left, right): (Decimal, Decimal)| left == right || rounded(left, decimals) != rounded(right, decimals);
    [leading, border].into_iter().flatten().all(is_told_apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    fn told(part: &str, whole: &str, fraction: (u32, u32)) -> String {
        let exact = share(decimal(part), decimal(whole)).unwrap();
        truthful(exact, needed(fraction.0, fraction.1)).unwrap().to_string()
    }

    #[test]
    fn a_rounded_share_stays_on_its_side_of_the_needed_one() {
        assert_eq!(told("120", "164", (1, 2)), "73.17");
        assert_eq!(told("100", "100.0001", (1, 1)), "99.9999");
        assert_eq!(told("99.9999", "199.9999", (1, 2)), "49.99997");
        assert_eq!(told("100.0001", "200.0001", (1, 2)), "50.00002");
        assert_eq!(told("2", "3", (2, 3)), "66.67");
        assert_eq!(told("1", "3", (1, 3)), "33.33");
        assert_eq!(told("99999", "100000", (1, 2)), "99.999");
    }

    #[test]
    fn nothing_has_no_share() {
        assert_eq!(share(Decimal::ZERO, Decimal::ZERO), None);
    }
}
