//! An independent recount. It reads an exported results file, counts the ballots, decides again, and reports each
//! difference from the file.
//!
//! It shares the file format with the server, but no code that counts. It follows the definitions, in exact fractions
//! of integers of any size. So a mistake in one count is not repeated in the other.
//!
//! The crate also checks the chain of an audit log ([`ChainCheck`]).

mod ballots;
mod chain;
mod decision;
mod exact;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod read;
mod recount;
mod report;
mod sentence;
mod tally;

pub use chain::{ChainCheck, ChainFault, verify_audit};
pub use read::{Exported, Unreadable, read, read_exported};
pub use report::{Difference, Report, RoundReport, verify};
