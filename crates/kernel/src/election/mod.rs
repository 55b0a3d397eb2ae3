//! The terms of an election of persons: the candidates, the method, and its settings. The voting domain counts by them.

mod candidate;
mod check;
mod method;
mod next_ballot;
mod rule;

pub use candidate::{Candidate, Standing};
pub use check::{MAX_CANDIDATES, MAX_POINTS, MAX_SEATS, MethodError, check_method, check_requirement};
pub use method::{
    Borda, BordaScale, ChoiceLimits, Cumulative, Divisors, Irv, ListOrder, Lists, Method, PerCandidate, Plurality,
    RankingRules, Repetition, Schulze, Score, Strength, TooManyRanked, Treatment, Unanswered, Unranked, YesRanking,
};
pub use next_ballot::FollowedBallot;
pub use rule::{
    Abstentions, BallotOrder, Blank, CandidateNote, ElectionRule, RefusedSeat, Requirement, ShareBase, TieRule,
};
