//! Who handed in what, what the server answered, and whether that is what the server's own record says.

mod check;
mod record;
mod submit;

pub use check::{Findings, check};
pub use record::{Record, RecordedBallot, RecordedRound};
pub use submit::{Retries, Submission, submit};

/// A ballot that a simulated voter handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The round that it was meant for.
    pub round: String,
    /// The voter's username.
    pub voter: String,
    /// What they answered.
    pub answers: Vec<String>,
    /// Whether it was handed in too late on purpose.
    pub is_late: bool,
    /// What became of it.
    pub submission: Submission,
}

impl Entry {
    /// Whether it was refused because it came too late, as it was meant to.
    pub fn is_refused_as_late(&self) -> bool {
        self.is_late && matches!(self.submission, Submission::Refused { status: 409, .. })
    }
}
