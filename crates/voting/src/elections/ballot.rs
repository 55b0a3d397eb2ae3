use plenum_kernel::VotingWeight;

use plenum_kernel::election::Candidate;

/// A number of equal ballots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ballot {
    /// The marks.
    pub marks: Marks,
    /// The weight of each of the voters. It counts only if the election counts by weight.
    pub weight: VotingWeight,
    /// The number of voters.
    pub voters: u64,
}

impl Ballot {
    /// The ballot of one voter, with the weight 1.
    pub const fn of(marks: Marks) -> Self {
        Self { marks, weight: VotingWeight::ONE, voters: 1 }
    }
}

/// The content of a ballot, as the voter made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Marks {
    /// The answer "abstain", which elects nobody.
    Abstention,
    /// Nothing at all. A ballot of another kind without any mark means the same.
    Blank,
    /// The chosen candidates: plurality and approval.
    Choices(Vec<Candidate>),
    /// An answer for each candidate. Candidates without an answer are missing.
    Answers(Vec<(Candidate, CandidateAnswer)>),
    /// Votes or points for candidates: cumulative and score. Candidates without points are missing.
    Points(Vec<(Candidate, u32)>),
    /// The ranks, the first one first: instant-runoff, single transferable vote, Schulze and Borda. A rank without a
    /// candidate was skipped. The candidates of a rank are equal.
    Ranking(Vec<Vec<Candidate>>),
    /// A list by its number, and candidates on it.
    List {
        /// The number of the list, from 1.
        list: u32,
        /// The candidates that the voter chose on it.
        candidates: Vec<Candidate>,
    },
}

/// The answer for one candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CandidateAnswer {
    /// For the candidate.
    Yes,
    /// Against the candidate.
    No,
    /// Neither.
    Abstain,
}
