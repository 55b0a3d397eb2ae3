//! The further numbers of a method, beside stages and elected candidates.

use super::{VacancyReason, Votes};
use plenum_kernel::election::Candidate;

/// The further numbers of a method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Details {
    /// None.
    #[default]
    Nothing,
    /// The answers for each candidate, in the order of their numbers.
    Answers(Vec<CandidateAnswers>),
    /// The comparison of each pair of candidates.
    Pairwise(Pairwise),
    /// The lists, in the order of their numbers.
    Lists(Vec<ListResult>),
}

/// The answers for one candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CandidateAnswers {
    /// The candidate.
    pub candidate: Candidate,
    /// The votes for the candidate.
    pub yes: Votes,
    /// The votes against.
    pub no: Votes,
    /// The other valid ballots: those that abstain for this candidate, and those without an answer.
    pub abstain: Votes,
    /// Whether the share of yes meets the requirement.
    pub is_met: bool,
}

/// The comparison of each pair of candidates. Rows and columns are in the order of `candidates`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairwise {
    /// The candidates that stand, in the order of their numbers.
    pub candidates: Vec<Candidate>,
    /// The votes of those who prefer the candidate of the row to that of the column.
    pub preferred: Vec<Vec<Votes>>,
    /// The strength of the strongest path from the candidate of the row to that of the column: the weakest victory on
    /// the path, at its largest. Zero without a path.
    pub paths: Vec<Vec<Votes>>,
}

/// The result of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListResult {
    /// The number of the list, from 1.
    pub list: u32,
    /// Its votes.
    pub votes: Votes,
    /// The reason why it takes no part in the division of seats.
    pub bar: Option<VacancyReason>,
    /// Its seats, in the order in which it got them.
    pub seats: Vec<Award>,
}

/// A seat for a list: its votes, divided by the divisor, were the highest quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Award {
    /// The number of the seat among all seats, from 1.
    pub seat: u32,
    /// The divisor.
    pub divisor: u32,
}
