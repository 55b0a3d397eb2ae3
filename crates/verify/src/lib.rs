//! An independent recount. It reads the file of results alone, counts its ballots again, decides again, and says where
//! the file says otherwise.
//!
//! It shares the form of the file with the server, and nothing that counts: the code here is written anew, by the
//! definitions, in exact fractions of integers of any size. A mistake in the one is not the mistake of the other.
//!
//! The chain of an audit log is checked here, too ([`ChainCheck`]).

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
