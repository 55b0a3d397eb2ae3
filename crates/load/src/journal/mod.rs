//! Who handed in what, what the server answered, and whether that is what the server's own record says.

mod check;
mod hand_in;
mod record;

pub use check::{Findings, check};
pub use hand_in::{Handed, Repeats, hand_in};
pub use record::{Record, RecordedBallot, RecordedRound};

/// A ballot that a simulated voter handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The round that it was meant for.
    pub round: String,
    /// The voter's username.
    pub voter: String,
    /// What they answered.
    pub answers: Vec<String>,
    /// What became of it.
    pub handed: Handed,
}
