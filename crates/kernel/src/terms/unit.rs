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

/// The units in which a condition must be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Units {
    /// In heads.
    Heads,
    /// In weight.
    Weight,
    /// In both units.
    Both,
}

impl Units {
    /// The single units.
    pub const fn each(self) -> &'static [Unit] {
        match self {
            Self::Heads => &[Unit::Heads],
            Self::Weight => &[Unit::Weight],
            Self::Both => &[Unit::Heads, Unit::Weight],
        }
    }
}
