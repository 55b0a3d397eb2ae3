//! Exact comparisons of counts with thresholds.

use plenum_kernel::{Comparison, Measure, Threshold};
use rust_decimal::Decimal;

/// Whether `part` of `whole` meets the threshold. Never if `whole` is zero.
pub fn is_met(threshold: Threshold, part: Decimal, whole: Decimal) -> bool {
    let (part, whole) = (millionths(part), millionths(whole));
    // part / whole against numerator / denominator, without dividing.
    let has = part * u128::from(threshold.fraction().denominator());
    let wants = whole * u128::from(threshold.fraction().numerator());
    whole > 0
        && match threshold.comparison() {
            Comparison::MoreThan => has > wants,
            Comparison::AtLeast => has >= wants,
        }
}

/// The needed amount of `whole`. `None` if `whole` is zero.
pub fn needed(threshold: Threshold, whole: Decimal, unit: Measure) -> Option<Needed> {
    let of_unit = step_of(unit, whole);
    let whole = millionths(whole);
    let share = whole * u128::from(threshold.fraction().numerator());
    let step = u128::from(threshold.fraction().denominator()) * of_unit;
    let (steps, is_exact) = (share / step, share.is_multiple_of(step));
    let is_beyond = threshold.comparison() == Comparison::MoreThan;
    // A share of a weight is used as it is. If it falls between two amounts, the next one is needed.
    let steps = match unit {
        Measure::Heads if is_exact && is_beyond => steps + 1,
        _ if is_exact => steps,
        _ => steps + 1,
    };
    let needed = Needed {
        amount: from_millionths(steps * of_unit),
        is_enough: !(is_exact && is_beyond && unit != Measure::Heads),
        is_rounded_up: !is_exact && unit != Measure::Heads,
    };
    (whole > 0).then_some(needed)
}

/// The amount that a threshold requires. In heads it is the smallest sufficient number of people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needed {
    /// The amount, exact to 4 decimals of a weight, or to 6 if the whole has more than 4.
    pub amount: Decimal,
    /// Whether this amount is enough. Otherwise more is needed, at least one in its last decimal.
    pub is_enough: bool,
    /// Whether the share of the weight has more decimals. Then the amount is the smallest sufficient weight.
    pub is_rounded_up: bool,
}

/// The share of `part` in `whole`, in percent to 2 decimals, rounded half away from zero. `None` if `whole` is zero. For
/// display only: no decision uses it.
pub(crate) fn percent(part: Decimal, whole: Decimal) -> Option<Decimal> {
    let (part, whole) = (millionths(part), millionths(whole));
    let hundredths = (part * 20_000 + whole).checked_div(whole * 2)?;
    Some(Decimal::from_i128_with_scale(i128::try_from(hundredths).ok()?, 2))
}

/// The amount as an integer. Weights have at most 6 decimals, and so do their sums.
fn millionths(amount: Decimal) -> u128 {
    let mut amount = amount;
    amount.rescale(6);
    amount.mantissa().unsigned_abs()
}

fn from_millionths(amount: u128) -> Decimal {
    let amount = i128::try_from(amount).expect("an amount is no larger than the count that it was taken of");
    Decimal::from_i128_with_scale(amount, 6).normalize()
}

