//! Elections of persons, counted again: every method by code that shares nothing with the server's, in exact fractions.
//!
//! The server counts in fixed steps and moves bundles of papers between piles. Here every paper is followed by itself,
//! sums follow the definitions, paths grow from the strongest victory to the weakest, and quotients of lists are put
//! into one order.

mod contest;
mod file_form;
mod lists;
mod notation;
mod of_round;
mod pairs;
mod papers;
mod read;
mod recount_election;
mod recounted;
mod schulze;
mod sums;
mod transfers;

pub(crate) use contest::lot;
pub(crate) use notation::{marks_of, most_marks, named_first, names};
pub(crate) use of_round::{recount_for_next, recount_round};
pub use papers::{
    BallotMarks, BlankMeaning, CountMethod, DecidedTie, ElectionBallot, ElectionPapers, ElectionTie, FaultTreatment,
    FirstPlace, NameKind, RankReading, Share, TieDecider, TieFor, Whole, WithinList,
};
pub use recount_election::{recount_election, recount_without};
pub use recounted::{BallotFault, FaultEffect, MethodNumbers, RecountedElection, RecountedStage};
