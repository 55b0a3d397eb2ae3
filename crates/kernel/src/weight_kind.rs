use std::collections::BTreeMap;
use std::fmt;

use rust_decimal::Decimal;

use crate::{Invalid, WeightKindId};

/// The highest number of kinds of weight of a client.
pub const MAX_WEIGHT_KINDS: usize = 20;

/// A kind of voting weight beside the ordinary one: shares, thousandths, square meters, inhabitants. A round keeps its kinds as
/// they were when it opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightKind {
    /// The id.
    pub id: WeightKindId,
    /// The name, which people read: "Co-ownership shares".
    pub name: String,
    /// The unit after a number: "m²". `None` for numbers without a unit.
    pub unit: Option<String>,
    /// The decimals of a value.
    pub decimals: WeightDecimals,
}

/// The number of decimals that values of a kind may have: 0 to 6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct WeightDecimals(u8);

impl WeightDecimals {
    /// The highest number of decimals.
    pub const MAX: u8 = 6;

    /// Checks a number of decimals.
    ///
    /// # Errors
    /// States the requirement.
    pub fn new(decimals: i64) -> Result<Self, Invalid> {
        let known = u8::try_from(decimals).ok().filter(|decimals| *decimals <= Self::MAX);
        known.map(Self).ok_or_else(|| Invalid::new("Must be a whole number from 0 to 6."))
    }

    /// The number.
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// A person's weight in one kind: 0 or more, less than 1,000,000,000,000,000,000, exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct KindWeight(Decimal);

impl KindWeight {
    /// The smallest value that is too large: 10 to the power of 18.
    const LIMIT: Decimal = Decimal::from_parts(2_808_348_672, 232_830_643, 0, false, 0);

    /// Checks a value of a kind with so many decimals.
    ///
    /// # Errors
    /// States the requirement.
    pub fn new(value: Decimal, decimals: WeightDecimals) -> Result<Self, Invalid> {
        let value = value.normalize();
        if value < Decimal::ZERO || value >= Self::LIMIT {
            return Err(Invalid::new("Must be a number from 0 to less than 1,000,000,000,000,000,000."));
        }
        if value.scale() > u32::from(decimals.get()) {
            return Err(Invalid::new(match decimals.get() {
                0 => "Must be a whole number.".to_owned(),
                1 => "Must have at most 1 decimal.".to_owned(),
                several => format!("Must have at most {several} decimals."),
            }));
        }
        Ok(Self(value))
    }

    /// Reads a text of digits with a point before the decimals, such as "250.5".
    ///
    /// # Errors
    /// States the requirement.
    pub fn parse(text: &str, decimals: WeightDecimals) -> Result<Self, Invalid> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit());
        if !are_digits(whole) || !are_digits(fraction) {
            return Err(Invalid::new(
                "Must be a number as a text, with a point before the decimals: \u{201c}250.5\u{201d}.",
            ));
        }
        // Longer numbers are out of range.
        Self::new(Decimal::from_str_exact(text).unwrap_or(Self::LIMIT), decimals)
    }

    /// The exact number, without trailing zeros.
    pub const fn as_decimal(self) -> Decimal {
        self.0
    }

    /// A stored value, which was checked before.
    pub fn from_stored(value: Decimal) -> Self {
        Self(value.normalize())
    }
}

/// A person's values of kinds of weight. A kind without one counts 0, so that a value of 0 is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KindWeights(BTreeMap<WeightKindId, KindWeight>);

impl KindWeights {
    /// The value of a kind.
    pub fn of(&self, kind: WeightKindId) -> KindWeight {
        self.0.get(&kind).copied().unwrap_or_default()
    }

    /// Sets the value of a kind.
    pub fn set(&mut self, kind: WeightKindId, value: KindWeight) {
        if value == KindWeight::default() {
            self.0.remove(&kind);
        } else {
            self.0.insert(kind, value);
        }
    }

    /// The values above 0, in the order of the kinds' ids.
    pub fn iter(&self) -> impl Iterator<Item = (WeightKindId, KindWeight)> + '_ {
        self.0.iter().map(|(kind, value)| (*kind, *value))
    }

    /// Whether every value is 0.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(WeightKindId, KindWeight)> for KindWeights {
    /// The last value of a kind counts.
    fn from_iter<I: IntoIterator<Item = (WeightKindId, KindWeight)>>(values: I) -> Self {
        let mut made = Self::default();
        values.into_iter().for_each(|(kind, value)| made.set(kind, value));
        made
    }
}

impl fmt::Display for KindWeight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::CountingIds;

    fn weight(text: &str, decimals: i64) -> Result<KindWeight, Invalid> {
        KindWeight::new(text.parse().unwrap(), WeightDecimals::new(decimals).unwrap())
    }

    #[test]
    fn the_largest_value_has_24_digits() {
        let largest = "999999999999999999.999999";
        assert_eq!(weight(largest, 6).unwrap().to_string(), largest);
        assert!(weight("1000000000000000000", 6).is_err());
        assert!(weight("-0.000001", 6).is_err());
        assert_eq!(weight("-0", 0).unwrap().as_decimal(), Decimal::ZERO);
    }

    #[test]
    fn a_value_has_the_decimals_of_its_kind() {
        assert_eq!(weight("17.50", 1).unwrap().to_string(), "17.5");
        for (text, decimals) in [("0.5", 0), ("17.25", 1), ("0.0000001", 6)] {
            assert!(weight(text, decimals).is_err(), "{text}");
        }
        assert!(WeightDecimals::new(7).is_err() && WeightDecimals::new(-1).is_err());
    }

    #[test]
    fn a_text_is_digits_with_a_point() {
        let decimals = WeightDecimals::new(2).unwrap();
        for (text, value) in [("250.5", "250.5"), ("0", "0"), ("007.10", "7.1"), ("12", "12")] {
            assert_eq!(KindWeight::parse(text, decimals).unwrap().to_string(), value, "{text}");
        }
        let longest = "1".repeat(60);
        for text in
            ["", ".", "1.", ".5", "1,5", "-1", "+1", "1e3", "1_000", " 1", "1.2.3", "0.125", "\u{661}", &longest]
        {
            assert!(KindWeight::parse(text, decimals).is_err(), "{text}");
        }
    }

    #[test]
    fn only_values_above_zero_are_kept() {
        let ids = CountingIds::new();
        let (one, other) = (WeightKindId::new(&ids), WeightKindId::new(&ids));
        let mut weights: KindWeights =
            [(other, weight("2", 0).unwrap()), (one, weight("1", 0).unwrap())].into_iter().collect();
        assert_eq!(weights.iter().map(|(kind, _)| kind).collect::<Vec<_>>(), [one, other]);
        weights.set(one, KindWeight::default());
        assert_eq!(weights.of(one), KindWeight::default());
        assert_eq!(weights.iter().count(), 1);
        assert!(!weights.is_empty() && KindWeights::default().is_empty());
    }
}
