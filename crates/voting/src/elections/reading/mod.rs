//! From the ballots as cast to those that are counted, with a report of every fault and its effect.

mod ballot_report;
mod read_ballots;
mod read_choices;
mod read_ranking;

pub use ballot_report::{BallotReport, BallotSum, Effect, Fault, FaultSum};
pub(super) use read_ballots::{Paper, ReadBallots, TooManyVotes, read_ballots};
