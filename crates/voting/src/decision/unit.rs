//! Counts in one unit or the other.

use plenum_kernel::Unit;
use rust_decimal::Decimal;

use crate::Count;
use crate::decision::threshold::percent;

impl Count {
    /// The count in this unit, exactly.
    pub fn in_unit(self, unit: Unit) -> Decimal {
        match unit {
            Unit::Heads => Decimal::from(self.heads),
            Unit::Weight => self.weight.normalize(),
        }
    }

    /// Which share of `whole` it is in this unit, in percent to 2 decimals; none of nothing. It is for reading: no decision
    /// is made by it.
    pub fn percent_of(self, whole: Self, unit: Unit) -> Option<Decimal> {
        percent(self.in_unit(unit), whole.in_unit(unit))
    }

    /// Both counts together.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self { heads: self.heads + other.heads, weight: self.weight + other.weight }
    }

    /// What is left of it without `other`.
    pub(crate) fn minus(self, other: Self) -> Self {
        let weight = (self.weight - other.weight).max(Decimal::ZERO);
        Self { heads: self.heads.saturating_sub(other.heads), weight }
    }

    /// The larger of the two in each unit.
    pub(crate) fn at_least(self, other: Self) -> Self {
        Self { heads: self.heads.max(other.heads), weight: self.weight.max(other.weight) }
    }
}
