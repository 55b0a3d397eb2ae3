use super::{BallotReport, DecisionError, Details, Elected, ResolvedTie, Stage, Tie, Votes};
use plenum_kernel::election::Candidate;

/// The count of an election.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The ballots by their validity.
    pub ballots: BallotReport,
    /// The stages, in order.
    pub stages: Vec<Stage>,
    /// The elected candidates, in the order of their election.
    pub elected: Vec<Elected>,
    /// Whether the count is complete.
    pub outcome: Outcome,
    /// The ties for seats that were decided. Those for exclusions and surpluses are in their stages.
    pub seat_ties: Vec<ResolvedTie>,
    /// All candidates in groups of equal ones, the best group first, for methods that compare all of them. Empty for
    /// others.
    pub order: Vec<Vec<Candidate>>,
    /// The support of each candidate, in the order of their numbers: the votes of the ballots on which the candidate is
    /// chosen, approved, ranked, or has points or a yes. For lists, that of each list.
    pub support: Vec<Votes>,
    /// The further numbers of the method.
    pub details: Details,
}

/// Whether a count is complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everybody who can be elected is.
    Complete {
        /// The seats that stay vacant, with the reason. `None` if all are filled.
        vacancies: Option<Vacancies>,
    },
    /// The count ended at a tie. With its decision it goes on.
    Tied(Tie),
}

/// Seats that stay vacant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vacancies {
    /// The number of seats.
    pub seats: u32,
    /// The reason.
    pub why: VacancyReason,
}

/// The reason why a seat stays vacant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VacancyReason {
    /// There are fewer candidates than seats.
    TooFewCandidates,
    /// The other candidates have no votes, or none are left.
    NoVotes,
    /// The other candidates do not have the required share or support.
    RequirementMissed,
    /// "None of the above" is ahead of the other candidates, or won the seat.
    NoneOfTheAbove,
}

/// The reason why nothing can be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// Nobody is left who could be elected.
    #[error("nobody is left who could be elected")]
    NobodyStands,
    /// The ballots have more votes together than can be counted exactly.
    #[error("the ballots have more than 1,000,000,000,000 votes")]
    TooManyVotes,
    /// A decision does not fit.
    #[error(transparent)]
    Decision(#[from] DecisionError),
}
