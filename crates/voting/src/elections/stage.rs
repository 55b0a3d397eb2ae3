use super::{DecidedBy, ResolvedTie, Votes};
use plenum_kernel::election::Candidate;

/// One stage of a count: what moved votes, and the votes at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The number, from 1.
    pub number: u32,
    /// What happened.
    pub action: Action,
    /// The number of votes that elects a candidate at the end of this stage, where the method has one.
    pub quota: Option<Quota>,
    /// The votes of each candidate at the end of the stage, in the order of their numbers. Withdrawn candidates are
    /// missing.
    pub votes: Vec<(Candidate, Votes)>,
    /// The papers that moved in this stage, by receiver and value: candidates by number, then the non-transferable
    /// papers.
    pub parcels: Vec<Parcel>,
    /// The votes of all papers so far on which no continuing candidate was left.
    pub non_transferable: Votes,
    /// The votes that all transfers so far lost because decimals of transfer values were ignored.
    pub remainder: Votes,
}

/// The votes that elect a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// The amount.
    pub votes: Votes,
    /// Whether the amount itself is enough. Otherwise more is needed.
    pub is_enough: bool,
}

/// What happened in a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// The ballots were counted: by first preferences, or by all marks if the method has only one stage.
    Count,
    /// The count began again for the next seat, without the elected candidates: instant-runoff voting with several
    /// seats.
    NextSeat,
    /// The surplus of an elected candidate was transferred.
    Surplus {
        /// The candidate.
        of: Candidate,
        /// The surplus.
        surplus: Votes,
        /// The reason why this surplus came first among equal ones.
        tie: Option<ResolvedTie>,
    },
    /// Candidates were excluded, and their papers transferred.
    Exclusion {
        /// The candidates. Several only if none of them has a vote, or for lack of support.
        of: Vec<Candidate>,
        /// The reason.
        why: ExclusionReason,
        /// The reason why this candidate was excluded and not one with equal votes.
        tie: Option<ResolvedTie>,
    },
}

/// The reason of an exclusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExclusionReason {
    /// The fewest votes.
    FewestVotes,
    /// No votes at all.
    NoVotes,
    /// Less than the least support.
    TooLittleSupport,
}

/// Papers that moved together: to the same candidate, with the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parcel {
    /// The receiver. `None` for papers without a further preference for a continuing candidate.
    pub to: Option<Candidate>,
    /// The value of each paper after the transfer.
    pub value: Votes,
    /// The number of papers, or their weight.
    pub papers: Votes,
    /// The votes: the papers times the value.
    pub votes: Votes,
}

/// An elected candidate. "None of the above" is never one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elected {
    /// The candidate.
    pub candidate: Candidate,
    /// The stage at whose end the candidate was elected.
    pub stage: u32,
    /// The reason.
    pub by: ElectedBy,
}

/// The reason of an election.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElectedBy {
    /// At least the quota.
    Quota,
    /// More than half of the votes.
    Majority,
    /// As many candidates were left as seats.
    LastVacancies,
    /// The most votes or points among those who can be elected.
    MostVotes,
    /// The required share, and a seat for everybody who has it.
    RequiredShare,
    /// The place in the order of all candidates.
    Order,
    /// A seat of this list.
    ListSeat(u32),
    /// The decision of a tie for the seat.
    TieDecision(DecidedBy),
}
