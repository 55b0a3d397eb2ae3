use super::RuleError;
use crate::Invalid;

/// The number of options to elect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seats(u32);

impl Seats {
    /// One seat.
    pub const ONE: Self = Self(1);

    /// Checks a number of seats.
    ///
    /// # Errors
    /// Refuses 0 seats.
    pub fn new(seats: u32) -> Result<Self, RuleError> {
        match seats {
            0 => Err(("seats", Invalid::new("Must be a whole number from 1."))),
            seats => Ok(Self(seats)),
        }
    }

    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }
}
