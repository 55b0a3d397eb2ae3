/// A candidate, by number on the ballot: 1 for the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Candidate(u32);

impl Candidate {
    /// The candidate with this number.
    pub const fn numbered(number: u32) -> Self {
        Self(number)
    }

    /// The number on the ballot.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The candidate at this place of the list of candidates, from 0.
    pub fn at(place: usize) -> Self {
        Self(u32::try_from(place + 1).expect("an election has at most 1,000 candidates"))
    }

    /// The place in the list of candidates, from 0. `None` for the number 0, which nobody has.
    pub fn place(self) -> Option<usize> {
        self.0.checked_sub(1).map(|place| place as usize)
    }
}

/// The part that a candidate takes in the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// Can be elected.
    Stands,
    /// Withdrew before the opening. The count passes over the name wherever it is marked.
    Withdrawn,
    /// Not a person, but the answer "none of the above". It takes part like a candidate. A seat that it wins stays
    /// vacant, and where candidates are compared with one another, only those ahead of it are elected.
    NoneOfTheAbove,
}
