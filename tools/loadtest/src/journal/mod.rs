//! The ballots of voters, the responses of the server, and their comparison with the server's record.

mod check;
mod record;
mod submit;
mod urn;

pub use check::{Findings, check};
pub use record::{Record, RecordedBallot, RecordedRound, RecordedUrn};
pub use submit::{Retries, Submission, submit};

/// A ballot of a simulated voter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The intended round.
    pub round: String,
    /// The voter's username.
    pub voter: String,
    /// The answers.
    pub answers: Vec<String>,
    /// The receipt of the envelope, if the ballot was sealed.
    pub receipt: Option<String>,
    /// Whether the ballot was deliberately late.
    pub is_late: bool,
    /// The outcome.
    pub submission: Submission,
}

impl Entry {
    /// Whether a deliberately late ballot was refused as too late.
    pub fn is_refused_as_late(&self) -> bool {
        self.is_late && matches!(self.submission, Submission::Refused { status: 409, .. })
    }
}
