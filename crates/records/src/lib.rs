//! Records of declared results.
//!
//! At its declaration a whole round is written once, as a canonical JSON document that is hashed and signed
//! (`write_record.rs`). From then on its result is read from this record (`recorded_results.rs`), never counted again, and
//! only if hash and signature are those of this installation (`read_record.rs`). What is not declared yet is counted by
//! `plenum-voting` and brought into the same form (`result_format.rs`, `file_format.rs`).

mod check_records;
mod declared_results;
mod file_format;
mod read_record;
mod recorded_results;
mod result_format;
mod sign_file;
mod write_record;

pub use check_records::{CheckPorts, CheckedRecords, RecordCheck};
pub use file_format::{MeetingParts, RoundsOfMeeting, results_file};
pub use read_record::{RecordDamage, read_closing, read_record};
pub use recorded_results::{
    AskedAnswers, EndedRounds, RecordedResultPorts, RecordedResults, ShowResultError, VoterResult,
};
pub use result_format::round_result;
pub use sign_file::{keys_of, public_keys, sign_audit, sign_results};
pub use write_record::CanonicalRecords;
