use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub, SubAssign};

use plenum_kernel::{Comparison, Threshold, VotingWeight};

/// An exact number of votes, in billionths.
///
/// A weight has at most 4 decimals and a transfer value at most 5, so their product has at most 9. The limits of
/// [`Election`](super::Election) keep every number, and every product that compares two of them, far within 128 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Votes(i128);

const DECIMALS: usize = 9;
const BILLION: i128 = 1_000_000_000;
/// The smallest amount of a weight, in billionths.
const WEIGHT_STEP: i128 = 100_000;

impl Votes {
    /// No votes.
    pub const ZERO: Self = Self(0);

    /// A whole number of votes.
    pub const fn whole(number: u64) -> Self {
        Self(number as i128 * BILLION)
    }

    /// The votes of `ballots` voters with this weight. `None` if no election has as many.
    pub fn weighed(weight: VotingWeight, ballots: u64) -> Option<Self> {
        let mut weight = weight.as_decimal();
        weight.rescale(4);
        let votes = weight.mantissa().checked_mul(WEIGHT_STEP)?.checked_mul(i128::from(ballots))?;
        Some(Self(votes))
    }

    /// Whether these are no votes.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The number as text, with at least this many decimals, and more if the exact number has more.
    pub fn text(self, decimals: usize) -> String {
        let sign = if self.0 < 0 { "-" } else { "" };
        let digits = format!("{:0width$}", self.0.unsigned_abs(), width = DECIMALS + 1);
        let (whole, fraction) = digits.split_at(digits.len() - DECIMALS);
        let needed = fraction.trim_end_matches('0').len().max(decimals);
        let fraction = format!("{fraction:0<needed$}");
        match needed {
            0 => format!("{sign}{whole}"),
            _ => format!("{sign}{whole}.{}", &fraction[..needed]),
        }
    }

    /// Whether these votes are the required part of `whole`. Never if `whole` is zero.
    pub fn meet(self, threshold: Threshold, whole: Self) -> bool {
        // self / whole against numerator / denominator, without dividing.
        let has = self.0 * i128::from(threshold.fraction().denominator());
        let needs = whole.0 * i128::from(threshold.fraction().numerator());
        whole.0 > 0
            && match threshold.comparison() {
                Comparison::MoreThan => has > needs,
                Comparison::AtLeast => has >= needs,
            }
    }

    /// The smallest whole number that is more.
    pub const fn next_whole(self) -> Self {
        Self((self.0.div_euclid(BILLION) + 1) * BILLION)
    }

    /// This many times the votes.
    pub(super) fn times(self, number: u32) -> Self {
        Self(self.0 * i128::from(number))
    }

    /// Half of the votes. Exact, because amounts of heads and weights are even numbers of billionths.
    pub(super) const fn half(self) -> Self {
        Self(self.0 / 2)
    }

    /// The votes divided by a whole number, without the decimals of the quotient.
    pub(super) fn whole_quotient(self, divisor: u32) -> Self {
        Self(self.0 / (BILLION * i128::from(divisor)) * BILLION)
    }

    /// Whether these votes, divided by `divisor`, are more than `other` divided by `other_divisor`; or fewer, or equal.
    pub(super) fn compare_quotients(self, divisor: u32, other: Self, other_divisor: u32) -> std::cmp::Ordering {
        (self.0 * i128::from(other_divisor)).cmp(&(other.0 * i128::from(divisor)))
    }

    /// The amount in billionths.
    pub(super) const fn billionths(self) -> i128 {
        self.0
    }

    /// The amount with this many billionths.
    pub(super) const fn of_billionths(billionths: i128) -> Self {
        Self(billionths)
    }

    /// The sum, or the largest number if it does not fit.
    pub(super) const fn plus_at_most(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Add for Votes {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Votes {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl AddAssign for Votes {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl SubAssign for Votes {
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl Sum for Votes {
    fn sum<I: Iterator<Item = Self>>(votes: I) -> Self {
        votes.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weighed(weight: &str, ballots: u64) -> Votes {
        Votes::weighed(VotingWeight::new(weight.parse().unwrap()).unwrap(), ballots).unwrap()
    }

    #[test]
    fn a_number_is_written_with_the_decimals_it_needs() {
        assert_eq!(Votes::whole(825).text(5), "825.00000");
        assert_eq!(Votes::whole(825).text(0), "825");
        assert_eq!(weighed("0.5", 3).text(0), "1.5");
        assert_eq!(weighed("0.0001", 1).text(5), "0.00010");
        assert_eq!(Votes::of_billionths(1).text(5), "0.000000001");
        assert_eq!((Votes::ZERO - weighed("2.25", 1)).text(0), "-2.25");
        assert_eq!(Votes::ZERO.text(0), "0");
    }

    #[test]
    fn shares_are_exact_at_the_border() {
        assert!(weighed("33.3334", 2).meet(Threshold::MORE_THAN_TWO_THIRDS, Votes::whole(100)));
        assert!(!weighed("66.6666", 1).meet(Threshold::AT_LEAST_TWO_THIRDS, Votes::whole(100)));
        assert!(Votes::whole(2).meet(Threshold::AT_LEAST_TWO_THIRDS, Votes::whole(3)));
        assert!(!Votes::ZERO.meet(Threshold::AT_LEAST_HALF, Votes::ZERO));
    }

    #[test]
    fn a_quotient_has_no_decimals() {
        assert_eq!(Votes::whole(4_381).whole_quotient(4), Votes::whole(1_095));
        assert_eq!(weighed("99.9999", 1).whole_quotient(1), Votes::whole(99));
        assert_eq!(
            (Votes::whole(50).next_whole(), weighed("50.5", 1).next_whole()),
            (Votes::whole(51), Votes::whole(51))
        );
    }

    #[test]
    fn more_ballots_than_fit_are_refused() {
        let weight = VotingWeight::new("100".parse().unwrap()).unwrap();
        assert_eq!(Votes::weighed(weight, 3).unwrap(), Votes::whole(300));
        assert!(Votes::weighed(weight, u64::MAX).is_some());
    }
}
