//! The JSON format of decision rules, quorums, results and audit logs: in responses, exported files and tables.
//!
//! Each has one format. The server writes it, screens and files show it, and `plenum verify` reads it. This crate
//! counts and decides nothing, so that the count and the independent recount can share it.

#![recursion_limit = "256"]

mod amount;
mod archive;
mod audit_file;
mod canonical;
mod closing;
mod closing_check;
mod decision;
mod decision_rule;
mod documents;
mod election_names;
mod election_outcome;
mod election_result;
mod election_rule;
mod election_terms;
mod election_words;
mod group_result;
mod meeting_results;
mod presence;
mod purge;
mod question_places;
mod quorum;
mod record;
mod round_file;
mod round_result;
mod table_file;
mod ways;
mod weight_kind;
mod words;

pub use amount::{Count, exact, exact_option};
pub use archive::{
    ARCHIVE_FORMAT, ArchiveFile, ArchivedAudit, ArchivedMinutes, MAX_ARCHIVE_BYTES, MAX_ARCHIVED_ENTRIES, MeetingAudit,
};
pub use audit_file::{AUDIT_FORMAT, AuditChange, AuditFile, AuditFileEntry, AuditHead, CHAIN_START, hexadecimal};
pub use canonical::canonical;
pub use closing::{
    Amendment, AmendmentSubject, CLOSING_FORMAT, ClosedQuestion, ClosedResult, ClosingRecord, SealedClosing, SealedLog,
    closing_message,
};
pub use closing_check::{ClosedMeeting, ClosingGap};
pub use decision::{
    ArithmeticFormat, BlockingFormat, CastingVoteFormat, CheckFormat, DecisionFormat, NeededFormat, Outcome,
    QuorumResult, TieFormat,
};
pub use decision_rule::{
    BaseName, ComparisonName, ConditionFormat, DecisionRuleFormat, FieldError, JoinedName, MeasureName, OnTieName,
    UnitName, UnitsName,
};
pub use documents::{DocumentFailure, DocumentSeal, Letterhead, LetterheadLogo, ResultDocuments};
pub use election_names::{
    AbstentionsName, BallotOrderName, BlankName, BordaScaleName, DivisorsName, ListOrderName, MethodName,
    RefusedSeatName, RepetitionName, ShareBaseName, StrengthName, TieRuleName, TooManyRankedName, TreatmentName,
    UnansweredName, UnrankedName, YesRankingName,
};
pub use election_outcome::{
    DrawnLotFormat, ElectionOutcome, NotedSeatAnswerFormat, PossibleBallotFormat, SeatAnswerName, SeatHolderFormat,
};
pub use election_result::{
    AnswersFormat, CandidateFormat, CandidateVotes, ElectedFormat, ElectionBallots, ElectionResult, ElectionTieFormat,
    FaultFormat, ListResultFormat, ListSeatFormat, PairsFormat, StageFormat, StageKind, SumFormat, TieDeciderName,
    TieDecisionFormat, TieMatterName, TransferFormat, VacanciesFormat,
};
pub use election_rule::{CandidateNoteFormat, ElectionRuleFormat, FollowedBallotFormat, ListFormat, ShareFormat};
pub use group_result::{GroupOption, GroupResult};
pub use meeting_results::{
    AttendanceEntry, AttendanceKind, AttendanceLogEntry, EARLIER_FORMAT, FORMAT, MeetingHead, MeetingResults, Remark,
    RemarkKind, ResultsFile, Struck, TEST_DATA, UncountedRound,
};
pub use presence::PresenceRuleName;
pub use purge::{PURGE_FORMAT, PurgeDocument, PurgedClosing, PurgedEntries, PurgedMeeting, SealedPurge, purge_message};
pub use question_places::QuestionPlaces;
pub use quorum::{AtOpeningName, AttendanceName, MeetingQuorumFormat, PlannedQuorumFormat, QuorumFormat};
pub use record::{
    DamagedRecord, FileSignature, PublicKey, RECORD_FORMAT, RecordMark, RecordSeal, RoundRecord, TimestampMark,
    file_message, fingerprint_of, from_hexadecimal, minutes_message, record_message, sha256, succession_message,
};
pub use round_file::{
    BallotAnswer, CastOnName, CountedBallot, ExactNumber, OpenedUrnFormat, ProxyHolder, RegisteredVoter, RoundFile,
};
pub use round_result::{
    Declaration, LogEntry, LogKind, LoggedPerson, NumberResult, OptionResult, OptionRoleName, QuestionTypeName,
    ResultStatus, RoundResult, SecrecyName, TextAnswer, ValueResult,
};
pub use table_file::{
    SIGNATURE_SECTION, TABLE_FORMAT, TableCell, TableFile, TableReader, TableRow, TableSeal, TableSheet,
    UnreadableTable,
};
pub use ways::WaysFormat;
pub use weight_kind::{SecondWeightResult, WeightKindFormat};
