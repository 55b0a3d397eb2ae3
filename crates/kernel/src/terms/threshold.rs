use std::fmt;

use crate::Invalid;

/// The invalid field of a rule, and its requirement.
pub type RuleError = (&'static str, Invalid);

/// An exact share of a whole, as entered: 2/3 is never 66.67 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: u32,
    denominator: u32,
}

impl Fraction {
    /// One half.
    pub const HALF: Self = Self { numerator: 1, denominator: 2 };
    /// Two thirds.
    pub const TWO_THIRDS: Self = Self { numerator: 2, denominator: 3 };
    /// Three quarters.
    pub const THREE_QUARTERS: Self = Self { numerator: 3, denominator: 4 };

    /// The largest denominator. It keeps every product with a count far within its integer type.
    pub const MAX_DENOMINATOR: u32 = 1_000_000;

    /// Checks a share: more than zero, and at most the whole.
    ///
    /// # Errors
    /// Names the field and the expected value.
    pub fn new(numerator: u32, denominator: u32) -> Result<Self, RuleError> {
        if denominator == 0 || denominator > Self::MAX_DENOMINATOR {
            return Err(("denominator", Invalid::new("Must be a whole number from 1 to 1,000,000.")));
        }
        if numerator == 0 || numerator > denominator {
            return Err(("numerator", Invalid::new(format!("Must be a whole number from 1 to {denominator}."))));
        }
        Ok(Self { numerator, denominator })
    }

    /// The numerator, not reduced.
    pub const fn numerator(self) -> u32 {
        self.numerator
    }

    /// The denominator, not reduced.
    pub const fn denominator(self) -> u32 {
        self.denominator
    }

    /// Whether it equals one half, reduced or not.
    pub(super) const fn is_half(self) -> bool {
        self.numerator as u64 * 2 == self.denominator as u64
    }

    const fn is_whole(self) -> bool {
        self.numerator == self.denominator
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

/// The comparison of a count with a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// The share itself is not enough.
    MoreThan,
    /// The share itself is enough.
    AtLeast,
}

/// The required part of a whole: "more than 1/2", "at least 2/3".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Threshold {
    comparison: Comparison,
    fraction: Fraction,
}

impl Threshold {
    /// More than one half.
    pub const MORE_THAN_HALF: Self = Self { comparison: Comparison::MoreThan, fraction: Fraction::HALF };
    /// One half or more.
    pub const AT_LEAST_HALF: Self = Self { comparison: Comparison::AtLeast, fraction: Fraction::HALF };
    /// More than two thirds.
    pub const MORE_THAN_TWO_THIRDS: Self = Self { comparison: Comparison::MoreThan, fraction: Fraction::TWO_THIRDS };
    /// Two thirds or more.
    pub const AT_LEAST_TWO_THIRDS: Self = Self { comparison: Comparison::AtLeast, fraction: Fraction::TWO_THIRDS };
    /// Three quarters or more.
    pub const AT_LEAST_THREE_QUARTERS: Self =
        Self { comparison: Comparison::AtLeast, fraction: Fraction::THREE_QUARTERS };

    /// Checks a threshold.
    ///
    /// # Errors
    /// Refuses "more than" the whole, which is impossible.
    pub fn new(comparison: Comparison, fraction: Fraction) -> Result<Self, RuleError> {
        if comparison == Comparison::MoreThan && fraction.is_whole() {
            return Err(("comparison", Invalid::new("More than the whole is impossible. Choose at least.")));
        }
        Ok(Self { comparison, fraction })
    }

    /// On which side of the share a count must be.
    pub const fn comparison(self) -> Comparison {
        self.comparison
    }

    /// The share.
    pub const fn fraction(self) -> Fraction {
        self.fraction
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comparison = match self.comparison {
            Comparison::MoreThan => "more than",
            Comparison::AtLeast => "at least",
        };
        write!(f, "{comparison} {}", self.fraction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_more_than_zero_and_at_most_the_whole() {
        assert!(Fraction::new(1, 1_000_000).is_ok());
        assert!(Fraction::new(3, 3).is_ok());
        for (numerator, denominator, field) in
            [(0, 2, "numerator"), (3, 2, "numerator"), (1, 0, "denominator"), (1, 1_000_001, "denominator")]
        {
            assert_eq!(Fraction::new(numerator, denominator).unwrap_err().0, field);
        }
    }

    #[test]
    fn more_than_the_whole_is_refused() {
        let all = Fraction::new(4, 4).unwrap();
        assert!(Threshold::new(Comparison::AtLeast, all).is_ok());
        assert_eq!(Threshold::new(Comparison::MoreThan, all).unwrap_err().0, "comparison");
    }
}
