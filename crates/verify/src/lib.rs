//! An independent recount. It reads an exported results file, counts the ballots, decides again, and reports each
//! difference from the file.
//!
//! It shares the file format with the server, but no code that counts. It follows the definitions, in exact fractions
//! of integers of any size. So a mistake in one count is not repeated in the other.
//!
//! It also checks the records and signatures of the file ([`check_origin`]), the chain of an audit log ([`ChainCheck`]), and
//! the archive of a meeting, which contains both ([`check_archive`]), the signatures of tables ([`SignedTable`]), and
//! the timestamps of records ([`CheckedTimestamp`]).
//! [`examine`] gives the verdict on a file of any kind.

mod archive;
mod ballots;
mod chain;
mod check_ins;
mod decision;
mod election_sentence;
pub mod elections;
mod exact;
mod examine;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod groups;
mod limits;
mod proxies;
mod purges;
mod read;
mod recount;
mod report;
mod round_numbers;
mod seats;
mod second_weight;
mod sentence;
mod signatures;
mod table;
mod tally;
mod timestamps;
mod unique_members;
mod urn;
mod work;

pub use archive::check_archive;
pub use chain::{ChainCheck, ChainFault, entries_set_back, set_back_sentence, verify_audit};
#[cfg(feature = "fuzzing")]
pub use election_sentence::sentence_of_count;
pub use examine::{Examination, FileKind, Verdict, examine, examine_archive};
pub use purges::{CheckedPurges, PurgeFault};
pub use read::{Exported, Tables, Unreadable, read, read_exported};
pub use report::{Difference, Report, RoundReport, verify};
pub use signatures::{KnownKeys, Origin, Refusal, check_archive_origin, check_audit_origin, check_origin, read_keys};
pub use table::SignedTable;
pub use timestamps::{CheckedTimestamp, KnownAuthorities};
pub use urn::Recounted;
pub use work::{check_work, work_of};
