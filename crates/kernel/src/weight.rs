use std::fmt;

use rust_decimal::Decimal;

use crate::Invalid;

/// The weight of a voter: 0 to 100 with at most 4 decimals, exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct VotingWeight(Decimal);

impl VotingWeight {
    /// The weight of a voter without a given one.
    pub const ONE: Self = Self(Decimal::ONE);

    const MAX: Decimal = Decimal::ONE_HUNDRED;
    const MAX_DECIMALS: u32 = 4;

    /// Checks a weight.
    ///
    /// # Errors
    /// States the requirement.
    pub fn new(weight: Decimal) -> Result<Self, Invalid> {
        if weight.is_sign_negative() && !weight.is_zero() || weight > Self::MAX {
            return Err(Invalid::new("Must be a number from 0 to 100."));
        }
        let weight = weight.normalize();
        if weight.scale() > Self::MAX_DECIMALS {
            return Err(Invalid::new("Must have at most 4 decimals."));
        }
        Ok(Self(weight))
    }

    /// The exact number, without trailing zeros.
    pub const fn as_decimal(self) -> Decimal {
        self.0
    }

    /// A stored weight, which was checked before.
    pub fn from_stored(weight: Decimal) -> Self {
        Self(weight.normalize())
    }
}

impl fmt::Display for VotingWeight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(text: &str) -> Result<VotingWeight, Invalid> {
        VotingWeight::new(text.parse().unwrap())
    }

    #[test]
    fn the_bounds_belong_to_the_range() {
        assert!(weight("0").is_ok());
        assert!(weight("100").is_ok());
        assert!(weight("100.0001").is_err());
        assert!(weight("-0.0001").is_err());
    }

    #[test]
    fn four_decimals_are_kept_and_a_fifth_is_refused() {
        assert_eq!(weight("1.2345").unwrap().to_string(), "1.2345");
        assert!(weight("1.23456").is_err());
        assert_eq!(weight("1.50000").unwrap().to_string(), "1.5");
    }
}