/// The smallest amount that is told of a unit, in millionths: a person, or the fourth decimal of a weight, or the sixth one if
/// the whole has more than four.
fn step_of(unit: Measure, whole: Decimal) -> u128 {
    match unit {
        Measure::Heads => 1_000_000,
        Measure::Weight | Measure::SecondWeight if whole.normalize().scale() > 4 => 1,
        Measure::Weight | Measure::SecondWeight => 100,
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::Fraction;

    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    fn needed(threshold: Threshold, whole: &str, unit: Measure) -> (String, bool, bool) {
        let needed = super::needed(threshold, decimal(whole), unit).unwrap();
        (needed.amount.to_string(), needed.is_enough, needed.is_rounded_up)
    }

    #[test]
    fn two_thirds_are_exact_at_the_border() {
        let (more_than, at_least) = (Threshold::MORE_THAN_TWO_THIRDS, Threshold::AT_LEAST_TWO_THIRDS);
        for (part, whole) in [("2", "3"), ("403", "604.5"), ("66.6666", "99.9999")] {
            assert!(!is_met(more_than, decimal(part), decimal(whole)), "{part} of {whole}");
            assert!(is_met(at_least, decimal(part), decimal(whole)), "{part} of {whole}");
        }
        assert!(is_met(more_than, decimal("403.0001"), decimal("604.5")));
        assert!(!is_met(at_least, decimal("402.9999"), decimal("604.5")));
        // 66.6667 is 2/3 of 100.00005. A float, or a quotient of few digits, would confuse the two.
        assert!(!is_met(at_least, decimal("66.6666"), decimal("100")));
        assert!(is_met(at_least, decimal("66.6667"), decimal("100")));
    }

    #[test]
    fn no_share_of_zero_is_enough() {
        for threshold in [Threshold::MORE_THAN_HALF, Threshold::AT_LEAST_HALF, Threshold::AT_LEAST_THREE_QUARTERS] {
            assert!(!is_met(threshold, Decimal::ZERO, Decimal::ZERO));
            assert_eq!(super::needed(threshold, Decimal::ZERO, Measure::Heads), None);
        }
        assert_eq!(percent(Decimal::ZERO, Decimal::ZERO), None);
    }

    #[test]
    fn by_weight_the_share_itself_is_needed_if_it_has_four_decimals() {
        let more_than = Threshold::MORE_THAN_TWO_THIRDS;
        assert_eq!(needed(more_than, "604.5", Measure::Weight), ("403".to_owned(), false, false));
        assert_eq!(needed(more_than, "100", Measure::Weight), ("66.6667".to_owned(), true, true));
        assert_eq!(needed(Threshold::AT_LEAST_TWO_THIRDS, "604.5", Measure::Weight), ("403".to_owned(), true, false));
        assert_eq!(needed(Threshold::AT_LEAST_TWO_THIRDS, "100", Measure::Weight), ("66.6667".to_owned(), true, true));
        assert_eq!(needed(Threshold::AT_LEAST_HALF, "0.0003", Measure::Weight), ("0.0002".to_owned(), true, true));
    }

    #[test]
    fn a_kind_of_weight_has_six_decimals() {
        let more_than = Threshold::MORE_THAN_HALF;
        assert!(is_met(more_than, decimal("500.000001"), decimal("1000.000001")));
        assert!(!is_met(more_than, decimal("500.000001"), decimal("1000.000002")));
        assert_eq!(needed(more_than, "1000.000001", Measure::SecondWeight), ("500.000001".to_owned(), true, true));
        assert_eq!(needed(more_than, "1000.000002", Measure::SecondWeight), ("500.000001".to_owned(), false, false));
        let largest = decimal("19999999999999999999980"); // 20,000 people with 18 digits each
        assert!(is_met(more_than, largest / Decimal::TWO + Decimal::ONE, largest));
        assert!(!is_met(more_than, largest / Decimal::TWO, largest));
    }

    #[test]
    fn by_heads_the_smallest_sufficient_number_is_needed() {
        assert_eq!(needed(Threshold::MORE_THAN_HALF, "10", Measure::Heads).0, "6");
        assert_eq!(needed(Threshold::MORE_THAN_HALF, "11", Measure::Heads).0, "6");
        assert_eq!(needed(Threshold::AT_LEAST_HALF, "10", Measure::Heads).0, "5");
        assert_eq!(needed(Threshold::AT_LEAST_THREE_QUARTERS, "10", Measure::Heads), ("8".to_owned(), true, false));
    }

    #[test]
    fn percents_are_rounded_half_away_from_zero() {
        let percent = |part, whole| percent(decimal(part), decimal(whole)).unwrap().to_string();
        assert_eq!(percent("412.5", "604.5"), "68.24");
        assert_eq!(percent("1", "2"), "50.00");
        assert_eq!(percent("2", "3"), "66.67");
        assert_eq!(percent("0.0005", "8"), "0.01");
        assert_eq!(percent("0.0001", "0.8"), "0.01");
        assert_eq!(percent("0.0003", "8"), "0.00");
        // 12.345 % and 12.335 %, which floats and rounding to even get wrong.
        assert_eq!(percent("12.345", "100"), "12.35");
        assert_eq!(percent("12.335", "100"), "12.34");
    }

    #[test]
    fn the_largest_possible_weights_do_not_overflow() {
        let whole = decimal("2000000000000");
        let finest = Fraction::new(999_999, 1_000_000).unwrap();
        let threshold = Threshold::new(Comparison::MoreThan, finest).unwrap();
        assert!(is_met(threshold, whole, whole));
        assert_eq!(needed(threshold, "2000000000000", Measure::Weight).0, "1999998000000");
    }
}
