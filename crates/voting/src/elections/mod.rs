//! Elections of persons: pure counting in exact arithmetic.
//!
//! [`count`] takes an [`Election`] (candidates, seats, [`Method`] and settings), the ballots, and the decisions of ties
//! that were made. It returns stages, elected candidates and a report on faulty ballots. It never breaks a tie by
//! itself: the [`Outcome`] names the tied candidates, what they are tied for, and the stage. With the decision the same
//! call goes on.
//!
//! - `reading`: from ballots as cast to those that count, and the report of every fault
//! - `methods`: one file for each method
//! - `tie.rs`, `lot.rs`: ties, decisions, and the drawing of lots that anybody can repeat
//! - `words.rs`: the sentences for stages, ties and results
//!
//! `docs/elections.md` has the rules and sources of each method. `plenum-verify` counts every method again by code of
//! its own.

mod ballot;
mod count;
mod count_election;
mod counting;
mod details;
mod election;
mod lot;
mod methods;
mod reading;
mod stage;
mod tie;
mod votes;
mod words;

pub use ballot::{Ballot, CandidateAnswer, Marks};
pub use count::{Count, CountError, Outcome, Vacancies, VacancyReason};
pub use count_election::{count, count_without};
pub use details::{Award, CandidateAnswers, Details, ListResult, Pairwise};
pub use election::{Election, ElectionError, ElectionTerms, Electorate, MAX_VOTES};
pub use lot::{ballot_order, draw};
pub use plenum_kernel::election::{
    Abstentions, Blank, Borda, BordaScale, Candidate, ChoiceLimits, Cumulative, Divisors, Irv, ListOrder, Lists,
    MAX_CANDIDATES, MAX_POINTS, MAX_SEATS, Method, PerCandidate, Plurality, RankingRules, Repetition, Requirement,
    Schulze, Score, ShareBase, Standing, Strength, TooManyRanked, Treatment, Unanswered, Unranked, YesRanking,
};
pub use reading::{BallotReport, BallotSum, Effect, Fault, FaultSum};
pub use stage::{Action, Elected, ElectedBy, ExclusionReason, Parcel, Quota, Stage};
use tie::TieBreaker;
pub use tie::{Decided, DecidedBy, DecisionError, ResolvedBy, ResolvedTie, Tie, TieDecision, TieDecisions, TieMatter};
pub use votes::Votes;
pub use words::Words;
