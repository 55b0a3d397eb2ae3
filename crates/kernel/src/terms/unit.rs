/// In what votes are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Each person counts one.
    Heads,
    /// Each person counts what the register says.
    Weight,
}

impl Unit {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Heads => "heads",
            Self::Weight => "weight",
        }
    }
}

/// In what a condition must be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Units {
    /// In heads.
    Heads,
    /// In weight.
    Weight,
    /// In each of the two.
    Both,
}

impl Units {
    /// The units one by one.
    pub const fn each(self) -> &'static [Unit] {
        match self {
            Self::Heads => &[Unit::Heads],
            Self::Weight => &[Unit::Weight],
            Self::Both => &[Unit::Heads, Unit::Weight],
        }
    }
}
