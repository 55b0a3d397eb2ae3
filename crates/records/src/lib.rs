//! Records of declared results.
//!
//! At its declaration a whole round is written once, as a canonical JSON document that is hashed and signed
//! (`seal_record.rs`). From then on its result is read from this record (`recorded_results.rs`), never counted again, and
//! only if hash and signature are those of this installation (`read_record.rs`). An authority timestamps its hash, if one is
//! configured (`timestamps.rs`). What is not declared yet is counted by
//! `plenum-voting` and brought into the same form (`result_format.rs`, `file_format.rs`). `answer_walls.rs` arranges text
//! answers for the presentation, and changes none of this.

mod answer_walls;
mod archive;
mod check_records;
mod check_times;
mod declared_results;
mod election_outcomes;
mod election_result;
mod file_format;
mod known_records;
mod meeting_export;
mod purges;
mod read_record;
mod recorded_results;
mod result_format;
mod seal_record;
mod sign_file;
mod timestamps;

pub use answer_walls::{AnswerWallError, AnswerWalls, CuratedAnswer, CuratedAnswers, PresentedWall};
pub use archive::{ArchiveParts, KeptStores, archive_file, kept_results};
pub use check_records::{CheckPorts, CheckedRecords, RecordCheck};
pub use election_outcomes::election_outcomes;
pub use file_format::{MeetingParts, RoundsOfMeeting, results_file};
pub use known_records::{KnownRecord, KnownRecords};
pub use meeting_export::exported_meeting;
pub use purges::{UnreadablePurge, read_purge, sealed_purges};
pub use read_record::{RecordDamage, read_closing, read_record};
pub use recorded_results::{
    EndedRounds, ReceiptFilter, RecordedResultPorts, RecordedResults, ShowResultError, VoterResult,
};
pub use result_format::round_result;
pub use seal_record::CanonicalRecords;
pub use sign_file::{document_seal, keys_of, public_keys, sign_audit, sign_results, unsigned};
pub use timestamps::{
    AuthorityFailure, IssuedTimestamp, MeetingTimestamps, TimestampAuthority, TimestampQueue, TimestampTurn,
};
