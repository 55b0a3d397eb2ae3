/// The unit of a count of votes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Each person counts one.
    Heads,
    /// Each person counts with the weight in the register.
    Weight,
}

impl Unit {
    /// The word for the unit.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Heads => "heads",
            Self::Weight => "weight",
        }
    }
}

/// A number in which a condition is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// Each person counts one.
    Heads,
    /// Each person counts with the weight in the register.
    Weight,
    /// Each person counts with the second weight in the register.
    SecondWeight,
}

impl From<Unit> for Measure {
    fn from(unit: Unit) -> Self {
        match unit {
            Unit::Heads => Self::Heads,
            Unit::Weight => Self::Weight,
        }
    }
}

/// The units in which a condition must be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Units {
    /// In heads.
    Heads,
    /// In weight.
    Weight,
    /// In both units.
    Both,
    /// In the second weight of the question.
    SecondWeight,
}

impl Units {
    /// The single measures.
    pub const fn each(self) -> &'static [Measure] {
        match self {
            Self::Heads => &[Measure::Heads],
            Self::Weight => &[Measure::Weight],
            Self::Both => &[Measure::Heads, Measure::Weight],
            Self::SecondWeight => &[Measure::SecondWeight],
        }
    }
}
