//! Counts in heads or in weight.

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

    /// The share in `whole` in this unit, in percent to 2 decimals. `None` if `whole` is zero. For display only: no
    /// decision uses it.
    pub fn percent_of(self, whole: Self, unit: Unit) -> Option<Decimal> {
        percent(self.in_unit(unit), whole.in_unit(unit))
    }

    /// The sum of both counts.
    pub fn plus(self, other: Self) -> Self {
        Self { heads: self.heads + other.heads, weight: self.weight + other.weight }
    }

    /// The difference to `other`.
    pub(crate) fn minus(self, other: Self) -> Self {
        let weight = (self.weight - other.weight).max(Decimal::ZERO);
        Self { heads: self.heads.saturating_sub(other.heads), weight }
    }

    /// The larger of the two in each unit.
    pub(crate) fn at_least(self, other: Self) -> Self {
        Self { heads: self.heads.max(other.heads), weight: self.weight.max(other.weight) }
    }
}
