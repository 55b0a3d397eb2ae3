//! The words for the weights that a round counts by.

use plenum_kernel::{Measure, WeightKind};

/// The words for the weights of a round.
#[derive(Clone, Copy, Debug, Default)]
pub struct WeightNames<'a> {
    /// The kind that is counted as weight. `None` for the ordinary weight.
    pub first: Option<&'a WeightKind>,
    /// The kind of the second weight.
    pub second: Option<&'a WeightKind>,
}

impl<'a> WeightNames<'a> {
    /// "heads", "weight", or the name of the kind.
    pub fn word(self, measure: Measure) -> &'a str {
        match measure {
            Measure::Heads => "heads",
            Measure::Weight => self.first.map_or("weight", |kind| &kind.name),
            Measure::SecondWeight => self.second.map_or("second weight", |kind| &kind.name),
        }
    }
}
